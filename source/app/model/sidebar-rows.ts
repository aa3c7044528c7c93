import {ledgerEntry} from '../../shared/index.ts';
import {
  atPrompt,
  type RunStatus,
  type TaskStatus,
  selectTaskNumber,
  toRunStatus,
  toServiceStatus,
  toTaskTitle,
} from '../../reports/index.ts';
import {
  isAtPrompt,
  isLive,
  isResting,
  isRunActive,
  type Run,
  type RunId,
  selectAttempt,
  selectListedServices,
  selectLiveSessions,
  selectOpenPlanner,
  selectOpenRuns,
  selectRun,
  selectRuns,
  selectSession,
  selectWaitingPlanner,
  type Service,
  type Session,
  type SessionId,
  type State,
  type Task,
  toIdNumber,
} from '../../domain/index.ts';
import {formatCommandTitle} from '../select/command-title.ts';
import type {Tone} from './line.ts';
import {hasScreen, selectTerminal} from './select-terminals.ts';

/** One row of the sidebar. A row with a session can be shown in a pane. */
export type SidebarRow = {
  readonly key: string;
  readonly kind: 'run' | 'task' | 'session' | 'service';
  readonly name: string;
  readonly title: string;
  /** Of a task: its place in the plan. */
  readonly number?: number | undefined;
  readonly mark: string;
  /** One word for the sidebar; `text` has the whole status for the title of the pane. */
  readonly word: string;
  readonly text: string;
  readonly tone: Tone;
  readonly session: SessionId | undefined;
  /** Always shown as a pane. Other rows are shown only when selected. */
  readonly isPane: boolean;
  readonly since: number | undefined;
};

/** How long an ended session of the person stays listed, so that its output can be read. */
const readableMs = 10 * 60_000;

/** Only the latest sessions are searched for ended ones: with thousands, each key would be slow. */
const maxRecentSessions = 100;

/**
 * Open runs with their tasks, then sessions of the person, then services. The order does not depend
 * on status.
 */
export function sidebarRows(state: State, now: number): readonly SidebarRow[] {
  const known = now === state.at ? rowsByState.get(state) : undefined;
  if (known !== undefined) return known;
  const rows = computeRows(state, now);
  if (now === state.at) rowsByState.set(state, rows);
  return rows;
}

/** Many functions ask for the rows of one state while a key is handled. */
const rowsByState = new WeakMap<State, readonly SidebarRow[]>();

function computeRows(state: State, now: number): SidebarRow[] {
  return [
    ...selectOpenRuns(state).flatMap((run) => {
      const own = toRunStatus(state, run, now);
      return [
        rowOfRun(state, run, own),
        ...run.tasks.flatMap((task) => rowOfTask(state, run, task, own)),
      ];
    }),
    ...selectOwnSessions(state, now).map(rowOfSession),
    ...selectListedServices(state).map((service) => rowOfService(service, now)),
  ];
}

function rowOfService(service: Service, now: number): SidebarRow {
  const {name, port} = service.spec;
  const {stage} = service;
  const {words} = toServiceStatus(service, now);
  return {
    key: `service/${name}`,
    kind: 'service',
    name,
    title: port === undefined ? '' : `port ${port}`,
    ...selectServiceMark(service),
    text: words,
    session: stage.at === 'up' ? stage.session : undefined,
    isPane: false,
    since: 'since' in stage ? stage.since : undefined,
  };
}

function selectServiceMark({stage, desire}: Service): Marked {
  if (stage.at === 'up')
    return stage.condition === 'ready'
      ? {mark: '✓', word: stage.condition, tone: 'good'}
      : {mark: '●', word: stage.condition, tone: 'quiet'};
  const word = desire === 'stopped-by-person' ? 'stopped' : stage.at.replaceAll('-', ' ');
  const isBad = stage.at === 'failed' || stage.at === 'foreign-port' || stage.at === 'backing-off';
  return isBad ? {mark: '!', word, tone: 'bad'} : {mark: '○', word, tone: 'quiet'};
}

/**
 * Live sessions of the person and those that ended recently, in the order in which they were
 * started.
 */
function selectOwnSessions(state: State, now: number): Session[] {
  const {size} = state.sessions;
  const latest = Array.from({length: Math.min(size, maxRecentSessions)}, (_, back) =>
    ledgerEntry(state.sessions, size - back),
  ).filter((session) => session !== undefined);
  const ended = latest
    .toReversed()
    .filter(({life}) => 'when' in life && now - life.when < readableMs);
  return [...selectLiveSessions(state), ...ended]
    .filter(({purpose}) => purpose.for === 'person')
    .toSorted((one, other) => toIdNumber(one.id) - toIdNumber(other.id));
}

function rowOfRun(state: State, run: Run, {objective, words}: RunStatus): SidebarRow {
  const planner = run.sessions
    .flatMap((id) => selectSession(state, id) ?? [])
    .findLast((session) => session.purpose.for === 'plan' && hasScreen(session));
  // A planner in its own interface stays open beside its plan.
  const isPlanning = run.stage.at === 'planning' || selectOpenPlanner(state, run) !== undefined;
  return {
    key: run.id,
    kind: 'run',
    name: run.id,
    title: objective,
    ...selectRunMark(state, run),
    text: words,
    // Once there is a plan, its screen shows it, and not the output of the planner.
    session: isPlanning || isWithoutPlan(run) ? planner?.id : undefined,
    isPane: isPlanning && planner !== undefined && isLive(planner),
    since: startedAt(planner) ?? run.createdAt,
  };
}

function isWithoutPlan({stage, tasks}: Run): boolean {
  return tasks.length === 0 && !('proposal' in stage);
}

function selectRunMark(state: State, run: Run): Marked {
  const {stage, hold, tasks} = run;
  if (!isRunActive(run) || stage.at === 'planless')
    return {mark: '!', word: hold === undefined ? 'halted' : 'held', tone: 'bad'};
  const word = hold === undefined ? stage.at : 'held';
  const needsPerson =
    stage.at === 'reviewing' ||
    selectWaitingPlanner(state, run) !== undefined ||
    (stage.at === 'working' &&
      tasks.every((task) => task.stage.at === 'merged' || task.stage.at === 'discarded'));
  if (needsPerson) return {mark: '?', word, tone: 'needs'};
  return {mark: stage.at === 'queued' ? '○' : '●', word, tone: 'title'};
}

function rowOfTask(state: State, run: Run, task: Task, own: RunStatus): SidebarRow[] {
  const status = own.tasks.find((one) => one.task === task.id);
  if (status === undefined) return [];
  const session = selectTerminal(state, task.id);
  const {stage} = task;
  return [
    {
      key: task.id,
      kind: 'task',
      name: task.planned.id,
      title: toTaskTitle(run, task),
      number: selectTaskNumber(run, task.id),
      ...selectTaskMark(state, run, task, status),
      text: status.words,
      session: session?.id,
      isPane: session !== undefined && !['waiting', 'merged', 'discarded'].includes(stage.at),
      since: 'since' in stage ? stage.since : startedAt(session),
    },
  ];
}

function startedAt(session: Session | undefined): number | undefined {
  if (session === undefined) return undefined;
  const {life, waiting} = session;
  if (waiting !== undefined) return waiting.since;
  if (life.at === 'running') return life.since;
  return life.at === 'exited' || life.at === 'lost' ? life.when : undefined;
}

type Marked = Pick<SidebarRow, 'mark' | 'word' | 'tone'>;

function selectTaskMark(state: State, run: Run, task: Task, {words}: TaskStatus): Marked {
  const {stage} = task;
  if (stage.at === 'merged') return {mark: '✓', word: 'merged', tone: 'good'};
  if (stage.at === 'discarded') return {mark: '-', word: 'discarded', tone: 'quiet'};
  if (task.hold !== undefined || run.hold !== undefined)
    return {mark: '=', word: 'held by you', tone: 'needs'};
  if (task.trouble !== undefined) return {mark: '!', word: 'trouble', tone: 'bad'};
  if (isResting(run, task)) return {mark: '=', word: 'rests', tone: 'quiet'};
  switch (stage.at) {
    case 'stopped':
      return {mark: '!', word: 'stopped', tone: 'bad'};
    case 'taken-over':
      return {mark: '●', word: 'yours', tone: 'accent'};
    case 'waiting':
      return {
        mark: '○',
        word: words.replace(/^waits for (?:the service )?/, 'waits ').slice(0, 14),
        tone: 'quiet',
      };
    case 'preparing':
      return {mark: '●', word: 'prepares', tone: 'plain'};
    case 'validated':
      return {mark: '●', word: 'green', tone: 'good'};
    case 'merging':
      return {mark: '●', word: 'merges', tone: 'good'};
    case 'attempting':
      return selectStepMark(state, task);
  }
}

function selectStepMark(state: State, task: Task): Marked {
  const attempt = selectAttempt(task);
  const step = attempt?.step;
  if (step?.at === 'working') {
    const waiting = selectSession(state, step.session)?.waiting;
    if (waiting !== undefined)
      return {mark: '?', word: waiting.secret ? 'asks secret' : 'asks', tone: 'needs'};
    return {mark: '●', word: attempt?.repairs === undefined ? 'works' : 'repairs', tone: 'plain'};
  }

  if (step?.at === 'pausing') return {mark: '○', word: 'pauses', tone: 'quiet'};
  if (step?.at === 'failed' || step?.at === 'gave-up') return {mark: '●', word: 'red', tone: 'bad'};
  if (step?.at === 'capturing' || step?.at === 'judging')
    return {mark: '●', word: 'judged', tone: 'plain'};
  if (step?.at === 'checking') return {mark: '●', word: 'checks', tone: 'plain'};
  const isGreen = step?.at === 'committing' || step?.at === 'passed';
  return {mark: '●', word: isGreen ? 'green' : 'starts', tone: 'plain'};
}

function rowOfSession(session: Session): SidebarRow {
  const {purpose} = session;
  return {
    key: session.id,
    kind: 'session',
    name: session.id,
    title: purpose.for === 'person' ? formatCommandTitle(purpose) : '',
    ...selectSessionMark(session),
    text: formatSessionRow(session),
    session: hasScreen(session) ? session.id : undefined,
    isPane: isLive(session),
    since: startedAt(session),
  };
}

function formatSessionRow(session: Session): string {
  const {life, waiting} = session;
  if (life.at === 'exited' || life.at === 'lost') return formatEnd(life);
  if (isAtPrompt(session)) return atPrompt;
  return waiting === undefined ? 'runs' : `asks: ${waiting.question}`;
}

function formatEnd(life: Extract<Session['life'], {at: 'exited' | 'lost'}>): string {
  if (life.at === 'lost') return 'lost';
  return life.signal === null ? `exit ${life.code ?? 'unknown'}` : `ended by ${life.signal}`;
}

function selectSessionMark(session: Session): Marked {
  const {life} = session;
  if (life.at === 'exited' || life.at === 'lost')
    return life.at === 'exited' && life.code === 0
      ? {mark: '✓', word: 'exit 0', tone: 'quiet'}
      : {mark: '-', word: formatEnd(life), tone: 'bad'};
  if (isAtPrompt(session)) return {mark: '○', word: 'at prompt', tone: 'quiet'};
  return session.waiting === undefined
    ? {mark: '●', word: 'runs', tone: 'plain'}
    : {mark: '?', word: 'asks', tone: 'needs'};
}

/** The run of a row key; else the newest open run; else the newest run. */
export function runInView(state: State, key: string | undefined): RunId | undefined {
  const named = key === undefined ? undefined : (/^r\d+/.exec(key)?.[0] as RunId | undefined);
  if (named !== undefined && selectRun(state, named) !== undefined) return named;
  return (selectOpenRuns(state).at(-1) ?? selectRuns(state).at(-1))?.id;
}
