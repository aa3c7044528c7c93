import {entryOf} from '../../base/index.ts';
import {
  atPrompt,
  runStatusOf,
  serviceStatusOf,
  type RunStatus,
  type TaskStatus,
} from '../../documents/index.ts';
import {
  listedServices,
  attemptOf,
  countOf,
  isAtPrompt,
  isLive,
  isResting,
  isRunActive,
  liveSessionsOf,
  openRunsOf,
  runOf,
  runsOf,
  sessionOf,
  type Run,
  type RunId,
  type Session,
  type SessionId,
  type State,
  type Task,
} from '../../domain/index.ts';
import type {Tone} from './line.ts';
import {hasScreen, terminalOf} from './terminals-of.ts';

/** One row of the task list. Whatever has a session can be shown in a pane. */
export type HouseRow = {
  readonly key: string;
  readonly kind: 'run' | 'task' | 'session' | 'service';
  readonly name: string;
  readonly title: string;
  readonly mark: string;
  /** One word for the list, and the whole reason for the pane's title. */
  readonly word: string;
  readonly words: string;
  readonly tone: Tone;
  readonly session: SessionId | undefined;
  /** Has its place among the panes; the rest is shown when it is chosen. */
  readonly isPane: boolean;
  readonly since: number | undefined;
};

/** What a command of the person's own said last can be read for so long after it ended. */
const readableMs = 10 * 60_000;

/** So many sessions are looked through for it: where there were thousands, each key would else be felt. */
const mostLatest = 100;

/** Every open run with its tasks, then sessions that people started, then services. The order never depends on what happens. */
export function houseRows(state: State, now: number): HouseRow[] {
  return [
    ...openRunsOf(state).flatMap((run) => {
      const own = runStatusOf(state, run, now);
      return [
        rowOfRun(state, run, own),
        ...run.tasks.flatMap((task) => rowOfTask(state, run, task, own)),
      ];
    }),
    ...ownSessionsOf(state, now).map(rowOfSession),
    ...listedServices(state).map((service): HouseRow => {
      const {name, port} = service.spec;
      const {stage} = service;
      const {words} = serviceStatusOf(service, now);
      const isBad =
        stage.at === 'failed' || stage.at === 'foreign-port' || stage.at === 'backing-off';
      const isReady = stage.at === 'up' && stage.condition === 'ready';
      return {
        key: `service/${name}`,
        kind: 'service',
        name,
        title: port === undefined ? '' : `port ${port}`,
        mark: isBad ? '!' : isReady ? '✓' : stage.at === 'up' ? '●' : '○',
        word:
          stage.at === 'up'
            ? stage.condition
            : service.desire === 'stopped-by-person'
              ? 'stopped'
              : stage.at.replaceAll('-', ' '),
        words,
        tone: isBad ? 'bad' : isReady ? 'good' : 'quiet',
        session: stage.at === 'up' ? stage.session : undefined,
        isPane: false,
        since: 'since' in stage ? stage.since : undefined,
      };
    }),
  ];
}

/** Those that live, and of the latest those that ended a moment ago, in the order in which they were started. */
function ownSessionsOf(state: State, now: number): Session[] {
  const {size} = state.sessions;
  const latest = Array.from({length: Math.min(size, mostLatest)}, (_, back) =>
    entryOf(state.sessions, size - back),
  ).filter((session) => session !== undefined);
  const ended = latest
    .toReversed()
    .filter(({life}) => 'when' in life && now - life.when < readableMs);
  return [...liveSessionsOf(state), ...ended]
    .filter(({purpose}) => purpose.for === 'person')
    .toSorted((one, other) => countOf(one.id) - countOf(other.id));
}

function rowOfRun(state: State, run: Run, {objective, words}: RunStatus): HouseRow {
  const planner = run.sessions
    .flatMap((id) => sessionOf(state, id) ?? [])
    .findLast((session) => session.purpose.for === 'plan' && hasScreen(session));
  const isPlanning = run.stage.at === 'planning';
  const isHalted = !isRunActive(run) || run.stage.at === 'planless';
  const waits =
    run.stage.at === 'reviewing' ||
    (run.stage.at === 'working' &&
      run.tasks.every(({stage}) => stage.at === 'merged' || stage.at === 'discarded'));
  return {
    key: run.id,
    kind: 'run',
    name: run.id,
    title: objective,
    mark: isHalted ? '!' : waits ? '?' : run.stage.at === 'queued' ? '○' : '●',
    word: run.hold !== undefined ? 'held' : isHalted ? 'halted' : run.stage.at,
    words,
    tone: isHalted ? 'bad' : waits ? 'needs' : 'title',
    session: isPlanning || run.tasks.length === 0 ? planner?.id : undefined,
    isPane: isPlanning && planner !== undefined && isLive(planner),
    since: startOf(planner) ?? run.createdAt,
  };
}

function rowOfTask(state: State, run: Run, task: Task, own: RunStatus): HouseRow[] {
  const status = own.tasks.find((one) => one.task === task.id);
  if (status === undefined) return [];
  const session = terminalOf(state, task.id);
  const {stage} = task;
  return [
    {
      key: task.id,
      kind: 'task',
      name: task.planned.id,
      title: status.title,
      ...markOf(state, run, task, status),
      words: status.words,
      session: session?.id,
      isPane: session !== undefined && !['waiting', 'merged', 'discarded'].includes(stage.at),
      since: 'since' in stage ? stage.since : startOf(session),
    },
  ];
}

function startOf(session: Session | undefined): number | undefined {
  if (session === undefined) return undefined;
  const {life, waiting} = session;
  if (waiting !== undefined) return waiting.since;
  return life.at === 'running'
    ? life.since
    : life.at === 'exited' || life.at === 'lost'
      ? life.when
      : undefined;
}

type Marked = Pick<HouseRow, 'mark' | 'word' | 'tone'>;

function markOf(state: State, run: Run, task: Task, {words}: TaskStatus): Marked {
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
      return stepOf(state, task);
  }
}

function stepOf(state: State, task: Task): Marked {
  const attempt = attemptOf(task);
  const step = attempt?.step;
  if (step?.at === 'working') {
    const waiting = sessionOf(state, step.session)?.waiting;
    if (waiting !== undefined)
      return {mark: '?', word: waiting.secret ? 'asks secret' : 'asks', tone: 'needs'};
    return {mark: '●', word: attempt?.repairs === undefined ? 'works' : 'repairs', tone: 'plain'};
  }

  if (step?.at === 'pausing') return {mark: '○', word: 'pauses', tone: 'quiet'};
  if (step?.at === 'failed' || step?.at === 'gave-up') return {mark: '●', word: 'red', tone: 'bad'};
  if (step?.at === 'capturing' || step?.at === 'judging')
    return {mark: '●', word: 'judged', tone: 'plain'};
  return {
    mark: '●',
    word:
      step?.at === 'checking'
        ? 'checks'
        : step?.at === 'committing' || step?.at === 'passed'
          ? 'green'
          : 'starts',
    tone: 'plain',
  };
}

function rowOfSession(session: Session): HouseRow {
  const {purpose} = session;
  return {
    key: session.id,
    kind: 'session',
    name: session.id,
    title: purpose.for === 'person' ? titleOf(purpose) : '',
    ...markOfSession(session),
    words: wordsOfSession(session),
    session: hasScreen(session) ? session.id : undefined,
    isPane: isLive(session),
    since: startOf(session),
  };
}

function wordsOfSession(session: Session): string {
  const {life, waiting} = session;
  if (life.at === 'exited' || life.at === 'lost') return endOf(life);
  return isAtPrompt(session)
    ? atPrompt
    : waiting === undefined
      ? 'runs'
      : `asks: ${waiting.question}`;
}

function endOf(life: Extract<Session['life'], {at: 'exited' | 'lost'}>): string {
  return life.at === 'lost'
    ? 'lost'
    : life.signal === null
      ? `exit ${life.code ?? 'unknown'}`
      : `ended by ${life.signal}`;
}

/** A name that only repeats the program is not said twice; of what a shell is given, only that. */
function titleOf({
  name,
  command,
}: {
  readonly name: string;
  readonly command: readonly string[];
}): string {
  const [, option, script, ...more] = command;
  if (option === '-c' && script !== undefined && more.length === 0)
    return script.startsWith(name) ? script : `${name} ${script}`;
  const words = command.join(' ');
  return name === command[0]?.split('/').at(-1) ? words : `${name} ${words}`;
}

function markOfSession(session: Session): Marked {
  const {life} = session;
  if (life.at === 'exited' || life.at === 'lost')
    return life.at === 'exited' && life.code === 0
      ? {mark: '✓', word: 'exit 0', tone: 'quiet'}
      : {mark: '-', word: endOf(life), tone: 'bad'};
  if (isAtPrompt(session)) return {mark: '○', word: 'at prompt', tone: 'quiet'};
  return session.waiting === undefined
    ? {mark: '●', word: 'runs', tone: 'plain'}
    : {mark: '?', word: 'asks', tone: 'needs'};
}

/** The run that a row, a need or the last choice is about; else the newest open one; else the newest. */
export function runInView(state: State, key: string | undefined): RunId | undefined {
  const named = key === undefined ? undefined : (/^r\d+/.exec(key)?.[0] as RunId | undefined);
  if (named !== undefined && runOf(state, named) !== undefined) return named;
  return (openRunsOf(state).at(-1) ?? runsOf(state).at(-1))?.id;
}
