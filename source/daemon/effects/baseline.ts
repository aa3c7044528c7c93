import path from 'node:path';
import {rmSync, statSync} from 'node:fs';
import {z} from 'zod';
import {toSha256} from '../../shared/index.ts';
import {
  type Check,
  type CheckResult,
  type Run,
  type RunId,
  selectChecks,
  selectRun,
  selectSession,
  type SessionId,
} from '../../domain/index.ts';
import {namesIn, tryReadText, writeFileAtomic} from '../../files/index.ts';
import {restoreTracked, touchedSince} from '../../git/index.ts';
import type {EffectHandler} from '../engine/conductor.ts';
import {withRunEnvironment} from '../launch/environment.ts';
import {hashCheckEnvironment} from '../launch/task-launch.ts';
import type {
  DaemonDirectory,
  DaemonLog,
  KernelAccess,
  RepositoryAccess,
  RunVariables,
  SecretValues,
  SessionFiles,
  StateReader,
} from '../daemon-context.ts';
import {selectCheckOutcome} from './read-check.ts';
import {readFailure} from './read-failure.ts';
import {endLeftovers} from './leftovers.ts';
import {selectMergeWorktree} from './task-place.ts';

type BaselineContext = StateReader &
  SessionFiles &
  RepositoryAccess &
  DaemonDirectory &
  RunVariables &
  SecretValues &
  KernelAccess &
  DaemonLog;

/** Everything that a baseline result depends on. */
export type BaselineCacheKey = {
  readonly tree: string;
  readonly check: Check;
  readonly rules: string;
  readonly environment: string;
  readonly setup: string | undefined;
  /** The declared reports, whose names of failures differ from those of the log. */
  readonly report?: readonly string[];
};

const maxEntries = 300;
const maxEntryBytes = 256 * 1024;

const entrySchema = z.object({
  check: z.object({name: z.string(), command: z.string()}),
  outcome: z.enum(['passed', 'failed']),
  firstFailure: z.string().optional(),
  confidence: z.enum(['found', 'likely', 'end-of-log']).optional(),
  source: z.string().optional(),
  failures: z.array(z.string()).optional(),
  touched: z.array(z.string()),
});

/**
 * The cached result of an earlier run; undefined if it is missing, malformed or of another check.
 */
export function readCachedResult(
  stateDirectory: string,
  key: BaselineCacheKey,
): CheckResult | undefined {
  const text = tryReadText(toCacheFile(stateDirectory, key), {
    maxBytes: maxEntryBytes,
    below: stateDirectory,
  });
  if (text === undefined) return undefined;
  try {
    const {check, outcome, firstFailure, confidence, source, failures, touched} = entrySchema.parse(
      JSON.parse(text),
    );
    if (check.name !== key.check.name || check.command !== key.check.command) return undefined;
    return {
      check,
      outcome,
      touched,
      ...(firstFailure === undefined ? {} : {firstFailure}),
      ...(confidence === undefined ? {} : {confidence}),
      ...(source === undefined ? {} : {source}),
      ...(failures === undefined ? {} : {failures}),
    };
  } catch {
    return undefined;
  }
}

/**
 * Saves passed and failed results only: a broken or timed-out check may end otherwise next time.
 * Removes the oldest above the limit.
 */
export function saveCachedResult(
  stateDirectory: string,
  key: BaselineCacheKey,
  result: CheckResult,
): void {
  if (result.outcome !== 'passed' && result.outcome !== 'failed') return;
  writeFileAtomic(toCacheFile(stateDirectory, key), JSON.stringify(result), {
    below: stateDirectory,
  });
  const directory = cacheDirectory(stateDirectory);
  const names = namesIn(directory, {maxEntries: maxEntries * 10, below: stateDirectory});
  if (names.length <= maxEntries) return;
  const aged = names
    .map((name) => ({
      file: path.join(directory, name),
      at: statSync(path.join(directory, name), {throwIfNoEntry: false})?.mtimeMs ?? 0,
    }))
    .toSorted((a, b) => a.at - b.at);
  for (const {file} of aged.slice(0, names.length - maxEntries)) rmSync(file, {force: true});
}

function cacheDirectory(stateDirectory: string): string {
  return path.join(stateDirectory, 'baseline');
}

function toCacheFile(
  stateDirectory: string,
  {tree, check: {name, command}, rules, environment, setup, report}: BaselineCacheKey,
): string {
  return path.join(
    cacheDirectory(stateDirectory),
    `${toSha256(JSON.stringify([tree, name, command, rules, environment, setup ?? null, ...(report === undefined ? [] : [report])]))}.json`,
  );
}

/** Reports cached results for this base. Checks without one are run. */
export function recallBaseline(
  context: StateReader & RepositoryAccess & DaemonDirectory & RunVariables,
): EffectHandler {
  return async (effect, report) => {
    if (effect.do !== 'recall-baseline') return;
    const run = selectRun(context.state(), effect.run);
    if (run?.stage.at !== 'reviewing' && run?.stage.at !== 'working')
      throw new Error(`${effect.run} has no plan`);
    const {ground, proposal} = run.stage;
    const {setup} = context.state().project;
    const tree = await readTree(context, ground.base);
    const results = selectChecks(run).flatMap(
      (check) =>
        readCachedResult(context.stateDirectory, toCacheKey(context, run, check, tree)) ?? [],
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

/**
 * Reads the result of a check on the base. Its changes to tracked files are reported and restored.
 */
export function readBaseline(context: BaselineContext): EffectHandler {
  return async (effect, report) => {
    if (effect.do !== 'read-baseline') return;
    const {run, session} = effect;
    await report(await baselineResult(context, run, session, selectCheckOutcome(context, session)));
  };
}

export async function baselineResult(
  context: BaselineContext,
  id: RunId,
  session: SessionId,
  outcome: CheckResult['outcome'],
): Promise<
  Extract<Parameters<Parameters<EffectHandler>[1]>[0], {readonly type: 'baseline-checked'}>
> {
  const run = selectRun(context.state(), id);
  const ran = selectSession(context.state(), session);
  if (run === undefined || ran?.purpose.for !== 'baseline')
    throw new Error(`${session} checks no base`);
  if (outcome !== 'timed-out') await endLeftovers(context, ran);
  const {path: directory, commit: base} = selectMergeWorktree(run);
  const check: Check = {name: ran.purpose.check, command: ran.purpose.command};
  // Before tracked files are restored: a report may be one of them.
  const failure = readFailure(context, {session, check: check.name, directory}, outcome);
  const touched =
    outcome === 'timed-out' ? [] : await touchedSince(context.workspace(), {directory, tree: base});
  if (touched.length > 0)
    await restoreTracked(context.workspace(), {directory, tree: base, paths: touched});
  const result: CheckResult = {
    check,
    outcome,
    touched,
    ...failure,
  };
  const {setup} = context.state().project;
  saveCachedResult(
    context.stateDirectory,
    toCacheKey(context, run, check, await readTree(context, base)),
    result,
  );
  return {type: 'baseline-checked', run: id, base, ...(setup === undefined ? {} : {setup}), result};
}

function toCacheKey(
  context: StateReader & RunVariables,
  run: Run,
  check: Check,
  tree: string,
): BaselineCacheKey {
  const rules = 'ground' in run.stage ? run.stage.ground.rules.hash : '';
  const {setup, checks = []} = context.state().project;
  const report = checks.find(({name}) => name === check.name)?.report;
  return {
    tree,
    check,
    rules,
    environment: hashCheckEnvironment(withRunEnvironment(context, run)),
    setup,
    ...(report === undefined ? {} : {report}),
  };
}

async function readTree(
  context: Pick<RepositoryAccess, 'workspace'>,
  commit: string,
): Promise<string> {
  const {git, root} = context.workspace();
  return (
    await git(root, ['rev-parse', '--verify', '--quiet', `${commit}^{tree}`], {isRead: true})
  ).trim();
}
