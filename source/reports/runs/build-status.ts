import {
  isAtPrompt,
  type Run,
  selectAttempt,
  selectChecks,
  selectChoice,
  selectListedServices,
  selectLiveSessions,
  selectNeeds,
  selectOpenRuns,
  selectRuns,
  selectSession,
  selectTokens,
  type Service,
  type Session,
  type State,
  type Task,
  taskIdOfSession,
  usageOfRun,
  type WorkerMode,
} from '../../domain/index.ts';
import {toSafeLine} from '../terminal-text.ts';
import {selectTaskAgent, type TaskAgentStatus} from './task-agent.ts';
import {describeRetry} from '../messages/describe-reason.ts';
import {
  formatModes,
  formatPurpose,
  formatRun,
  formatService,
  formatTask,
  selectRepositoryNotes,
} from '../messages/describe-state.ts';

/**
 * The state of everything as plain data. `stage` is for programs, `words` for people; times are
 * milliseconds.
 */
export type Status = {
  readonly at: number;
  readonly needs: number;
  readonly runs: readonly RunStatus[];
  /** How many runs are over, which are not listed. */
  readonly over: number;
  readonly sessions: readonly SessionStatus[];
  readonly services: readonly ServiceStatus[];
};

export type RunStatus = {
  readonly run: string;
  readonly objective: string;
  readonly stage: string;
  readonly words: string;
  readonly ageMs: number;
  readonly tokens: number;
  /** The models that the request names, if any. */
  readonly models?: string;
  /** Whether workers and the planner run in the agent's own interface. */
  readonly workers: WorkerMode;
  readonly planners: WorkerMode;
  /** The same in words, if one of them does. */
  readonly modes?: string;
  /** Notes about the repository for the person, as it was when the run began. */
  readonly notes?: readonly string[];
  readonly tasks: readonly TaskStatus[];
};

export type TaskStatus = {
  readonly task: string;
  readonly title: string;
  readonly stage: string;
  readonly words: string;
  readonly attempt: number;
  readonly of: number;
  readonly checks: readonly {
    readonly name: string;
    readonly outcome: 'passed' | 'failed' | 'timed-out' | 'broken' | 'ignored' | 'to-come';
  }[];
  readonly session: string | null;
  readonly tokens: number;
} & TaskAgentStatus;

export type SessionStatus = {
  readonly session: string;
  readonly words: string;
  readonly status: string;
  readonly asks: string | null;
  /** The turn of an agent in its own interface; `screen`: only its screen says so. */
  readonly turn?: {readonly at: 'open' | 'ended'; readonly source?: 'agent' | 'screen'};
  /** How the agent's service fails, if it does. */
  readonly retrying?: string;
  /** What the agent has used so far. */
  readonly tokens?: number;
  readonly ageMs: number | null;
  readonly ports: readonly number[];
};

export type ServiceStatus = {
  readonly service: string;
  readonly words: string;
  readonly stage: string;
  readonly port: number | null;
  readonly session: string | null;
};

export type StatusOptions = {
  /** Only this run, even if it is over. */
  readonly run?: string;
  /** Open ports according to the kernel; the journal does not know them. */
  readonly ports?: readonly {readonly session: string; readonly port: number}[];
};

export function buildStatus(
  state: State,
  now: number,
  {run: only, ports = []}: StatusOptions = {},
): Status {
  const shown =
    only === undefined ? selectOpenRuns(state) : selectRuns(state).filter(({id}) => id === only);
  const sessions = selectLiveSessions(state).filter(
    (session) => only === undefined || shown.some((run) => run.sessions.includes(session.id)),
  );
  return {
    at: now,
    needs: selectNeeds(state).length,
    runs: shown.map((run) => toRunStatus(state, run, now)),
    over: only === undefined ? selectRuns(state).length - shown.length : 0,
    sessions: sessions.map((session) => sessionStatus(session, now, ports)),
    services: selectListedServices(state).map((service) => toServiceStatus(service, now)),
  };
}

export function toServiceStatus(service: Service, now: number): ServiceStatus {
  const {spec, stage} = service;
  return {
    service: toSafeLine(spec.name),
    words: toSafeLine(formatService(service, now)),
    stage: stage.at,
    port: spec.port ?? null,
    session: stage.at === 'up' ? stage.session : null,
  };
}

function selectNotes(run: Run): Pick<RunStatus, 'notes'> {
  const notes = selectRepositoryNotes(run);
  return notes.length === 0 ? {} : {notes};
}

export function toRunStatus(state: State, run: Run, now: number): RunStatus {
  const modes = formatModes(run);
  return {
    run: run.id,
    objective: toSafeLine(run.request.objective),
    stage: run.stage.at,
    words: toSafeLine(formatRun(state, run)),
    ageMs: now - run.createdAt,
    tokens: selectTokens(usageOfRun(state, run)),
    ...formatModels(run),
    workers: run.request.workers ?? 'headless',
    planners: run.request.planners ?? 'headless',
    ...(modes === undefined ? {} : {modes: toSafeLine(modes)}),
    ...selectNotes(run),
    tasks: run.tasks.map((task) => buildTaskStatus(state, run, task, now)),
  };
}

function formatModels({
  request: {planner, worker, model, plannerModel},
}: Run): Pick<RunStatus, 'models'> {
  if (model === undefined && plannerModel === undefined) return {};
  const [plans, works] = [plannerModel ?? (planner === worker ? model : undefined), model];
  return {
    models: toSafeLine(
      plans === works
        ? `${works ?? ''} plans and works`
        : [
            ...(plans === undefined ? [] : [`${plans} plans`]),
            ...(works === undefined ? [] : [`${works} works`]),
          ].join(', '),
    ),
  };
}

export function buildTaskStatus(state: State, run: Run, task: Task, now: number): TaskStatus {
  const own = run.sessions
    .flatMap((id) => selectSession(state, id) ?? [])
    .filter((session) => taskIdOfSession(session) === task.id);
  return {
    task: task.id,
    title: toSafeLine(task.planned.title),
    stage: task.stage.at,
    words: toSafeLine(formatTask(state, run, task, now)),
    attempt: task.attempts.length,
    of: task.allowed,
    checks: checksOfTask(run, task),
    session: own.find(({life}) => life.at !== 'exited' && life.at !== 'lost')?.id ?? null,
    tokens: own.reduce((sum, {usage}) => sum + selectTokens(usage), 0),
    ...selectTaskAgent(state, run, task),
  };
}

/** The checks of the latest attempt, or of the current merge. */
function checksOfTask(run: Run, task: Task): TaskStatus['checks'] {
  const step = selectAttempt(task)?.step;
  const merging =
    task.stage.at === 'merging' && task.stage.step.at === 'checking'
      ? task.stage.step.results
      : undefined;
  const results = merging ?? (step !== undefined && 'results' in step ? step.results : []);
  const names = [
    ...new Set([
      ...selectChecks(run).map(({name}) => name),
      ...results.map(({check}) => check.name),
    ]),
  ];
  return names.map((name) => ({
    name: toSafeLine(name),
    outcome:
      results.findLast(({check}) => check.name === name)?.outcome ??
      (selectChecks(run).some(
        (check) => check.name === name && selectChoice(run, check) === 'ignore',
      )
        ? 'ignored'
        : 'to-come'),
  }));
}

function sessionStatus(
  session: Session,
  now: number,
  ports: NonNullable<StatusOptions['ports']>,
): SessionStatus {
  const {id, life, waiting, retrying, turn} = session;
  const tokens = selectTokens(session.usage);
  return {
    session: id,
    words: toSafeLine(formatPurpose(session)),
    status: toStatus(session),
    asks:
      waiting === undefined || isAtPrompt(session)
        ? null
        : toSafeLine(waiting.secret ? `a secret: ${waiting.question}` : waiting.question),
    ...(turn === undefined
      ? {}
      : {turn: {at: turn.at, ...(turn.source === undefined ? {} : {source: turn.source})}}),
    ...(retrying === undefined ? {} : {retrying: toSafeLine(describeRetry(retrying, now))}),
    ...(tokens === 0 ? {} : {tokens}),
    ageMs: life.at === 'running' ? now - life.since : null,
    ports: ports.filter((one) => one.session === id).map(({port}) => port),
  };
}

function toStatus(session: Session): string {
  if (session.stop !== undefined) return 'stopping';
  if (isAtPrompt(session)) return 'idle';
  if (session.waiting !== undefined) return 'asks';
  return session.life.at === 'running' ? 'running' : 'starting';
}
