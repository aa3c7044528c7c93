import {
  type Baseline,
  type BaselineDecision,
  type BaselineResult,
  noBaseline,
} from '../baseline.ts';
import type {Check} from '../plan.ts';
import type {Run, RunBase} from '../run.ts';
import type {State} from '../state.ts';
import type {CheckResult} from '../verdict.ts';
import {selectChecks} from './progress.ts';
import {needsSetup} from './environment.ts';

export function selectBaseline(run: Run): Baseline {
  return run.baseline ?? noBaseline;
}

/**
 * The base can still be checked: the run's head is the base, and nothing is merged yet. Runs of
 * older journals have no baseline.
 */
export function isBaselineDue({project}: State, run: Run): boolean {
  const base = selectRunBase(run);
  if (base?.baseline !== true || run.head !== base.base || run.moved !== undefined) return false;
  return project.setup !== undefined || selectChecks(run).length > 0;
}

/** No further results for the base are expected. */
export function isBaselineOver(state: State, run: Run): boolean {
  if (!isBaselineDue(state, run) || isBaselineFailed(state, run)) return true;
  return (
    isRecalled(state, run) &&
    selectBaseline(run).session === undefined &&
    isPrepared(state, run) &&
    selectUnchecked(state, run).length === 0
  );
}

/**
 * The merge worktree is set up. Once tasks are at work, a merge may have checked out another commit
 * there and handles setup itself.
 */
function isPrepared(state: State, run: Run): boolean {
  const owner = `${run.id}.merge` as const;
  const worktree = run.worktrees.find((one) => one.owner === owner);
  if (state.project.setup === undefined) return true;
  return worktree?.commit === run.head
    ? !needsSetup(state, run, owner)
    : worktree !== undefined && run.stage.at === 'working';
}

/** The baseline failed for this base and this setup command. */
export function isBaselineFailed({project}: State, run: Run): boolean {
  const failed = selectBaseline(run).failed;
  return (
    failed !== undefined &&
    failed.base === selectRunBase(run)?.base &&
    failed.setup === project.setup
  );
}

/**
 * Results of earlier runs were looked up for the run's current base, rules, plan and setup command.
 */
export function isRecalled({project}: State, run: Run): boolean {
  const {recalled} = selectBaseline(run);
  const {stage} = run;
  if (recalled === undefined || (stage.at !== 'reviewing' && stage.at !== 'working')) return false;
  return (
    recalled.base === stage.ground.base &&
    recalled.rules === stage.ground.rules.hash &&
    recalled.plan === stage.proposal.hash &&
    recalled.setup === project.setup
  );
}

/** Checks without a result on the base, in order. Ignored checks are not run on the base either. */
export function selectUnchecked({project}: State, run: Run): Check[] {
  return selectChecks(run).filter((check) => {
    const known = selectBaselineResult(run, check);
    return (
      selectChoice(run, check) !== 'ignore' &&
      (known === undefined || known.setup !== project.setup)
    );
  });
}

/** The result of a check on the run's base. */
export function selectBaselineResult(run: Run, check: Check): BaselineResult | undefined {
  const base = selectRunBase(run)?.base;
  return selectBaseline(run).results.findLast(
    (known) => known.base === base && isSameCheck(known.result.check, check),
  );
}

export function selectChoice(run: Run, check: Check): BaselineDecision | undefined {
  return selectBaseline(run).choices.find((choice) => isSameCheck(choice.check, check))?.choice;
}

/**
 * Checks that are known to fail, time out or not start on the base. A check that is red because a
 * service was missing does not count.
 */
export function selectRedOnBase(run: Run): BaselineResult[] {
  return selectChecks(run)
    .flatMap((check) => selectBaselineResult(run, check) ?? [])
    .filter(({result, lacks}) => result.outcome !== 'passed' && lacks === undefined);
}

/**
 * Red checks of the rules file without a decision; an approval needs one. A plan's own check often
 * cannot pass before the plan is carried out: it is shown, and a decision is asked for only if it
 * is still red after the work.
 */
export function selectUndecided(run: Run): BaselineResult[] {
  const checks = selectRunBase(run)?.rules.checks ?? [];
  return selectRedOnBase(run).filter(
    ({result: {check}}) =>
      selectChoice(run, check) === undefined && checks.some((other) => isSameCheck(other, check)),
  );
}

/** The next check that has no result yet and is not ignored. */
export function selectNextCheck(run: Run, results: readonly CheckResult[]): Check | undefined {
  return selectChecks(run).find(
    (check) =>
      selectChoice(run, check) !== 'ignore' &&
      !results.some((result) => result.check.name === check.name),
  );
}

/**
 * `waits`: depends on the base, which is still being checked. `red-on-base`: a person decides what
 * to do.
 */
type CheckStanding = 'passed' | 'red' | 'broken' | 'waits' | 'red-on-base';

/** What a check's result means for a change, compared with the result on the base. */
export function selectStanding(state: State, run: Run, result: CheckResult): CheckStanding {
  const {check, outcome} = result;
  const choice = selectChoice(run, check);
  if (outcome === 'passed' || choice === 'ignore') return 'passed';
  if (outcome === 'broken') return 'broken';
  if (choice === 'no-new') return selectNewFailures(run, result)?.length === 0 ? 'passed' : 'red';
  if (choice !== undefined) return 'red';
  const known = selectBaselineResult(run, check);
  if (known === undefined) return isBaselineOver(state, run) ? 'red' : 'waits';
  if (known.lacks !== undefined) return 'red';
  const base = known.result.outcome;
  // A check that could not be started on the base says nothing about it: the task may create what
  // the check runs.
  return base === 'passed' || base === 'broken' ? 'red' : 'red-on-base';
}

/**
 * Failures that the base does not have; undefined if one of the two reports does not name its
 * failures.
 */
export function selectNewFailures(
  run: Run,
  {check, failures}: CheckResult,
): readonly string[] | undefined {
  const before = selectBaselineResult(run, check)?.result.failures;
  return before === undefined || failures === undefined
    ? undefined
    : failures.filter((name) => !before.includes(name));
}

function selectRunBase({stage}: Run): RunBase | undefined {
  return stage.at === 'reviewing' || stage.at === 'working' || stage.at === 'accepting'
    ? stage.ground
    : undefined;
}

function isSameCheck(one: Check, other: Check): boolean {
  return one.name === other.name && one.command === other.command;
}
