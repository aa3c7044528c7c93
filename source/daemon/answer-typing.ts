import {unreadForCommands} from '../documents/index.ts';
import {sessionOf, unreadTyping, type SessionId} from '../domain/index.ts';
import {readProcesses, type Kernel, type Sample} from '../machine/index.ts';
import type {TypingAnswer} from '../protocol/index.ts';
import {pauseFor} from './pause-for.ts';
import {askWhether} from './watch-sessions.ts';
import type {Workshop} from './workshop.ts';

/** Two looks, so far apart, tell who waits for events from who is at work. A proof needs no second one. */
const betweenLooksMs = 300;

/** Whether what is typed into a session is read. What the daemon knows may be older than the prompt: where it knows of none, the kernel is asked now. */
export async function answerTyping(
  workshop: Workshop,
  id: SessionId,
  kernel: Kernel,
): Promise<TypingAnswer> {
  const session = sessionOf(workshop.state(), id);
  if (session === undefined) throw new Error(`there is no session ${id}`);
  const unread = unreadTyping(workshop.state(), session);
  if (unread === undefined) return {isRead: true};
  if (unread.why !== 'ended' && (await asksNow(workshop, id, kernel))) return {isRead: true};
  return {isRead: false, words: unreadForCommands(workshop.state(), session, unread)};
}

/** What nobody reads would be shown on the screen and lost, or answer what is asked there later. Who has ended, or is not there, is refused by what decides. */
export async function refuseUnread(
  workshop: Workshop,
  id: SessionId,
  kernel: Kernel,
): Promise<void> {
  const session = sessionOf(workshop.state(), id);
  if (session === undefined || unreadTyping(workshop.state(), session)?.why === 'ended') return;
  const answer = await answerTyping(workshop, id, kernel);
  if (!answer.isRead) throw new Error(`nothing was typed. ${answer.words}`);
}

async function asksNow(workshop: Workshop, id: SessionId, kernel: Kernel): Promise<boolean> {
  const first = await sampleOf(kernel);
  if (first !== undefined && (await isBlocked(workshop, id, first, undefined))) return true;
  await pauseFor(betweenLooksMs, new AbortController().signal);
  const second = await sampleOf(kernel);
  return second !== undefined && isBlocked(workshop, id, second, first);
}

async function sampleOf(kernel: Kernel): Promise<Sample | undefined> {
  const all = await readProcesses(kernel);
  return 'value' in all ? {at: all.at, processes: all.value} : undefined;
}

async function isBlocked(
  workshop: Workshop,
  id: SessionId,
  sample: Sample,
  earlier: Sample | undefined,
): Promise<boolean> {
  const session = sessionOf(workshop.state(), id);
  const found =
    session === undefined ? undefined : await askWhether(workshop, session, sample, earlier);
  return found?.verdict === 'blocked';
}
