import {
  isLive,
  type Run,
  selectTaskSessions,
  selectTokens,
  type Session,
  type SessionId,
  type State,
  type Task,
  type TaskId,
  usageOfSessions,
} from '../../domain/index.ts';
import {
  selectTaskAgent,
  selectTrack,
  type TaskTrack,
  toSafeLine,
  toTaskTitle,
} from '../../reports/index.ts';
import {selectTaskLabel, type TaskLabel, type TaskSign} from './task-label.ts';

/** One task of the list and its pane. */
export type TaskRow = {
  /** The place in the plan. It does not change while others are merged; the pane has the same. */
  readonly number: number;
  readonly id: TaskId;
  readonly title: string;
  readonly sign: TaskSign;
  readonly track: TaskTrack;
  /** At most 11 cells, for the list. */
  readonly words: string;
  /** The same with more detail, for the title of the pane. */
  readonly text: string;
  readonly tries: {readonly used: number; readonly max: number};
  /** Its agent and model, where they are not the run's. */
  readonly agent: string | undefined;
  readonly tokens: number;
  /** Undefined where no agent reports it. */
  readonly cost: number | undefined;
  /** From the start of its first session to its end, or to now. Undefined before the start. */
  readonly elapsedMs: number | undefined;
  /** The terminal that the pane shows by itself. */
  readonly session: SessionId | undefined;
  /** All its terminals, oldest first. */
  readonly sessions: readonly TaskTerminal[];
};

export type TaskTerminal = {
  readonly session: SessionId;
  readonly kind: 'agent' | 'check' | 'setup' | 'yours' | 'shell';
  /** `try 1`, `test`, `test after merge`, `setup`, `yours`, the name of the shell. */
  readonly name: string;
  readonly isLive: boolean;
};

/** The tasks of a run, in the order of the plan. */
export function selectTaskRows(state: State, run: Run, now: number): readonly TaskRow[] {
  const known = rowsByRun.get(run);
  if (known?.state === state && known.now === now) return known.rows;
  const rows = computeRows(state, run, now);
  rowsByRun.set(run, {state, now, rows});
  return rows;
}

/** The list and each of the panes ask for the rows of one run while a key is handled. */
const rowsByRun = new WeakMap<
  Run,
  {readonly state: State; readonly now: number; readonly rows: readonly TaskRow[]}
>();

function computeRows(state: State, run: Run, now: number): readonly TaskRow[] {
  return run.tasks.map((task, index) => {
    const own = selectTaskSessions(state, task.id);
    const label: TaskLabel = selectTaskLabel(state, run, task, now);
    const usage = usageOfSessions(own);
    const shown = own.filter(({life}) => life.at !== 'asked');
    return {
      number: index + 1,
      id: task.id,
      title: toTaskTitle(run, task),
      ...label,
      track: selectTrack(state, task),
      tries: {used: task.attempts.length, max: Math.max(task.allowed, task.attempts.length)},
      agent: selectTaskAgent(state, run, task).by,
      tokens: selectTokens(usage),
      cost: usage.cost,
      elapsedMs: measureElapsed(task, own, now),
      session: selectShownSession(task, shown)?.id,
      sessions: shown.map(toTerminal),
    };
  });
}

function measureElapsed(task: Task, own: readonly Session[], now: number): number | undefined {
  const starts = own.flatMap(({life}) => ('since' in life ? [life.since] : []));
  if (starts.length === 0) return undefined;
  const end = 'since' in task.stage ? task.stage.since : now;
  return Math.max(0, end - Math.min(...starts));
}

/**
 * The live terminal. Without one, the agent's, because that is what a person reads when the task
 * waits or is over. Between two checks it stays with the last one.
 */
function selectShownSession(task: Task, shown: readonly Session[]): Session | undefined {
  const own = shown.filter(({purpose}) => purpose.for !== 'shell');
  const live = own.findLast(isLive);
  if (live !== undefined) return live;
  const isMoving = task.stage.at === 'attempting' || task.stage.at === 'merging';
  const agent = own.findLast(
    ({purpose}) => purpose.for === 'attempt' || purpose.for === 'takeover',
  );
  return (isMoving ? undefined : agent) ?? own.at(-1);
}

function toTerminal(session: Session): TaskTerminal {
  return {session: session.id, ...describeTerminal(session), isLive: isLive(session)};
}

function describeTerminal({purpose}: Session): Pick<TaskTerminal, 'kind' | 'name'> {
  switch (purpose.for) {
    case 'attempt':
      return {kind: 'agent', name: `try ${purpose.attempt}`};
    case 'check':
      return {
        kind: 'check',
        name: `${toSafeLine(purpose.check)}${purpose.on === 'merge' ? ' after merge' : ''}`,
      };
    case 'takeover':
      return {kind: 'yours', name: 'yours'};
    case 'shell':
      return {kind: 'shell', name: toSafeLine(purpose.name)};
    default:
      return {kind: 'setup', name: 'setup'};
  }
}
