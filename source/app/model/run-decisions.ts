import {addMendingTask, planHash} from '../../plan/index.ts';
import {
  acceptWays,
  type BaselineDecision,
  isBaselineFailed,
  isReady,
  isTaskId,
  isUndecided,
  type Run,
  type RunId,
  runIdIn,
  selectChoice,
  selectRedOnBase,
  selectRun,
  selectTask,
  selectUndecided,
  selectUndoable,
  type State,
  type Task,
} from '../../domain/index.ts';
import type {Model} from './model.ts';
import {toReviewKey} from '../review/select-review.ts';
import {selectMarkedVariant} from '../select/variants-view.ts';
import {confirmAccept, confirmPick, confirmPropose} from './confirmations.ts';
import {
  noChange,
  openField,
  type Result,
  withCommands,
  withConfirmation,
  withEffects,
  withNotice,
} from './action.ts';
import {askDiff} from './open-screen.ts';

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
  // A variant is picked before its run can be accepted.
  if (action === 'accept' && isPickInReview(model, state)) return pickVariant(model, state, now);
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
      askDiff(run.id),
    );
  }

  const branch = 'ground' in run.stage ? run.stage.ground.branch : null;
  if (action === 'propose') return noChange(withConfirmation(model, confirmPropose(run)));
  if (state.project.sign === 'accept')
    return noChange(
      withNotice(
        model,
        'The project wants what is accepted signed with your key, which may ask for its ' +
          `passphrase. In a terminal: orchestra accept ${run.id} --commit ` +
          commit.slice(0, 12),
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
  return noChange(
    withConfirmation(model, confirmAccept(run, {action: 'accept', run: run.id, commit, way})),
  );
}

/** Confirms that a variant is merged: the marked one, or the one in review, as it was shown. */
export function pickVariant(model: Model, state: State, now: number): Result {
  const task =
    model.screen === 'review'
      ? selectReviewedTask(model, state)
      : selectMarkedVariant(model, state);
  const reject = (text: string): Result => noChange(withNotice(model, text, now));
  const run = task === undefined ? undefined : selectRun(state, runIdIn(task.id));
  if (task === undefined || run === undefined) return reject('There are no variants here.');
  if (!isUndecided(run, task))
    return reject(
      task.stage.at === 'discarded'
        ? `${task.id} is discarded; its work is kept in a ref.`
        : 'One is picked already, or no other one is left.',
    );
  if (task.stage.at !== 'validated')
    return reject(`${task.id} is not green yet, so there is nothing to pick.`);
  const {commit} = task.stage;
  if (model.screen === 'review' && shownTree(model) !== commit)
    return withEffects(
      withNotice(
        model,
        `${task.id} has changed since you looked. What is new is shown now; look at it, then pick.`,
        now,
        'bad',
      ),
      askDiff(task.id, model.against),
    );
  return noChange(withConfirmation(model, confirmPick(run, task, commit)));
}

/** Whether the review shows a variant that a person may pick. */
export function isPickInReview(model: Model, state: State): boolean {
  const task = model.screen === 'review' ? selectReviewedTask(model, state) : undefined;
  const run = task === undefined ? undefined : selectRun(state, runIdIn(task.id));
  return task !== undefined && run !== undefined && isUndecided(run, task);
}

function selectReviewedTask({subject}: Model, state: State): Task | undefined {
  return subject !== undefined && isTaskId(subject) ? selectTask(state, subject) : undefined;
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

/** The tree or commit whose diff is on the screen. */
function shownTree(model: Model): string | undefined {
  const {diff} = model.answers;
  return diff?.of === toReviewKey(model) && 'value' in diff ? diff.value.to : undefined;
}

/** Switches the confirmation to the next way to accept. */
export function nextAcceptWay(model: Model, state: State): Result {
  const yes = model.confirmation?.yes;
  const run = yes?.action === 'accept' ? selectRun(state, yes.run) : undefined;
  if (yes?.action !== 'accept' || run === undefined) return noChange(model);
  return noChange(
    withConfirmation(
      model,
      confirmAccept(run, {
        ...yes,
        way: acceptWays[(acceptWays.indexOf(yes.way) + 1) % acceptWays.length] ?? 'merge',
      }),
    ),
  );
}

function formatUnfinished({tasks}: Run): string {
  const open = tasks
    .filter(({stage}) => stage.at !== 'merged' && stage.at !== 'discarded')
    .map(({planned}) => planned.id);
  return open.length === 0
    ? 'nothing of it is merged'
    : `${open.join(', ')} ${open.length === 1 ? 'is' : 'are'} not merged yet`;
}

/** Undoes the newest decision that can still be undone. The daemon checks it once more. */
export function undoLast(model: Model, state: State, now: number): Result {
  const undoable = selectUndoable(state, now);
  return undoable === undefined
    ? noChange(withNotice(model, 'Nothing to undo: no decision of the last ten minutes.', now))
    : withCommands(withNotice(model, `Undoing: ${undoable.text}`, now), {
        type: 'undo',
        what: undoable.task ?? undoable.run,
        kind: undoable.kind,
      });
}
