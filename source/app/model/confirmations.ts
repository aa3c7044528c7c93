import {
  environmentLines,
  type EnvironmentReport,
  formatAgent,
  selectTaskNumber,
} from '../../reports/index.ts';
import {
  type AcceptWay,
  isRunId,
  isTaskId,
  type Run,
  type RunId,
  runIdIn,
  selectPlannedWorker,
  selectRun,
  selectTask,
  selectVariants,
  type SessionId,
  type State,
  type Task,
  type TaskId,
  selectCountedTasks,
} from '../../domain/index.ts';
import type {Confirmation, ConfirmedAction, Model} from './model.ts';
import {noChange, type Result, withCommands, withEffects, withNotice} from './action.ts';
import {goBack} from './open-screen.ts';

type ActionOf<Name extends ConfirmedAction['action']> = Extract<
  ConfirmedAction,
  {readonly action: Name}
>;

/** Asks before something is discarded: what is kept, what is lost, and what follows. */
export function confirmDiscard(state: State, what: RunId | TaskId): Confirmation {
  const run = selectRun(state, runIdIn(what));
  return {
    question: `Discard ${nameSubject(state, what)}?`,
    title: titleOf(state, what),
    tone: 'bad',
    verb: 'discard it',
    keep: 'keep it',
    facts: isTaskId(what) ? discardTaskFacts(run, what) : discardRunFacts(run),
    yes: {action: 'discard', what},
  };
}

function discardTaskFacts(run: Run | undefined, what: TaskId): Confirmation['facts'] {
  const later = run === undefined ? [] : findDependents(run, what);
  return [
    {label: 'kept', text: 'its change, in refs/orchestra/backup/…'},
    {label: 'lost', text: 'nothing of yours; its worktree goes'},
    {
      label: 'then',
      text:
        later.length === 0
          ? 'no task waits for it; the run goes on'
          : `discarded with it, because they build on it: ${later.join(', ')}`,
    },
  ];
}

function discardRunFacts(run: Run | undefined): Confirmation['facts'] {
  const merged = run?.tasks.filter(({stage}) => stage.at === 'merged').length ?? 0;
  return [
    {label: 'kept', text: 'every change, in refs/orchestra/backup/…'},
    ...(merged === 0
      ? []
      : [
          {
            label: '',
            text:
              `${merged} merged ${merged === 1 ? 'task stays' : 'tasks stay'} in the run's ` +
              'own branch, and not in yours',
          },
        ]),
    {label: 'lost', text: 'nothing of yours; its worktrees go'},
    {label: 'then', text: 'its agents stop; your branch stays as it is'},
  ];
}

/** The numbers of the tasks that build on a task, directly or not. */
function findDependents({id: run, tasks}: Run, what: TaskId): number[] {
  const own = what.slice(run.length + 1);
  const found = new Set([own]);
  for (const {planned} of tasks)
    if (planned.after.some((one) => found.has(one))) found.add(planned.id);
  return tasks.flatMap(({planned}, index) =>
    planned.id !== own && found.has(planned.id) ? [index + 1] : [],
  );
}

export function confirmStop(
  state: State,
  what: RunId | TaskId | SessionId,
  resumeKey: string,
): Confirmation {
  return {
    question: `Stop ${nameSubject(state, what)}?`,
    title: titleOf(state, what),
    tone: 'bad',
    verb: 'stop it',
    keep: 'let it run',
    facts: [
      {label: 'kept', text: 'everything that was done'},
      {label: 'then', text: `it stays stopped until you resume it (${resumeKey})`},
    ],
    yes: {action: 'stop', what},
  };
}

export function confirmReset(state: State, task: TaskId): Confirmation {
  return {
    question: `Restart the agent of ${nameSubject(state, task)}?`,
    title: titleOf(state, task),
    tone: 'warn',
    verb: 'restart it',
    keep: 'let it work',
    facts: [
      {label: 'kept', text: 'its worktree, and this try: none is used up'},
      {label: 'lost', text: 'what the agent has in its context'},
      {label: 'then', text: 'a new agent starts in the same worktree'},
    ],
    yes: {action: 'reset', task},
  };
}

export function confirmAccept(run: Run, yes: ActionOf<'accept'>): Confirmation {
  const branch = yes.into ?? branchOf(run) ?? 'your checkout';
  return {
    question: `Accept into ${branch}?`,
    title: run.request.objective,
    tone: 'good',
    verb: 'accept it',
    keep: 'not yet',
    facts: [
      {
        label: 'what',
        text: `${formatMerged(run)} tasks, merged and checked, at ${yes.commit.slice(0, 10)}`,
      },
      {label: 'how', text: `${yes.way}: ${wayLabels[yes.way]}; not signed`},
      {
        label: 'kept',
        text: 'your uncommitted changes; where they are in the way, nothing is done',
      },
    ],
    yes,
  };
}

const wayLabels: Readonly<Record<AcceptWay, string>> = {
  merge: 'its commits as they are, with a merge where your branch has moved',
  squash: 'one commit for the whole run',
  'squash-tasks': 'one commit for each task, with a merge where your branch has moved',
  rebase: 'one commit for each task, in a line on top of your branch',
};

/** Asks before one variant is merged: what it is, and what becomes of the others. */
export function confirmPick(run: Run, task: Task, commit: string): Confirmation {
  const number = selectTaskNumber(run, task.id);
  const others = selectVariants(run, task).filter(
    ({id, stage}) => id !== task.id && stage.at !== 'discarded',
  );
  const numbers = others.flatMap(({id}) => selectTaskNumber(run, id) ?? []);
  const rest =
    numbers.length === 1 ? `task ${numbers.join('')} is` : `tasks ${numbers.join(', ')} are`;
  return {
    question: `Pick task ${number ?? task.id}?`,
    title: task.planned.title,
    tone: 'good',
    verb: 'pick it',
    keep: 'not yet',
    facts: [
      {
        label: 'what',
        text: `the work of ${formatAgent(selectPlannedWorker(run, task.planned))}, checked, at ${commit.slice(0, 10)}`,
      },
      {label: 'then', text: `it is merged into the run's branch; ${rest} discarded`},
      {label: 'kept', text: 'the others in refs/orchestra/backup/…, and your branch as it is'},
    ],
    yes: {action: 'pick', task: task.id, commit},
  };
}

export function confirmPropose(run: Run): Confirmation {
  return {
    question: 'Open a pull request?',
    title: run.request.objective,
    tone: 'accent',
    verb: 'open it',
    keep: 'not yet',
    facts: [
      {label: 'what', text: `the run's branch, with ${formatMerged(run)} tasks`},
      {
        label: 'then',
        text: `it is pushed to origin; gh opens a pull request into ${branchOf(run) ?? 'your checkout'}`,
      },
      {label: 'kept', text: 'your own branch, as it is'},
    ],
    yes: {action: 'propose', run: run.id},
  };
}

export function confirmPrepare(name: string, what: 'no-git' | 'no-commits'): Confirmation {
  return {
    question:
      what === 'no-git' ? `Make ${name} a git repository?` : `Make the first commit of ${name}?`,
    title: '',
    tone: 'accent',
    verb: what === 'no-git' ? 'make it one' : 'make it',
    keep: 'leave it',
    facts: [
      {
        label: 'then',
        text: 'everything in it goes into one commit, except what a .gitignore names',
      },
      {label: 'kept', text: 'your files, as they are'},
    ],
    yes: {action: 'prepare', what},
  };
}

/**
 * Shows the environment of a run and asks whether to replace it by that of the app. Ignored while
 * the person writes or another question is open.
 */
export function confirmEnvironment(model: Model, value: unknown, now: number): Model {
  const report = value as Partial<EnvironmentReport> | null;
  const isBusy =
    model.field !== undefined || model.confirmation !== undefined || model.mode !== 'command';
  if (
    isBusy ||
    typeof report?.run !== 'string' ||
    !isRunId(report.run) ||
    !Array.isArray(report.path) ||
    !Array.isArray(report.names) ||
    !Array.isArray(report.missing)
  )
    return model;
  const lines = environmentLines(report as EnvironmentReport, now).filter(
    (line) => !line.includes('orchestra env refresh'),
  );
  return {
    ...model,
    confirmation: {
      question: 'Give this run the environment of your shell?',
      title: 'The shell that you started this app from',
      tone: 'accent',
      verb: 'give it',
      keep: 'leave it',
      facts: [
        ...lines.map((text, index) => ({label: index === 0 ? 'now' : '', text})),
        {label: 'then', text: 'sessions that begin from now on get it; what runs keeps its own'},
      ],
      yes: {action: 'refresh-environment', run: report.run},
    },
  };
}

/** `6 of 6` */
function formatMerged(run: Run): string {
  const tasks = selectCountedTasks(run);
  return `${tasks.filter(({stage}) => stage.at === 'merged').length} of ${tasks.length}`;
}

function branchOf({stage}: Run): string | null {
  return 'ground' in stage ? stage.ground.branch : null;
}

function nameSubject(state: State, what: RunId | TaskId | SessionId): string {
  if (isRunId(what)) return 'this run';
  if (!isTaskId(what)) return `session ${what}`;
  const run = selectRun(state, runIdIn(what));
  const number = run === undefined ? undefined : selectTaskNumber(run, what);
  return number === undefined ? what : `task ${number}`;
}

function titleOf(state: State, what: RunId | TaskId | SessionId): string {
  if (isRunId(what)) return selectRun(state, what)?.request.objective ?? '';
  return isTaskId(what) ? (selectTask(state, what)?.planned.title ?? '') : '';
}

/** The person said yes: the confirmed action becomes a command or an effect. */
export function confirm(model: Model, state: State, now: number): Result {
  const {confirmation} = model;
  if (confirmation === undefined) return noChange(model);
  const closed: Model = {...model, confirmation: undefined};
  const {yes} = confirmation;
  if (yes.action === 'prepare')
    return withEffects(closed, {type: 'prepare-repository', what: yes.what});
  if (yes.action === 'write-rules')
    return withEffects(closed, {type: 'write-rules', text: yes.text});
  if (yes.action === 'propose')
    return withEffects(withNotice(closed, `The branch of ${yes.run} is pushed …`, now), {
      type: 'propose',
      run: yes.run,
    });
  if (yes.action === 'refresh-environment')
    return withCommands(closed, {type: 'refresh-environment', run: yes.run});
  if (yes.action === 'pick') {
    const {model: back, effects} = leaveVariants(closed, state);
    return {
      model: back,
      commands: [{type: 'pick-variant', task: yes.task, commit: yes.commit}],
      effects,
    };
  }

  if (yes.action === 'reset') return withCommands(closed, {type: 'reset-task', task: yes.task});
  if (yes.action === 'accept')
    return withCommands(closed, {
      type: 'accept-run',
      run: yes.run,
      commit: yes.commit,
      way: yes.way,
      ...(yes.into === undefined ? {} : {into: yes.into}),
    });
  return withCommands(
    closed,
    yes.action === 'discard' ? {type: 'discard', what: yes.what} : {type: 'stop', what: yes.what},
  );
}

/** Back to where the person came from; a need that is decided by it goes on by itself. */
function leaveVariants(model: Model, state: State): Result {
  const back = goBack(model, state);
  const {need, screen} = back.model;
  return screen === 'needs' && need?.kind === 'pick'
    ? {...back, model: {...back.model, decided: need.id}}
    : back;
}
