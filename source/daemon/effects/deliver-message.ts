import path from 'node:path';
import {existsSync} from 'node:fs';
import {inboxFiles, parseInboxResult} from '../../agents/index.ts';
import {
  isLive,
  type MessageDelivery,
  runIdIn,
  selectRun,
  selectSession,
  selectTask,
  selectWorkerSession,
  type SessionId,
  type TaskId,
  type TaskMessage,
} from '../../domain/index.ts';
import {tryReadText, writeFileAtomic} from '../../files/index.ts';
import {KeeperError} from '../../keeper/index.ts';
import type {DaemonDirectory, SessionFiles, StateReader} from '../daemon-context.ts';
import type {EffectHandler} from '../engine/conductor.ts';
import {pauseFor} from '../engine/pacing.ts';
import {getExchange, getMessageStart, readMessageWay} from '../launch/exchange.ts';
import {connectToKeeper} from '../sessions/keeper-link.ts';
import {textToType, typeAndConfirm, type TypingContext} from './type-text.ts';

type EffectReport = Parameters<EffectHandler>[1];

type DeliveryContext = TypingContext & DaemonDirectory;

/** What became of a message. `queued`: nothing of it reached the agent. */
type Fate =
  | {readonly at: 'delivered'; readonly how: MessageDelivery; readonly turn?: number}
  | {readonly at: 'queued' | 'failed'; readonly why: string};

type Letter = {
  readonly task: TaskId;
  readonly session: SessionId;
  readonly message: TaskMessage;
};

/**
 * Gives a person's message to the agent of a session: typed into its own interface, or through the
 * inbox of its runner. Either records the start before the agent can see anything, so that a message
 * is delivered at most once. After the end of the session it only finds out what became of it.
 */
export function deliverMessage(context: DeliveryContext): EffectHandler {
  return async (effect, report, signal) => {
    if (effect.do !== 'deliver-message') return;
    const {task, session, message: number} = effect;
    const message = selectTask(context.state(), task)?.messages?.find(
      (candidate) => candidate.number === number,
    );
    if (message === undefined) throw new Error(`there is no message ${number} to ${task}`);
    const fate = await deliver(context, {task, session, message}, report, signal);
    if (fate === undefined) return;
    if (fate.at === 'delivered')
      await report({
        type: 'message-delivered',
        task,
        number,
        session,
        how: fate.how,
        ...(fate.turn === undefined ? {} : {turn: fate.turn}),
      });
    else if (fate.at === 'queued')
      await report({type: 'message-queued', task, number, why: fate.why});
    else await report({type: 'message-failed', task, number, why: fate.why});
  };
}

/** Undefined if the effect is no longer wanted. */
async function deliver(
  context: DeliveryContext,
  letter: Letter,
  report: EffectReport,
  signal: AbortSignal,
): Promise<Fate | undefined> {
  switch (readMessageWay(context, letter.session)) {
    case 'inbox':
      return deliverToInbox(context, letter, signal);
    case 'typed':
      return typeMessage(context, letter, report, signal);
    case 'unknown':
      return {
        at: 'queued',
        why: 'orchestra does not know where its agent takes text; add patterns.ready to the agent in .orchestra/project.yaml',
      };
    case undefined:
      return {at: 'queued', why: 'its agent takes no messages while it works'};
  }
}

const lookMs = 100;
const maxResultBytes = 4096;

async function deliverToInbox(
  context: DeliveryContext,
  {session, message: {number, text}}: Letter,
  signal: AbortSignal,
): Promise<Fate | undefined> {
  const {inbox, below} = getExchange(context, session);
  const asked = path.join(inbox, inboxFiles.asked(number));
  if (isRunning(context, session) && !existsSync(asked))
    writeFileAtomic(asked, JSON.stringify({text}), {below});
  while (!signal.aborted) {
    // Read before the files: the last of them may be written while the session ends.
    const isOver = !isRunning(context, session);
    const json = tryReadText(path.join(inbox, inboxFiles.done(number)), {
      maxBytes: maxResultBytes,
      below,
    });
    const how = json === undefined ? undefined : parseInboxResult(json);
    if (how === 'none') return {at: 'queued', why: 'its agent was stopped first'};
    if (how !== undefined) return {at: 'delivered', how};
    if (isOver)
      return existsSync(path.join(inbox, inboxFiles.begun(number)))
        ? {at: 'failed', why: uncertain}
        : {at: 'queued', why: `${session} ended first`};
    await pauseFor(lookMs, signal);
  }

  return undefined;
}

const uncertain =
  'it is uncertain whether its agent got it, because delivering it was cut off; orchestra does not ' +
  'send it again';

async function typeMessage(
  context: DeliveryContext,
  {task, session: id, message: {number, text}}: Letter,
  report: EffectReport,
  signal: AbortSignal,
): Promise<Fate | undefined> {
  const startFile = getMessageStart(context, id, number);
  if (existsSync(startFile)) return {at: 'failed', why: uncertain};
  const session = selectSession(context.state(), id);
  const link =
    session !== undefined && isLive(session) ? await connectToKeeper(context, id) : undefined;
  if (link === undefined || session === undefined)
    return signal.aborted ? undefined : {at: 'queued', why: `${id} ended first`};
  const over = new AbortController();
  const leave = (): void => {
    over.abort();
    link.close();
  };
  signal.addEventListener('abort', leave);
  const watch = setInterval(() => {
    if (!isRunning(context, id)) leave();
  }, lookMs);
  let turn: number | undefined;
  try {
    const file = writeMessageFile(context, id, number, text);
    const problem = await typeAndConfirm(
      context,
      {
        session: id,
        startFile,
        readText: (takesPaste) => textToType(text, {file, takesPaste}),
        onHeld: async (why) => {
          await report({type: 'message-held', task, number, why});
        },
        message: {
          findEnd: () => findEnd(context, task, id),
          onStart: () => {
            const now = selectSession(context.state(), id)?.turn;
            turn = now?.at === 'ended' ? now.number : undefined;
          },
        },
      },
      link,
      over.signal,
    );
    if (signal.aborted) return undefined;
    if (problem === undefined)
      return {at: 'delivered', how: 'typed', ...(turn === undefined ? {} : {turn})};
    const why = isRunning(context, id) ? problem.why : `${id} ended first`;
    return problem.hasBegun
      ? {at: 'failed', why: isRunning(context, id) ? why : uncertain}
      : {at: 'queued', why};
  } catch (error) {
    if (signal.aborted) return undefined;
    // Its keeper was killed.
    if (!(error instanceof KeeperError)) throw error;
    return existsSync(startFile)
      ? {at: 'failed', why: uncertain}
      : {at: 'queued', why: `${id} ended first`};
  } finally {
    clearInterval(watch);
    signal.removeEventListener('abort', leave);
    leave();
  }
}

/** Why the session is not the one that should get messages to the task now. */
function findEnd({state}: StateReader, id: TaskId, session: SessionId): string | undefined {
  const task = selectTask(state(), id);
  const run = selectRun(state(), runIdIn(id));
  if (task === undefined || run === undefined) return `${id} is gone`;
  return selectWorkerSession(state(), run, task)?.id === session
    ? undefined
    : `the agent of ${session} had ended its work first`;
}

/** Named instead, if the text has several lines and the program takes no paste. */
function writeMessageFile(
  context: DeliveryContext,
  session: SessionId,
  number: number,
  text: string,
): string {
  const {directory, below} = getExchange(context, session);
  const file = path.join(directory, `message-${number}.md`);
  writeFileAtomic(file, text, {below});
  return file;
}

function isRunning(context: StateReader & SessionFiles, id: SessionId): boolean {
  const session = selectSession(context.state(), id);
  return session !== undefined && isLive(session);
}
