import type {TimelineEntry} from '../../reports/index.ts';
import {
  isLive,
  isRunId,
  isSessionId,
  runIdIn,
  runIdOfSession,
  selectChecks,
  selectRun,
  selectSession,
  selectTask,
  type Session,
  type SessionId,
  type State,
  type TaskId,
  taskIdOfSession,
} from '../../domain/index.ts';

/**
 * The session whose recording shows a timeline entry: its own, else the one that worked for the
 * task or run at that time.
 */
export function selectRecording(
  state: State,
  {at, type, run, task, session}: TimelineEntry,
): SessionId | undefined {
  if (session !== null) return isSessionId(session) ? session : undefined;
  const of = run !== null && isRunId(run) ? selectRun(state, run) : undefined;
  const sessions = (of?.sessions ?? [])
    .flatMap((id) => selectSession(state, id) ?? [])
    .filter((one) =>
      task === null
        ? one.purpose.for === 'plan' && runIdOfSession(one) === run
        : taskIdOfSession(one) === task,
    );
  const before = sessions.findLast(({life}) => 'when' in life && life.when <= at);
  const then = sessions.find(({life}) => !('when' in life) || life.when >= at);
  // A result is seen in the session that ended just before it, a beginning in the next session.
  return ((outcomeEvents.test(type) ? (before ?? then) : then) ?? sessions.at(-1))?.id;
}

const outcomeEvents =
  /(?:failed|passed|validated|merged|stopped|conflicted|gave-up|received|captured|judged|committed|finished|interrupted|written)$/;

/**
 * All terminals of a task, the oldest first: agents, checks, those of the person. Sessions that
 * have not started are excluded.
 */
export function selectTerminals(state: State, task: TaskId): Session[] {
  const run = selectRun(state, runIdIn(task));
  return (run?.sessions ?? [])
    .flatMap((id) => selectSession(state, id) ?? [])
    .filter((session) => taskIdOfSession(session) === task && hasScreen(session));
}

/**
 * The terminal that a task shows by default: the live one. Without a live one, the agent's, because
 * that is what a person reads when the task waits or is over. Between two checks it stays with the
 * last one.
 */
export function selectTerminal(state: State, task: TaskId): Session | undefined {
  const sessions = selectTerminals(state, task).filter(({purpose}) => purpose.for !== 'shell');
  const live = sessions.findLast(isLive);
  if (live !== undefined) return live;
  const at = selectTask(state, task)?.stage.at;
  const isMoving = at === 'attempting' || at === 'merging';
  return (
    (isMoving
      ? undefined
      : sessions.findLast(
          ({purpose}) => purpose.for === 'attempt' || purpose.for === 'takeover',
        )) ?? sessions.at(-1)
  );
}

export function hasScreen({life}: Session): boolean {
  return life.at !== 'asked';
}

/** What an empty pane says: the command of a check runs, and has printed nothing. */
export function formatSilence(state: State, id: SessionId): string {
  const session = selectSession(state, id);
  if (session === undefined) return '';
  const {purpose} = session;
  const run = purpose.for === 'check' ? selectRun(state, runIdIn(purpose.task)) : undefined;
  const command =
    run === undefined || purpose.for !== 'check'
      ? undefined
      : selectChecks(run).find(({name}) => name === purpose.check)?.command;
  const silence = isLive(session) ? 'no output yet' : 'ended without output';
  return command === undefined ? silence : `${command}: ${silence}`;
}

/** A short label of a terminal for the title of its pane. */
export function formatTerminal({purpose}: Session): string {
  switch (purpose.for) {
    case 'attempt':
      return `attempt ${purpose.attempt}`;
    case 'check':
      return `check ${purpose.check}${purpose.on === 'merge' ? ' after merging' : ''}`;
    case 'setup':
      return purpose.on === 'merge' ? 'set-up after merging' : 'set-up';
    case 'takeover':
      return 'your own';
    case 'shell':
      return `shell ${purpose.name}`;
    default:
      return '';
  }
}
