import {sanitizeText} from '../../base/index.ts';
import {
  attemptOf,
  checksOf,
  choiceOf,
  isAtPrompt,
  listedServices,
  liveSessionsOf,
  needsOf,
  openRunsOf,
  runsOf,
  sessionOf,
  taskIdOfSession,
  tokensOf,
  usageOfRun,
  type Run,
  type Service,
  type Session,
  type State,
  type Task,
} from '../../domain/index.ts';
import {describeRetry} from '../events/describe-reason.ts';
import {repositoryNotesOf} from './repository-notes.ts';
import {purposeInWords, runInWords, serviceInWords, taskInWords} from './stage-in-words.ts';

/** Where everything stands, as plain data. `stage` is for programs, `words` for people; times are milliseconds. */
export type Status = {
  readonly at: number;
  readonly needs: number;
  readonly runs: readonly RunStatus[];
  /** Runs that are over, and not listed. */
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
  /** Which models were named for it, if any. */
  readonly models?: string;
  /** What the person should know of the repository that it stands on, as it was when the run began. */
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
};

export type SessionStatus = {
  readonly session: string;
  readonly words: string;
  readonly status: string;
  readonly asks: string | null;
  /** How its agent's service fails it, if it does. */
  readonly retrying?: string;
  /** What its agent has used so far. */
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
  /** With it, this run alone, also when it is over. */
  readonly run?: string;
  /** What the kernel says about ports; the journal does not know them. */
  readonly ports?: readonly {readonly session: string; readonly port: number}[];
};

export function statusOf(
  state: State,
  now: number,
  {run: only, ports = []}: StatusOptions = {},
): Status {
  const shown =
    only === undefined ? openRunsOf(state) : runsOf(state).filter(({id}) => id === only);
  const sessions = liveSessionsOf(state).filter(
    (session) => only === undefined || shown.some((run) => run.sessions.includes(session.id)),
  );
  return {
    at: now,
    needs: needsOf(state).length,
    runs: shown.map((run) => runStatusOf(state, run, now)),
    over: only === undefined ? runsOf(state).length - shown.length : 0,
    sessions: sessions.map((session) => sessionStatus(session, now, ports)),
    services: listedServices(state).map((service) => serviceStatusOf(service, now)),
  };
}

export function serviceStatusOf(service: Service, now: number): ServiceStatus {
  const {spec, stage} = service;
  return {
    service: safe(spec.name),
    words: safe(serviceInWords(service, now)),
    stage: stage.at,
    port: spec.port ?? null,
    session: stage.at === 'up' ? stage.session : null,
  };
}

/** What others wrote goes out as one line on which nothing acts. */
function safe(text: string): string {
  return sanitizeText(text.replaceAll(/\s+/g, ' ').trim());
}

function notesOf(run: Run): Pick<RunStatus, 'notes'> {
  const notes = repositoryNotesOf(run);
  return notes.length === 0 ? {} : {notes};
}

export function runStatusOf(state: State, run: Run, now: number): RunStatus {
  return {
    run: run.id,
    objective: safe(run.request.objective),
    stage: run.stage.at,
    words: safe(runInWords(state, run)),
    ageMs: now - run.createdAt,
    tokens: tokensOf(usageOfRun(state, run)),
    ...modelsOf(run),
    ...notesOf(run),
    tasks: run.tasks.map((task) => taskStatus(state, run, task, now)),
  };
}

function modelsOf({
  request: {planner, worker, model, plannerModel},
}: Run): Pick<RunStatus, 'models'> {
  if (model === undefined && plannerModel === undefined) return {};
  const [plans, works] = [plannerModel ?? (planner === worker ? model : undefined), model];
  return {
    models: safe(
      plans === works
        ? `${works ?? ''} plans and works`
        : [
            ...(plans === undefined ? [] : [`${plans} plans`]),
            ...(works === undefined ? [] : [`${works} works`]),
          ].join(', '),
    ),
  };
}

function taskStatus(state: State, run: Run, task: Task, now: number): TaskStatus {
  const own = run.sessions
    .flatMap((id) => sessionOf(state, id) ?? [])
    .filter((session) => taskIdOfSession(session) === task.id);
  return {
    task: task.id,
    title: safe(task.planned.title),
    stage: task.stage.at,
    words: safe(taskInWords(state, run, task, now)),
    attempt: task.attempts.length,
    of: task.allowed,
    checks: checksOfTask(run, task),
    session: own.find(({life}) => life.at !== 'exited' && life.at !== 'lost')?.id ?? null,
    tokens: own.reduce((sum, {usage}) => sum + tokensOf(usage), 0),
  };
}

/** The checks of the latest attempt, or of the merge under way. */
function checksOfTask(run: Run, task: Task): TaskStatus['checks'] {
  const step = attemptOf(task)?.step;
  const merging =
    task.stage.at === 'merging' && task.stage.step.at === 'checking'
      ? task.stage.step.results
      : undefined;
  const results = merging ?? (step !== undefined && 'results' in step ? step.results : []);
  const names = [
    ...new Set([...checksOf(run).map(({name}) => name), ...results.map(({check}) => check.name)]),
  ];
  return names.map((name) => ({
    name: safe(name),
    outcome:
      results.findLast(({check}) => check.name === name)?.outcome ??
      (checksOf(run).some((check) => check.name === name && choiceOf(run, check) === 'ignore')
        ? 'ignored'
        : 'to-come'),
  }));
}

function sessionStatus(
  session: Session,
  now: number,
  ports: NonNullable<StatusOptions['ports']>,
): SessionStatus {
  const {id, life, stop, waiting, retrying} = session;
  const tokens = tokensOf(session.usage);
  return {
    session: id,
    words: safe(purposeInWords(session)),
    status:
      stop !== undefined
        ? 'stopping'
        : isAtPrompt(session)
          ? 'idle'
          : waiting !== undefined
            ? 'asks'
            : life.at === 'running'
              ? 'running'
              : 'starting',
    asks:
      waiting === undefined || isAtPrompt(session)
        ? null
        : safe(waiting.secret ? `a secret: ${waiting.question}` : waiting.question),
    ...(retrying === undefined ? {} : {retrying: safe(describeRetry(retrying, now))}),
    ...(tokens === 0 ? {} : {tokens}),
    ageMs: life.at === 'running' ? now - life.since : null,
    ports: ports.filter((one) => one.session === id).map(({port}) => port),
  };
}
