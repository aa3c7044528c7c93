import path from 'node:path';
import {existsSync} from 'node:fs';
import {inboxFiles, parseInboxResult} from '../../agents/index.ts';
import {
  isLive,
  type MessageDelivery,
  selectSession,
  selectTask,
  type SessionId,
  type TaskMessage,
} from '../../domain/index.ts';
import {tryReadText, writeFileAtomic} from '../../files/index.ts';
import type {DaemonDirectory, SessionFiles, StateReader} from '../daemon-context.ts';
import type {EffectHandler} from '../engine/conductor.ts';
import {pauseFor} from '../engine/pacing.ts';
import {getExchange, readMessageWay} from '../launch/exchange.ts';
import {connectToKeeper} from '../sessions/keeper-link.ts';
import {textToType, typeAndConfirm, type TypingContext} from './type-text.ts';

type DeliveryContext = TypingContext & DaemonDirectory;

/** What became of a message. `queued`: nothing of it reached the agent. */
type Fate =
  | {readonly at: 'delivered'; readonly how: MessageDelivery}
  | {readonly at: 'queued' | 'failed'; readonly why: string};

type Letter = {readonly session: SessionId; readonly message: TaskMessage};

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
    const fate = await deliver(context, {session, message}, signal);
    if (fate === undefined) return;
    if (fate.at === 'delivered')
      await report({type: 'message-delivered', task, number, session, how: fate.how});
    else if (fate.at === 'queued')
      await report({type: 'message-queued', task, number, why: fate.why});
    else await report({type: 'message-failed', task, number, why: fate.why});
  };
}

/** Undefined if the effect is no longer wanted. */
async function deliver(
  context: DeliveryContext,
  letter: Letter,
  signal: AbortSignal,
): Promise<Fate | undefined> {
  switch (readMessageWay(context, letter.session)) {
    case 'inbox':
      return deliverToInbox(context, letter, signal);
    case 'typed':
      return typeMessage(context, letter, signal);
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
  {session, message: {number, text}}: Letter,
  signal: AbortSignal,
): Promise<Fate | undefined> {
  // In the session's own directory, which its agent cannot write.
  const startFile = path.join(context.store.directoryOf(session), `message-${number}.begun`);
  if (existsSync(startFile)) return {at: 'failed', why: uncertain};
  const ended: Fate = {at: 'queued', why: `${session} ended first`};
  const link = isRunning(context, session) ? await connectToKeeper(context, session) : undefined;
  if (link === undefined) return signal.aborted ? undefined : ended;
  const over = new AbortController();
  const leave = (): void => {
    over.abort();
    link.close();
  };
  signal.addEventListener('abort', leave);
  const watch = setInterval(() => {
    if (!isRunning(context, session)) leave();
  }, lookMs);
  try {
    const file = writeMessageFile(context, session, number, text);
    const problem = await typeAndConfirm(
      context,
      {
        session,
        startFile,
        readText: (takesPaste) => textToType(text, {file, takesPaste}),
        whileWorking: true,
      },
      link,
      over.signal,
    );
    if (signal.aborted) return undefined;
    if (problem === undefined) return {at: 'delivered', how: 'typed'};
    if (!problem.hasBegun)
      return isRunning(context, session) ? {at: 'queued', why: problem.why} : ended;
    return {at: 'failed', why: problem.why};
  } finally {
    clearInterval(watch);
    signal.removeEventListener('abort', leave);
    leave();
  }
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
