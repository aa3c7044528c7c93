import {
  checksOf,
  runOf,
  sessionOf,
  type Check,
  type CheckResult,
  type Run,
  type RunId,
  type SessionId,
} from '../../domain/index.ts';
import {restoreTracked, touchedSince} from '../../workspace/index.ts';
import type {Perform} from '../conductor.ts';
import {inRun} from '../launch/run-environment.ts';
import {checkEnvironmentHashOf} from '../launch/task-launch.ts';
import type {Workshop} from '../workshop.ts';
import {keepResult, recallResult, type BaselineCacheKey} from './baseline-cache.ts';
import {failureOf} from './check-failure.ts';
import {endLeftovers} from './end-leftovers.ts';
import {outcomeOf} from './read-check.ts';
import {mergePlaceOf} from './task-of-effect.ts';

/** What earlier runs found out about this base. Nothing is no trouble: then it is run. */
export function recallBaseline(workshop: Workshop): Perform {
  return async (effect, report) => {
    if (effect.do !== 'recall-baseline') return;
    const run = runOf(workshop.state(), effect.run);
    if (run?.stage.at !== 'reviewing' && run?.stage.at !== 'working')
      throw new Error(`${effect.run} has no plan`);
    const {ground, proposal} = run.stage;
    const {setup} = workshop.state().project;
    const tree = await treeOf(workshop, ground.base);
    const results = checksOf(run).flatMap(
      (check) => recallResult(workshop.stateDirectory, keyOf(workshop, run, check, tree)) ?? [],
    );
    await report({
      type: 'baseline-recalled',
      run: run.id,
      base: ground.base,
      rules: ground.rules.hash,
      plan: proposal.hash,
      ...(setup === undefined ? {} : {setup}),
      results,
    });
  };
}

/** What a check showed on the base. Whatever it changed in tracked files is told and taken back, as after any check. */
export function readBaseline(workshop: Workshop): Perform {
  return async (effect, report) => {
    if (effect.do !== 'read-baseline') return;
    const {run, session} = effect;
    await report(await baselineResult(workshop, run, session, outcomeOf(workshop, session)));
  };
}

export async function baselineResult(
  workshop: Workshop,
  id: RunId,
  session: SessionId,
  outcome: CheckResult['outcome'],
): Promise<Extract<Parameters<Parameters<Perform>[1]>[0], {readonly type: 'baseline-checked'}>> {
  const run = runOf(workshop.state(), id);
  const ran = sessionOf(workshop.state(), session);
  if (run === undefined || ran?.purpose.for !== 'baseline')
    throw new Error(`${session} checks no base`);
  if (outcome !== 'timed-out') await endLeftovers(workshop, ran);
  const {path: directory, commit: base} = mergePlaceOf(run);
  const check: Check = {name: ran.purpose.check, command: ran.purpose.command};
  const touched =
    outcome === 'timed-out'
      ? []
      : await touchedSince(workshop.workspace(), {directory, tree: base});
  if (touched.length > 0)
    await restoreTracked(workshop.workspace(), {directory, tree: base, paths: touched});
  const result: CheckResult = {
    check,
    outcome,
    touched,
    ...failureOf(workshop, session, directory, outcome),
  };
  const {setup} = workshop.state().project;
  keepResult(
    workshop.stateDirectory,
    keyOf(workshop, run, check, await treeOf(workshop, base)),
    result,
  );
  return {type: 'baseline-checked', run: id, base, ...(setup === undefined ? {} : {setup}), result};
}

function keyOf(workshop: Workshop, run: Run, check: Check, tree: string): BaselineCacheKey {
  const rules = 'ground' in run.stage ? run.stage.ground.rules.hash : '';
  return {
    tree,
    check,
    rules,
    environment: checkEnvironmentHashOf(inRun(workshop, run)),
    setup: workshop.state().project.setup,
  };
}

async function treeOf(workshop: Workshop, commit: string): Promise<string> {
  const {git, root} = workshop.workspace();
  return (
    await git(root, ['rev-parse', '--verify', '--quiet', `${commit}^{tree}`], {isRead: true})
  ).trim();
}
