import {environmentLines, type EnvironmentReport} from '../../reports/index.ts';
import {addMendingTask, planHash} from '../../plan/index.ts';
import {
  type AcceptWay,
  acceptWays,
  type BaselineDecision,
  isBaselineFailed,
  isReady,
  isRunId,
  isTaskId,
  type Run,
  type RunId,
  runIdIn,
  selectChoice,
  selectRedOnBase,
  selectRun,
  selectUndecided,
  type State,
  type TaskId,
} from '../../domain/index.ts';
import type {ConfirmedAction, Model} from './model.ts';
import {
  noChange,
  openField,
  type Result,
  withCommands,
  withConfirmation,
  withEffects,
  withNotice,
} from './action.ts';
import {askDaemon} from './open-screen.ts';

export type BaselineAction =
  'baseline-mend' | 'baseline-ignore' | 'baseline-no-new' | 'baseline-count' | 'baseline-again';

const baselineDecisions: Readonly<
  Record<Exclude<BaselineAction, 'baseline-again'>, BaselineDecision>
> = {
  'baseline-mend': 'mend',
  'baseline-ignore': 'ignore',
  'baseline-no-new': 'no-new',
  'baseline-count': 'count',
};

/**
 * Decides about the first undecided check that is red on the base. Checks of the rules come first,
 * because the approval waits for them.
 */
export function decideOnBaseline(
  model: Model,
  action: BaselineAction,
  state: State,
  now: number,
): Result {
  const run = model.run === undefined ? undefined : selectRun(state, model.run);
  if (run === undefined || !('proposal' in run.stage))
    return noChange(withNotice(model, 'There is no plan yet, so its checks are not known.', now));
  if (action === 'baseline-again') {
    const isGreen = selectRedOnBase(run).length === 0 && !isBaselineFailed(state, run);
    return isGreen
      ? noChange(
          withNotice(model, 'Nothing is red on the base; there is nothing to check again.', now),
        )
      : withCommands(model, {type: 'baseline-again', run: run.id});
  }

  const [red] = [
    ...selectUndecided(run),
    ...selectRedOnBase(run).filter(({result}) => selectChoice(run, result.check) === undefined),
  ];
  if (red === undefined)
    return noChange(
      withNotice(model, 'No check is red on the base that nothing is decided about.', now),
    );
  const command = {
    type: 'choose-baseline',
    run: run.id,
    check: red.result.check.name,
    choice: baselineDecisions[action],
  } as const;
  if (action !== 'baseline-mend') return withCommands(model, command);
  const plan = addMendingTask(run.stage.proposal.plan, red.result);
  return withCommands(model, {...command, plan, hash: planHash(plan)});
}

/**
 * Confirms accepting a run, or opening a pull request. What is accepted is the commit that the
 * person was shown.
 */
export function acceptRun(
  model: Model,
  action: 'accept' | 'propose',
  state: State,
  now: number,
): Result {
  const id = selectRunToAccept(model);
  const run = id === undefined ? undefined : selectRun(state, id);
  if (run?.head === undefined || !isReady(run))
    return noChange(
      withNotice(
        model,
        run === undefined
          ? 'There is nothing to accept.'
          : `${run.id} cannot be accepted yet: ${formatUnfinished(run)}.`,
        now,
      ),
    );
  const commit = shownCommit(model, run) ?? run.head;
  if (commit !== run.head) {
    return withEffects(
      withNotice(
        model,
        `${run.id} has changed since you looked. What is new is shown now; look at it, then accept.`,
        now,
        'bad',
      ),
      askDaemon(`diff/${run.id}`, {about: 'diff', of: run.id}),
    );
  }

  const branch = 'ground' in run.stage ? run.stage.ground.branch : null;
  if (action === 'propose')
    return noChange(
      withConfirmation(
        model,
        `Open a pull request for ${run.id}?`,
        [
          `Its branch, with ${formatMerged(run)} tasks, is pushed to origin, and gh opens a pull request into ${branch ?? 'your checkout'}. Your own branch stays as it is.`,
        ],
        {action: 'propose', run: run.id},
      ),
    );
  if (state.project.sign === 'accept')
    return noChange(
      withNotice(
        model,
        `The project wants what is accepted signed with your key, which may ask for its passphrase. In a terminal: orchestra accept ${run.id} --commit ${commit.slice(0, 12)}`,
        now,
        'bad',
      ),
    );
  const way = state.project.accept ?? 'merge';
  // The run began on a detached HEAD: the person names the branch.
  if (branch === null)
    return noChange(
      openField(
        model,
        {what: 'into', run: run.id, commit, way},
        'Into which branch (made if it is not there)',
      ),
    );
  return noChange(confirmAccept(model, run, {action: 'accept', run: run.id, commit, way}));
}

function selectRunToAccept({screen, need, subject, run}: Model): RunId | undefined {
  if (screen === 'needs' && need !== undefined && 'run' in need) return need.run;
  return subject === undefined ? run : runIdIn(subject);
}

/** The commit on the screen: the head of the run's diff in a review, or the commit of the need. */
function shownCommit(
  {screen, need, subject, answers: {diff}}: Model,
  {id}: Run,
): string | undefined {
  if (screen === 'needs') return need?.kind === 'accept' ? need.commit : undefined;
  return subject === id && diff?.of === id && 'value' in diff ? diff.value.to : undefined;
}

type AcceptAction = Extract<ConfirmedAction, {readonly action: 'accept'}>;

export function confirmAccept(model: Model, run: Run, yes: AcceptAction): Model {
  const branch =
    yes.into ?? ('ground' in run.stage ? run.stage.ground.branch : null) ?? 'your checkout';
  return withConfirmation(
    model,
    `Bring ${run.id} into ${branch}?`,
    [
      `${formatMerged(run)} tasks are merged and validated, at ${yes.commit.slice(0, 12)}. Your own uncommitted changes are not touched; where they are in the way, nothing is done.`,
      `${yes.way}: ${wayLabels[yes.way]}. It is not signed.`,
    ],
    yes,
  );
}

const wayLabels: Readonly<Record<AcceptWay, string>> = {
  merge: 'its commits come as they are, with a merge where your branch has moved',
  squash: 'one commit for the whole run',
  'squash-tasks': 'one commit for each task, with a merge where your branch has moved',
  rebase: 'one commit for each task, in a line on top of your branch',
};

/** Switches the confirmation to the next way to accept. */
export function nextAcceptWay(model: Model, state: State): Result {
  const yes = model.confirmation?.yes;
  const run = yes?.action === 'accept' ? selectRun(state, yes.run) : undefined;
  if (yes?.action !== 'accept' || run === undefined) return noChange(model);
  return noChange(
    confirmAccept(model, run, {
      ...yes,
      way: acceptWays[(acceptWays.indexOf(yes.way) + 1) % acceptWays.length] ?? 'merge',
    }),
  );
}

function formatMerged({tasks}: Run): string {
  return `${tasks.filter(({stage}) => stage.at === 'merged').length} of ${tasks.length}`;
}

function formatUnfinished({tasks}: Run): string {
  const open = tasks
    .filter(({stage}) => stage.at !== 'merged' && stage.at !== 'discarded')
    .map(({planned}) => planned.id);
  return open.length === 0
    ? 'nothing of it is merged'
    : `${open.join(', ')} ${open.length === 1 ? 'is' : 'are'} not merged yet`;
}

/** The consequences of discarding, for the confirmation. */
export function discardLines(state: State, what: RunId | TaskId): string[] {
  const run = selectRun(state, runIdIn(what));
  if (run === undefined) return [];
  const own = isTaskId(what) ? what.slice(run.id.length + 1) : undefined;
  const later =
    own === undefined
      ? []
      : findDependents(
          run.tasks.map(({planned}) => planned),
          own,
        );
  const merged = run.tasks.filter(({stage}) => stage.at === 'merged').length;
  return [
    ...(own === undefined && merged > 0
      ? [
          `${merged} merged ${merged === 1 ? 'task stays' : 'tasks stay'} in the run's own branch, and not in yours.`,
        ]
      : []),
    ...(later.length === 0
      ? []
      : [`Discarded with it, because they build on it: ${later.join(', ')}.`]),
    'What was done is kept in a ref that git finds again; your own branch and files are not touched.',
  ];
}

function findDependents(
  tasks: readonly {readonly id: string; readonly after: readonly string[]}[],
  id: string,
): string[] {
  const found = new Set([id]);
  for (const task of tasks) if (task.after.some((one) => found.has(one))) found.add(task.id);
  return [...found].filter((one) => one !== id);
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
      question: `Give ${report.run} the environment of the shell that you started this app from?`,
      lines: [...lines, 'Sessions that begin from now on get it; what runs keeps what it has.'],
      yes: {action: 'refresh-environment', run: report.run},
    },
  };
}
