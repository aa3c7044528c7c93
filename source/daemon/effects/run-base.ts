import path from 'node:path';
import {getBranchPrefix} from '../../project-config/index.ts';
import {checkRules, parseRules} from '../../rules/index.ts';
import {
  type Observation,
  type Run,
  type RunBase,
  type RunId,
  selectRun,
} from '../../domain/index.ts';
import {bytesOrThrow, readRegularFile} from '../../files/index.ts';
import {commitSnapshot, freeBranch, inspectRepository, resolveStart} from '../../git/index.ts';
import type {Conductor, EffectHandler} from '../engine/conductor.ts';
import type {DaemonClock, DaemonLog, RepositoryAccess, StateReader} from '../daemon-context.ts';
import {selectCheckout, selectTaskPlace} from './task-place.ts';

export const rulesFile = '.rulesfile.md';

/** Records what a run is based on: the base commit, the person's branch and the rules. */
export function inspect(context: StateReader & RepositoryAccess & DaemonLog): EffectHandler {
  return async (effect, report) => {
    if (effect.do !== 'survey') return;
    const run = selectRun(context.state(), effect.run);
    const checkout = selectCheckout(context, run);
    const workspace = {...context.workspace(), root: checkout};
    const {from, own} =
      run?.request.from === undefined
        ? await resolveStart(workspace, run?.request.open ?? {})
        : {from: await startFromRun(context, run, run.request.from), own: undefined};
    const {base, branch, notes} = await inspectRepository(workspace, from);
    for (const {words} of notes) context.log(`${effect.run}: ${words}`);
    const rules = readRules(checkout);
    const ownBranch =
      own ??
      (await freeBranch(workspace, `${getBranchPrefix(context.state().project)}/${effect.run}`));
    const isChecked = context.state().project.baseline !== false;
    await report({
      type: 'run-surveyed',
      run: effect.run,
      ground: {
        base,
        branch,
        rules,
        ownBranch,
        ...(isChecked ? {baseline: true} : {}),
        ...(notes.length === 0 ? {} : {notes}),
      },
    });
  };
}

/** The work of an opened run as it is now, and the branch that it would be accepted into. */
async function startFromRun(
  context: StateReader & RepositoryAccess,
  {id, createdAt}: Run,
  source: RunId,
): Promise<{readonly base: string; readonly branch?: string}> {
  const run = selectRun(context.state(), source);
  const task = run?.tasks.find(({stage}) => stage.at !== 'discarded');
  if (run === undefined || task === undefined || !('ground' in run.stage))
    throw new Error(`${source} has no work to start from. Discard ${id}`);
  const {branch} = run.stage.ground;
  const into = branch === null ? {} : {branch};
  if (task.stage.at === 'merged' && run.head !== undefined) return {base: run.head, ...into};
  const {worktree} = selectTaskPlace(context, task.id);
  const base = await commitSnapshot(context.workspace(), {
    directory: worktree.path,
    base: worktree.commit,
    save: `${task.id}.${id}`,
    message: `${task.planned.title}\n\nThe work of ${source} when ${id} was planned from it.\n`,
    at: createdAt,
  });
  return {base, ...into};
}

/** A missing rules file means no rules. One with an error is rejected as a whole. */
export function readRules(root: string): RunBase['rules'] {
  const text = readRulesText(root);
  const reading = parseRules(text ?? '');
  if (reading.outline.isRejected)
    throw new Error(
      `${rulesFile} cannot be read: ${reading.problems[0]?.text ?? 'it is not text'}. See: orchestra rules check`,
    );
  const error = checkRules(rulesFile, text ?? '').findings.find(({level}) => level === 'error');
  if (text !== undefined && error !== undefined)
    throw new Error(`${rulesFile}:${error.line}: ${error.text} See: orchestra rules check`);
  return reading.value;
}

export function readRulesText(root: string): Uint8Array | undefined {
  const reading = readRegularFile(path.join(root, rulesFile), {
    maxBytes: maxRulesBytes,
    below: root,
    links: 'inside',
  });
  return reading.at === 'refused' && reading.why === 'missing'
    ? undefined
    : bytesOrThrow(rulesFile, reading);
}

/** What is read into memory at all; the parser's own limit is much lower and names the line. */
const maxRulesBytes = 16 * 1024 * 1024;

/**
 * Whether the rules file differs from the run's rules: an approval binds the rules that the person
 * saw. A file that cannot be parsed does not count as a change.
 */
export function findRulesChange(
  context: StateReader & Pick<RepositoryAccess, 'root'>,
  id: RunId,
): Extract<Observation, {readonly type: 'rules-changed'}> | undefined {
  const run = selectRun(context.state(), id);
  if (run === undefined || !('ground' in run.stage) || run.stage.at === 'accepting')
    return undefined;
  const reading = parseRules(readRulesText(selectCheckout(context, run)) ?? '');
  if (reading.outline.isRejected || reading.value.hash === run.stage.ground.rules.hash)
    return undefined;
  return {type: 'rules-changed', run: id, rules: reading.value};
}

/** Whether the person's branch has moved since the plan was made. */
export async function findBaseMove(
  context: StateReader & RepositoryAccess,
  id: RunId,
): Promise<Extract<Observation, {readonly type: 'base-moved'}> | undefined> {
  const run = selectRun(context.state(), id);
  if (run?.stage.at !== 'reviewing' || run.tasks.length > 0) return undefined;
  // It does not start from the tip of that branch.
  if (run.request.from !== undefined || run.request.open?.on !== undefined) return undefined;
  const {branch, base} = run.stage.ground;
  const {git} = context.workspace();
  const now = (
    await git(
      selectCheckout(context, run),
      [
        'rev-parse',
        '--verify',
        '--quiet',
        branch === null ? 'HEAD^{commit}' : `refs/heads/${branch}^{commit}`,
      ],
      {isRead: true},
    ).catch(() => '')
  ).trim();
  return now === '' || now === base ? undefined : {type: 'base-moved', run: id, base: now};
}

/**
 * Rechecks rules and base before an approval, which binds both: if they changed, the person must
 * read the plan again.
 */
export async function refreshBase(
  context: StateReader & RepositoryAccess & DaemonClock,
  conductor: Conductor,
  run: RunId,
): Promise<void> {
  for (const saw of [findRulesChange(context, run), await findBaseMove(context, run)]) {
    if (saw !== undefined) await conductor.submit({type: 'report', at: context.now(), saw});
  }
}
