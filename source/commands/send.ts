import {sanitizeText} from '../base/index.ts';
import type {DaemonConnection} from '../client/index.ts';
import {isSessionId, type AskedQuestion, type Event, type SessionId} from '../domain/index.ts';
import {asksForSecret} from './asks-for-secret.ts';
import {followEvents} from './follow-events.ts';
import {Impossible} from './here.ts';
import type {ExitCode, Surroundings} from './surroundings.ts';
import {withDaemon} from './with-daemon.ts';

type Options = {readonly enter?: boolean; readonly json?: boolean};

/** Answers what a session has asked; else types a text into it, once, and waits until it was typed. */
export async function send(
  session: string,
  text: string,
  options: Options,
  surroundings: Surroundings,
): Promise<ExitCode> {
  if (!isSessionId(session))
    throw new Impossible(`expected a session such as s7, got ${JSON.stringify(session)}`);
  return withDaemon(surroundings, async (daemon, here) => {
    const {asked} = (await daemon.ask({about: 'asked', session})) as {
      readonly asked?: AskedQuestion;
    };
    if (asked !== undefined && options.enter !== false)
      return await answer(daemon, session, asked, text, options, surroundings);
    if (await asksForSecret(daemon, session)) {
      surroundings.err(
        `orchestra: ${session} asks for a secret, which is never sent and never written down; type it yourself: orchestra attach ${session}\n`,
      );
      return 1;
    }

    const events = await followEvents(here, daemon.welcome.seq);
    try {
      return await type(daemon, events, session, text, options, surroundings);
    } finally {
      events.close();
    }
  });
}

/** With options, a number chooses one of them. */
async function answer(
  daemon: DaemonConnection,
  session: SessionId,
  {number, question, options: choices = []}: AskedQuestion,
  text: string,
  options: Options,
  {out}: Surroundings,
): Promise<ExitCode> {
  const chosen = /^\d+$/.test(text.trim()) ? choices[Number(text) - 1] : undefined;
  if (chosen === undefined && choices.length > 0 && /^\d+$/.test(text.trim()))
    throw new Impossible(
      `expected a number from 1 to ${choices.length}, or other words, got ${text.trim()}`,
    );
  const words = chosen ?? text;
  await daemon.ask({about: 'wish', wish: {type: 'answer-question', session, number, text: words}});
  out(
    options.json === true
      ? `${JSON.stringify({session, question: number, answer: words})}\n`
      : `${session} asked: ${sanitizeText(question)}\nanswered: ${sanitizeText(words)}\n`,
  );
  return 0;
}

async function type(
  daemon: DaemonConnection,
  events: Awaited<ReturnType<typeof followEvents>>,
  session: SessionId,
  text: string,
  options: Options,
  {out, err}: Surroundings,
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
    out(`${JSON.stringify({session, input: asked?.input ?? null, typed: isTyped})}\n`);
  else if (!isTyped)
    err(
      `orchestra: nobody can say whether it was typed into ${session}; look before you send it again\n`,
    );
  return isTyped ? 0 : 1;
}
