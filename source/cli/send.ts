import {quotePath, sanitizeText} from '../shared/index.ts';
import type {DaemonConnection} from '../client/index.ts';
import {type AskedQuestion, type Event, isSessionId, type SessionId} from '../domain/index.ts';
import {followEvents, withDaemon} from './with-daemon.ts';
import {giveCopies} from './give-files.ts';
import {UsageError} from './repo-paths.ts';
import type {CliContext, ExitCode} from './cli-context.ts';

type Options = {
  readonly enter?: boolean;
  readonly json?: boolean;
  /** Files to copy for the session; their paths are typed after the text. `-`: standard input. */
  readonly file?: readonly string[];
};

/**
 * Answers the question of a session; otherwise types a text into it, once, and waits until it was
 * typed. Files are copied to where the session can read them, and their paths are typed.
 */
export async function send(
  session: string,
  text: string | undefined,
  options: Options,
  cli: CliContext,
): Promise<ExitCode> {
  const files = options.file ?? [];
  if (text === undefined && files.length === 0)
    throw new UsageError(
      'expected what to type, or a file: orchestra send s7 "yes", orchestra send s7 --file shot.png',
    );
  if (!isSessionId(session))
    throw new UsageError(`expected a session such as s7, got ${JSON.stringify(session)}`);
  return withDaemon(cli, async (daemon, repoPaths) => {
    const {asked} = (await daemon.ask({about: 'asked', session})) as {
      readonly asked?: AskedQuestion;
    };
    const isAnswer = asked !== undefined && options.enter !== false;
    if (!isAnswer && (await isSecretAsked(daemon, session))) {
      cli.err(
        `orchestra: ${session} asks for a secret, which orchestra never sends or ` +
          `records. Type it yourself: orchestra attach ${session}\n`,
      );
      return 1;
    }

    const given = files.length === 0 ? [] : await giveCopies(daemon, session, files, cli);
    const whole = [...(text === undefined ? [] : [text]), ...given.map(quotePath)].join(' ');
    if (isAnswer) return await answer(daemon, session, asked, whole, options, cli);
    const events = await followEvents(repoPaths, daemon.welcome.seq);
    try {
      return await type(daemon, events, session, {text: whole, given}, options, cli);
    } finally {
      events.close();
    }
  });
}

/** If the question has options, a number chooses one. */
async function answer(
  daemon: DaemonConnection,
  session: SessionId,
  {number, question, options: choices = []}: AskedQuestion,
  text: string,
  options: Options,
  {out}: CliContext,
): Promise<ExitCode> {
  const chosen = /^\d+$/.test(text.trim()) ? choices[Number(text) - 1] : undefined;
  if (chosen === undefined && choices.length > 0 && /^\d+$/.test(text.trim()))
    throw new UsageError(
      `expected a number from 1 to ${choices.length}, or other text, got ${text.trim()}`,
    );
  const message = chosen ?? text;
  await daemon.ask({
    about: 'wish',
    wish: {type: 'answer-question', session, number, text: message},
  });
  out(
    options.json === true
      ? `${JSON.stringify({session, question: number, answer: message})}\n`
      : `${session} asked: ${sanitizeText(question)}\nanswered: ${sanitizeText(message)}\n`,
  );
  return 0;
}

async function type(
  daemon: DaemonConnection,
  events: Awaited<ReturnType<typeof followEvents>>,
  session: SessionId,
  {text, given}: {readonly text: string; readonly given: readonly string[]},
  options: Options,
  {out, err}: CliContext,
): Promise<ExitCode> {
  const taken = (await daemon.ask({
    about: 'wish',
    wish: {type: 'send-input', session, text: options.enter === false ? text : `${text}\r`},
  })) as {readonly events: readonly Event[]};
  const asked = taken.events.find((event) => event.type === 'input-asked');
  const fate = await events.until(
    (event) =>
      ((event.type === 'input-typed' || event.type === 'input-uncertain') &&
        event.session === session &&
        event.input === asked?.input) ||
      ((event.type === 'session-exited' || event.type === 'session-lost') &&
        event.session === session),
  );
  const isTyped = fate.type === 'input-typed';
  if (options.json === true)
    out(
      `${JSON.stringify({
        session,
        input: asked?.input ?? null,
        typed: isTyped,
        ...(given.length > 0 && {given}),
      })}\n`,
    );
  else if (!isTyped)
    err(
      `orchestra: it is unknown whether the text was typed into ${session}. Look before you send it again\n`,
    );
  return isTyped ? 0 : 1;
}

/**
 * Asks the kernel now: the daemon's knowledge may be older than the prompt, and everything sent to
 * it is journaled.
 */
async function isSecretAsked(daemon: DaemonConnection, session: SessionId): Promise<boolean> {
  const {input} = (await daemon.ask({about: 'explain', session})) as {
    readonly input?: {readonly verdict: string; readonly secret: boolean};
  };
  return input?.verdict === 'blocked' && input.secret;
}
