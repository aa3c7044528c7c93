import {
  type Baseline,
  type BaselineDecision,
  type BaselineResult,
  noBaseline,
} from '../baseline.ts';
import type {Check} from '../rules.ts';
import type {Ground, Run} from '../run.ts';
import type {State} from '../state.ts';
import type {CheckResult} from '../verdict.ts';
import {checksOf} from './progress.ts';
import {needsSetup} from './setup.ts';

export function baselineOf(run: Run): Baseline {
  return run.baseline ?? noBaseline;
}

/** The base can still be checked: the run stands on it, and nothing is merged yet. Runs of older journals have no baseline. */
export function isBaselineDue({project}: State, run: Run): boolean {
  const ground = groundOf(run);
  if (ground?.baseline !== true || run.head !== ground.base || run.moved !== undefined)
    return false;
  return project.setup !== undefined || checksOf(run).length > 0;
}

/** Nothing more will be found out about the base. */
export function isBaselineOver(state: State, run: Run): boolean {
  if (!isBaselineDue(state, run) || isBaselineFailed(state, run)) return true;
  return (
    isRecalled(state, run) &&
    baselineOf(run).session === undefined &&
    isPrepared(state, run) &&
    uncheckedOf(state, run).length === 0
  );
}

/** Set up ahead for the merges. Once the work has begun, a merge may have laid out something else there, and sees to that by itself. */
function isPrepared(state: State, run: Run): boolean {
  const owner = `${run.id}.merge` as const;
  const worktree = run.worktrees.find((one) => one.owner === owner);
  if (state.project.setup === undefined) return true;
  return worktree?.commit === run.head
    ? !needsSetup(state, run, owner)
    : worktree !== undefined && run.stage.at === 'working';
}

/** It was given up, for this base and this setup. */
export function isBaselineFailed({project}: State, run: Run): boolean {
  const failed = baselineOf(run).failed;
  return (
    failed !== undefined && failed.base === groundOf(run)?.base && failed.setup === project.setup
  );
}

/** The results of earlier runs were looked up for what the run stands on now. */
export function isRecalled({project}: State, run: Run): boolean {
  const {recalled} = baselineOf(run);
  const {stage} = run;
  if (recalled === undefined || (stage.at !== 'reviewing' && stage.at !== 'working')) return false;
  return (
    recalled.base === stage.ground.base &&
    recalled.rules === stage.ground.rules.hash &&
    recalled.plan === stage.proposal.hash &&
    recalled.setup === project.setup
  );
}

/** Checks whose result on the base is not known, in order. One that is ignored is not run there either. */
export function uncheckedOf({project}: State, run: Run): Check[] {
  return checksOf(run).filter((check) => {
    const known = baselineResultOf(run, check);
    return (
      choiceOf(run, check) !== 'ignore' && (known === undefined || known.setup !== project.setup)
    );
  });
}

/** What a check showed on the base that the run stands on. */
export function baselineResultOf(run: Run, check: Check): BaselineResult | undefined {
  const base = groundOf(run)?.base;
  return baselineOf(run).results.findLast(
    (known) => known.base === base && isSameCheck(known.result.check, check),
  );
}

export function choiceOf(run: Run, check: Check): BaselineDecision | undefined {
  return baselineOf(run).choices.find((choice) => isSameCheck(choice.check, check))?.choice;
}

/** Red, too slow or not runnable on the base, as far as that is known. What is red for want of a service is not known. */
export function redOnBase(run: Run): BaselineResult[] {
  return checksOf(run)
    .flatMap((check) => baselineResultOf(run, check) ?? [])
    .filter(({result, lacks}) => result.outcome !== 'passed' && lacks === undefined);
}

/**
 * Those of the rules file that nobody has decided about: an approval waits for that. A plan's own check often cannot pass before the plan is carried
 * out; it is shown, and asked about only when it is red after the work as well.
 */
export function undecidedOf(run: Run): BaselineResult[] {
  const checks = groundOf(run)?.rules.checks ?? [];
  return redOnBase(run).filter(
    ({result: {check}}) =>
      choiceOf(run, check) === undefined && checks.some((other) => isSameCheck(other, check)),
  );
}

/** The next check that has no result yet and is not ignored. */
export function nextCheck(run: Run, results: readonly CheckResult[]): Check | undefined {
  return checksOf(run).find(
    (check) =>
      choiceOf(run, check) !== 'ignore' &&
      !results.some((result) => result.check.name === check.name),
  );
}

/** `waits`: whether it counts depends on the base, which is being checked. `red-on-base`: a person says what is done about it. */
export type Standing = 'passed' | 'red' | 'broken' | 'waits' | 'red-on-base';

/** What the result of a check means for a change, given what the same check shows without it. */
export function standingOf(state: State, run: Run, result: CheckResult): Standing {
  const {check, outcome} = result;
  const choice = choiceOf(run, check);
  if (outcome === 'passed' || choice === 'ignore') return 'passed';
  if (outcome === 'broken') return 'broken';
  if (choice === 'no-new') return newFailuresOf(run, result)?.length === 0 ? 'passed' : 'red';
  if (choice !== undefined) return 'red';
  const known = baselineResultOf(run, check);
  if (known === undefined) return isBaselineOver(state, run) ? 'red' : 'waits';
  if (known.lacks !== undefined) return 'red';
  const base = known.result.outcome;
  // One that could not even be started on the base says nothing about it: what it calls may be what the task makes.
  return base === 'passed' || base === 'broken' ? 'red' : 'red-on-base';
}

/** What fails now and did not fail on the base. Nothing where one of the two reports does not name what failed. */
export function newFailuresOf(
  run: Run,
  {check, failures}: CheckResult,
): readonly string[] | undefined {
  const before = baselineResultOf(run, check)?.result.failures;
  return before === undefined || failures === undefined
    ? undefined
    : failures.filter((name) => !before.includes(name));
}

function groundOf({stage}: Run): Ground | undefined {
  return stage.at === 'reviewing' || stage.at === 'working' || stage.at === 'accepting'
    ? stage.ground
    : undefined;
}

function isSameCheck(one: Check, other: Check): boolean {
  return one.name === other.name && one.command === other.command;
}
