import type {Run} from '../run.ts';
import {
  addUsage,
  isInteractive,
  isLive,
  noUsage,
  type Purpose,
  type Session,
  type Usage,
} from '../session.ts';
import {selectSessionAgent} from './agents.ts';
import type {State} from '../state.ts';
import type {Task} from '../task.ts';
import type {Failure} from '../verdict.ts';
import {
  runIdOfSession,
  selectAttempt,
  selectRun,
  selectSession,
  selectTask,
  taskIdOfSession,
} from './find.ts';
import {type RunId, runIdIn, type SessionId} from '../ids.ts';

/** Total usage of the run's sessions. */
export function usageOfRun(state: State, run: Run): Usage {
  return usageOfSessions(run.sessions.flatMap((id) => selectSession(state, id) ?? []));
}

export function usageOfAttempt(state: State, task: Task, attempt: number): Usage {
  const run = selectRun(state, runIdIn(task.id));
  return (run?.sessions ?? [])
    .flatMap((id) => selectSession(state, id) ?? [])
    .filter(({purpose}) => purpose.for === 'attempt' && purpose.task === task.id)
    .map((session) => usageForAttempt(session, attempt))
    .reduce(addUsage, noUsage);
}

/** The part of a session's usage that belongs to one attempt. */
function usageForAttempt({purpose, usage, earlier}: Session, attempt: number): Usage {
  const ends = [
    ...(earlier?.usage ?? []),
    ...(purpose.for === 'attempt' ? [{attempt: purpose.attempt, usage}] : []),
  ];
  const index = ends.findIndex((end) => end.attempt === attempt);
  const [before, end] = [ends[index - 1]?.usage ?? noUsage, ends[index]?.usage];
  if (end === undefined) return noUsage;
  return {
    input: end.input - before.input,
    output: end.output - before.output,
    ...(end.cost === undefined ? {} : {cost: end.cost - (before.cost ?? 0)}),
  };
}

/** The session whose output shows the failure of a check or of `setup`: the last one of it. */
export function selectCheckSession(
  state: State,
  task: Task,
  failure: Extract<Failure, {readonly kind: 'check'}>,
): SessionId | undefined {
  return selectRun(state, runIdIn(task.id))?.sessions.findLast((id) => {
    const purpose = selectSession(state, id)?.purpose;
    if (purpose?.for === 'setup')
      return failure.code === 'SETUP_FAILURE' && purpose.task === task.id;
    return (
      purpose?.for === 'check' &&
      purpose.task === task.id &&
      purpose.check === failure.name &&
      purpose.on === failure.on
    );
  });
}

/** Total usage of these sessions; `cost` only where an agent reports it. */
export function usageOfSessions(sessions: readonly Session[]): Usage {
  return sessions.reduce((sum, {usage}) => addUsage(sum, usage), noUsage);
}

export function selectTokens(usage: Usage): number {
  return usage.input + usage.output;
}

/** Usage that has grown is recorded after this time even without any other reason. */
const usageIntervalMs = 15_000;

/**
 * Whether the usage so far is worth a journal entry: it exceeds a limit, it grew by a twentieth of
 * one, or it grew and was not recorded for a while.
 */
export function isUsageWorthRecording(
  state: State,
  session: Session,
  usage: Usage,
  sinceMs: number,
): boolean {
  const growth = selectTokens(usage) - selectTokens(session.usage);
  if (growth <= 0) return false;
  if (sinceMs >= usageIntervalMs) return true;
  return limitsFor(state, session).some(
    ({limit, used}) => growth * 20 >= limit || (used < limit && used + growth >= limit),
  );
}

/** The limits that this session's usage counts towards. */
function limitsFor(
  state: State,
  {purpose}: Session,
): {readonly limit: number; readonly used: number}[] {
  if (purpose.for !== 'attempt' && purpose.for !== 'plan') return [];
  const run = selectRun(state, purpose.for === 'attempt' ? runIdIn(purpose.task) : purpose.run);
  if (run === undefined) return [];
  const {tokens, attemptTokens} = run.budget;
  const task =
    purpose.for === 'attempt' ? run.tasks.find(({id}) => id === purpose.task) : undefined;
  return [
    ...(tokens === undefined ? [] : [{limit: tokens, used: selectTokens(usageOfRun(state, run))}]),
    ...(attemptTokens === undefined || task === undefined || purpose.for !== 'attempt'
      ? []
      : [{limit: attemptTokens, used: selectTokens(usageOfAttempt(state, task, purpose.attempt))}]),
  ];
}

/**
 * Why a session does not read typed input: it has ended, its agent works headless, or it is a
 * command of the project.
 */
export type UnreadTyping =
  | {readonly why: 'ended'}
  | {readonly why: 'headless-agent'; readonly agent: string}
  | {readonly why: 'command'};

/** Sessions with a person, or possibly a person, at the terminal. */
const interactivePurposes: ReadonlySet<Purpose['for']> = new Set<Purpose['for']>([
  'person',
  'takeover',
  'shell',
  'service',
]);

/**
 * Why the session does not read its terminal; undefined if it does. Working agents, checks and the
 * like do not: keys would be echoed and lost, or answer a later question by accident. A session
 * that waits for input reads it.
 */
export function selectUnreadTyping(state: State, session: Session): UnreadTyping | undefined {
  if (!isLive(session)) return {why: 'ended'};
  if (
    session.waiting !== undefined ||
    isInteractive(session) ||
    interactivePurposes.has(session.purpose.for)
  )
    return undefined;
  const agent = selectSessionAgent(state, session)?.agent;
  if (agent === undefined) return {why: 'command'};
  return hasOwnScreen(state, agent) ? undefined : {why: 'headless-agent', agent};
}

/**
 * Built-in agents work headless. A declared agent has a screen if its prompt is typed there, or if
 * patterns for its screen are given.
 */
function hasOwnScreen({project}: State, name: string): boolean {
  const declared = project.agents?.find((agent) => agent.name === name);
  return (
    declared !== undefined &&
    (declared.prompt === 'typed' ||
      declared.patterns?.ready !== undefined ||
      declared.patterns?.question !== undefined)
  );
}

/**
 * The conversation that a session continues: the latest known one of the same task or planner,
 * across crashes, repairs and rejected plans. Undefined after `reset` unless a person takes over,
 * in a round that starts anew, and after the agent reported the conversation as lost.
 */
export function selectConversation(state: State, session: Session): string | undefined {
  const {purpose} = session;
  if (purpose.for === 'plan')
    return findLastConversation(plannersBefore(state, session, purpose.run, purpose.round));
  if (purpose.for !== 'attempt' && purpose.for !== 'takeover') return undefined;
  const task = selectTask(state, purpose.task);
  if (task === undefined) return undefined;
  const attempt = selectAttempt(task);
  if (attempt !== undefined && attempt.context > 1 && purpose.for === 'attempt') return undefined;
  return findLastConversation(
    sessionsBefore(state, session),
    selectRun(state, runIdIn(task.id))?.request.open?.conversation,
  );
}

/** Undefined after a conversation was lost. `first` is one from before the first session. */
export function findLastConversation(
  earlier: readonly Session[],
  first?: string,
): string | undefined {
  const missing = earlier.findLastIndex(({lostConversation}) => lostConversation === true);
  return (
    earlier.slice(missing + 1).findLast(({conversation}) => conversation !== undefined)
      ?.conversation ?? (missing === -1 ? first : undefined)
  );
}

/** Sessions of the run's planner since it last started a new conversation. */
function plannersBefore(state: State, session: Session, run: RunId, round: number): Session[] {
  const first =
    (selectRun(state, run)?.rounds ?? []).findLast(
      ({number, isAnew}) => number <= round && isAnew === true,
    )?.number ?? 1;
  return sessionsBefore(state, session).filter(
    ({purpose}) => purpose.for === 'plan' && purpose.round >= first,
  );
}

/**
 * An earlier session of the same attempt or planning round lost its conversation, so this one has
 * started anew.
 */
export function hasBegunAnew(state: State, session: Session): boolean {
  const {purpose} = session;
  if (purpose.for === 'plan')
    return sessionsBefore(state, session).some(
      ({purpose: other, lostConversation}) =>
        lostConversation === true && other.for === 'plan' && other.round === purpose.round,
    );
  if (purpose.for !== 'attempt') return false;
  return sessionsBefore(state, session).some(
    ({purpose: other, lostConversation}) =>
      lostConversation === true && other.for === 'attempt' && other.attempt === purpose.attempt,
  );
}

/**
 * Earlier sessions of the same task, or of no task, in order. Those of another agent had
 * conversations of their own, which this one cannot continue.
 */
function sessionsBefore(state: State, session: Session): Session[] {
  const run = runIdOfSession(session);
  const ids = (run === undefined ? undefined : selectRun(state, run))?.sessions ?? [];
  return ids
    .slice(0, ids.indexOf(session.id))
    .flatMap((id) => selectSession(state, id) ?? [])
    .filter(
      (other) =>
        taskIdOfSession(other) === taskIdOfSession(session) && other.agent === session.agent,
    );
}

/** It exited by itself, so its status is meaningful. */
export function hasExited(state: State, id: SessionId): boolean {
  const life = selectSession(state, id)?.life;
  return life?.at === 'exited' && life.signal === null;
}

/** It ended because its keeper died or a signal killed it. */
export function isCutShort(state: State, id: SessionId): boolean {
  const life = selectSession(state, id)?.life;
  return life?.at === 'lost' || (life?.at === 'exited' && life.signal !== null);
}
