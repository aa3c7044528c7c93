import {
  selectLiveSessions,
  selectSession,
  selectUnreadTyping,
  type SessionId,
} from '../../domain/index.ts';
import {
  type Blocked,
  inspectSessions,
  type Kernel,
  type ProcessSample,
  type ProcessUsage,
  readProcesses,
  readProcessTree,
  rereadProcesses,
  usageBetween,
} from '../../system/index.ts';
import {readPulse} from '../../keeper/index.ts';
import type {TypingAnswer, UsageReport} from '../../protocol/index.ts';
import {pauseFor} from '../engine/pacing.ts';
import {reportSession, selectRoots, type SessionReport} from '../sessions/session-report.ts';
import type {
  DaemonClock,
  KernelAccess,
  RepositoryAccess,
  SessionFiles,
  StateReader,
} from '../daemon-context.ts';
import {unreadForCommands} from '../../reports/index.ts';
import {checkBlocked, readAsking} from '../monitors/watch-sessions.ts';
import {type Asking, readScreen} from '../sessions/session-screen.ts';
import type {BlockedRequest} from '../../network/index.ts';
import {readRefusals} from '../launch/network-launch.ts';

type SessionRequestContext = StateReader &
  SessionFiles &
  DaemonClock &
  Pick<KernelAccess, 'kernel'>;

/** The kernel counts processor time in ticks of 10 ms; over this time a tick is 2 %. */
const usageSampleMs = 500;

/**
 * Processor and memory use and the pulse of sessions. Reads the process table once for all of them, and a moment
 * later only their own processes. Sessions that have ended or do not exist are left out.
 */
export async function reportUsage(
  context: StateReader & SessionFiles & DaemonClock,
  sessions: unknown,
  kernel: Kernel,
): Promise<UsageReport> {
  if (!Array.isArray(sessions))
    throw new Error(`expected a list of sessions such as ["s7"], got ${JSON.stringify(sessions)}`);
  const wanted = new Set<unknown>(sessions);
  const roots = selectRoots(
    context,
    selectLiveSessions(context.state()).filter(({id}) => wanted.has(id)),
  );
  if (roots.length === 0) return {at: context.now(), usage: {}};
  const inspect = await inspectSessions(roots, kernel);
  if ('unknown' in inspect) return {at: context.now(), usage: {}, unknown: inspect.unknown};
  const {processes, owners} = inspect.value;
  const earlier = {
    at: inspect.at,
    processes: processes.filter(({identity}) => owners.has(identity.pid)),
  };
  await pauseFor(usageSampleMs, new AbortController().signal);
  const later = await rereadProcesses(earlier.processes, kernel);
  const usage = roots.map(({id}) => {
    const own = later.processes.filter(({identity}) => owners.get(identity.pid)?.session === id);
    return [
      id,
      {
        ...usageBetween(earlier, {at: later.at, processes: own}),
        processes: own.length,
        pulse: readPulse(context.store.directoryOf(id), context.now()),
      },
    ] as const;
  });
  return {
    at: context.now(),
    usage: Object.fromEntries(usage.filter(([, {processes: count}]) => count > 0)),
  };
}

/**
 * The time between two samples, which tell a program that waits for events from one that works. A
 * proof needs no second sample.
 */
const typingSampleMs = 300;

/**
 * Whether the program of a session reads input. The state may be older than a prompt, so without a
 * known one the kernel is asked now.
 */
export async function answerTyping(
  context: SessionRequestContext,
  id: SessionId,
  kernel: Kernel,
): Promise<TypingAnswer> {
  const session = selectSession(context.state(), id);
  if (session === undefined) throw new Error(`there is no session ${id}`);
  const unread = selectUnreadTyping(context.state(), session);
  if (unread === undefined) return {isRead: true};
  if (unread.why !== 'ended' && (await asksNow(context, id, kernel))) return {isRead: true};
  return {isRead: false, words: unreadForCommands(context.state(), session, unread)};
}

/**
 * Rejects input that no program reads: it would be lost, or answer a later question. `decide`
 * rejects input to ended or unknown sessions.
 */
export async function refuseUnread(
  context: SessionRequestContext,
  id: SessionId,
  kernel: Kernel,
): Promise<void> {
  const session = selectSession(context.state(), id);
  if (session === undefined || selectUnreadTyping(context.state(), session)?.why === 'ended')
    return;
  const answer = await answerTyping(context, id, kernel);
  if (!answer.isRead) throw new Error(`nothing was typed. ${answer.words}`);
}

async function asksNow(
  context: SessionRequestContext,
  id: SessionId,
  kernel: Kernel,
): Promise<boolean> {
  const first = await trySample(kernel);
  if (first !== undefined && (await isBlocked(context, id, first, undefined))) return true;
  await pauseFor(typingSampleMs, new AbortController().signal);
  const second = await trySample(kernel);
  return second !== undefined && isBlocked(context, id, second, first);
}

async function trySample(kernel: Kernel): Promise<ProcessSample | undefined> {
  const all = await readProcesses(kernel);
  return 'value' in all ? {at: all.at, processes: all.value} : undefined;
}

async function isBlocked(
  context: SessionRequestContext,
  id: SessionId,
  sample: ProcessSample,
  earlier: ProcessSample | undefined,
): Promise<boolean> {
  const session = selectSession(context.state(), id);
  const found =
    session === undefined ? undefined : await checkBlocked(context, session, sample, earlier);
  return found?.verdict === 'blocked';
}

/** The evidence for the status of a session. */
export type SessionExplanation = SessionReport & {
  /**
   * What the agent reports, or a dialog on its screen; takes precedence over the kernel's answer.
   */
  readonly asks?: Asking;
  /** What the kernel knows about waiting, with proof; absent for an ended session. */
  readonly input?: Blocked;
  readonly usage?: ProcessUsage;
  /**
   * Which part of the network it may reach and which hosts were blocked; absent if the network is
   * open.
   */
  readonly network?: {readonly words: string; readonly refused: readonly BlockedRequest[]};
  readonly processes: readonly {
    readonly pid: number;
    readonly parent: number;
    readonly command: string;
    readonly found: string;
    readonly state: string;
  }[];
  readonly screen: readonly string[];
  readonly silentMs: number;
  readonly at: number;
};

/** The time between two samples of processor use. */
const explainSampleMs = 300;

function readNetwork(context: SessionFiles, id: SessionId): Pick<SessionExplanation, 'network'> {
  const {words} = (context.store.noteOf(id, 'network') ?? {}) as {readonly words?: unknown};
  return typeof words === 'string' ? {network: {words, refused: readRefusals(context, id)}} : {};
}

export async function explainSession(
  context: StateReader & SessionFiles & RepositoryAccess & DaemonClock & KernelAccess,
  id: SessionId,
  kernel: Kernel,
): Promise<SessionExplanation> {
  const session = selectSession(context.state(), id);
  const report = await reportSession(context, id, kernel);
  if (session === undefined || report === undefined) throw new Error(`there is no session ${id}`);
  const {text, silentMs} = readScreen(context, id);
  const rest = {...readNetwork(context, id), screen: text, silentMs, at: context.now()};
  const [root] = selectLiveSessions(context.state()).some((live) => live.id === id)
    ? selectRoots(context, [session])
    : [];
  if (root === undefined) return {...report, processes: [], ...rest};
  const first = await readProcesses(kernel);
  await pauseFor(explainSampleMs, new AbortController().signal);
  const [tree, second] = await Promise.all([readProcessTree(root, kernel), readProcesses(kernel)]);
  const members = 'value' in tree ? tree.value.members : [];
  const samples =
    'value' in first && 'value' in second
      ? ([first, second].map(({at, value}): ProcessSample => ({at, processes: value})) as [
          ProcessSample,
          ProcessSample,
        ])
      : undefined;
  const asks = readAsking(context, session, true);
  const input =
    samples === undefined
      ? undefined
      : await checkBlocked(context, session, samples[1], samples[0]);
  return {
    ...report,
    ...(asks === undefined || asks === 'works' ? {} : {asks}),
    ...(input === undefined ? {} : {input}),
    ...(samples === undefined
      ? {}
      : {usage: usageBetween(samples[0], {at: samples[1].at, processes: members})}),
    processes: members.map(({identity, parent, command, found, state}) => ({
      pid: identity.pid,
      parent,
      command,
      found,
      state,
    })),
    ...rest,
  };
}
