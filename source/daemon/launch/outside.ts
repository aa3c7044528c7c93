import {rmSync} from 'node:fs';
import path from 'node:path';
import {branchPrefixOf} from '../../documents/index.ts';
import {entriesOf} from '../../base/index.ts';
import {
  attemptOf,
  isTaskId,
  runsOf,
  taskOf,
  worktreeOwnerOf,
  type AttemptStep,
  type Session,
  type TaskStage,
  type WorktreeOwner,
} from '../../domain/index.ts';
import {
  branchesOf,
  changedOutside,
  movedBranches,
  outsideFingerprint,
  type Branches,
  type Outside,
} from '../../workspace/index.ts';
import type {Workshop} from '../workshop.ts';
import {knowledgeDirectory} from './knowledge.ts';
import {namesIn} from '../names-in.ts';
import {tryReadText, writeWhole} from '../../files/index.ts';

/** Everything that an agent can reach and that is not its worktree, as it was at a moment. */
type Surrounding = {readonly at: number; readonly outside: Outside; readonly branches: Branches};

/** Remembers how it is outside of the worktree before an agent starts in it. The first look of an attempt counts. */
export async function rememberOutside(
  workshop: Workshop,
  owner: WorktreeOwner,
  attempt: number,
): Promise<void> {
  const file = fileOf(workshop, owner, attempt);
  forgetJudged(workshop);
  if (readSurrounding(file) === undefined) keep(file, await lookAround(workshop, owner));
}

/** What was changed outside of the worktree while the attempt went on, by whoever did it; nobody can tell without a sandbox. */
export async function changedAround(
  workshop: Workshop,
  owner: WorktreeOwner,
  attempt: number,
): Promise<readonly string[]> {
  const before = readSurrounding(fileOf(workshop, owner, attempt));
  if (before === undefined) return [];
  const now = await lookAround(workshop, owner, before.at);
  const refs = movedBranches(before.branches, now.branches).map(
    ({ref, after}) => `${ref} (${after === null ? 'removed' : 'moved'})`,
  );
  return [
    ...changedOutside(before.outside, now.outside).filter((file) => !isOurs(workshop, file)),
    ...refs,
  ];
}

/** A person has seen it, or it has come to its end: what is there now is what counts. */
export function forgetOutside(workshop: Workshop, owner: WorktreeOwner, attempt: number): void {
  rmSync(fileOf(workshop, owner, attempt), {force: true});
}

/** The person's checkout was changed by ourselves: for those at work it is now as it is. */
export async function renewSurroundings(workshop: Workshop): Promise<void> {
  const {workspace, stateDirectory, home, now} = workshop;
  forgetJudged(workshop);
  for (const name of namesIn(path.join(stateDirectory, 'outside'))) {
    const file = path.join(stateDirectory, 'outside', name);
    const before = readSurrounding(file);
    if (before === undefined) continue;
    const {places} = await outsideFingerprint(workspace(), {siblings: [], home});
    keep(file, {
      at: now(),
      outside: {...before.outside, places: {...before.outside.places, ...places}},
      branches: await branchesNow(workshop),
    });
  }
}

const unjudged: ReadonlySet<AttemptStep['at']> = new Set([
  'ready',
  'pausing',
  'working',
  'capturing',
  'judging',
]);

/** A daemon that was killed between a judgement and this has left what was remembered for it. */
function forgetJudged({state, stateDirectory, store}: Workshop): void {
  for (const name of namesIn(path.join(stateDirectory, 'outside'))) {
    const [, owner, number] =
      /^(r\d+\.t\d+)-(\d+)\.json$/.exec(
        name.startsWith(`${store.name}-`) ? name.slice(store.name.length + 1) : '',
      ) ?? [];
    if (owner === undefined || !isTaskId(owner)) continue;
    const task = taskOf(state(), owner);
    const attempt = task === undefined ? undefined : attemptOf(task);
    if (attempt?.number !== Number(number) || !unjudged.has(attempt.step.at))
      rmSync(path.join(stateDirectory, 'outside', name), {force: true});
  }
}

async function lookAround(
  workshop: Workshop,
  owner: WorktreeOwner,
  since?: number,
): Promise<Surrounding> {
  const outside = await outsideFingerprint(workshop.workspace(), {
    siblings: restingBeside(workshop, owner, since),
    home: workshop.home,
  });
  return {at: workshop.now(), outside, branches: await branchesNow(workshop)};
}

function branchesNow({workspace, state}: Workshop): Promise<Branches> {
  return branchesOf(workspace(), branchPrefixOf(state().project));
}

const resting: ReadonlySet<TaskStage['at']> = new Set([
  'validated',
  'merging',
  'merged',
  'stopped',
  'discarded',
]);

/** Worktrees of tasks that somebody is at, or was at meanwhile, change by right; the others must not. */
function restingBeside(
  {state}: Workshop,
  owner: WorktreeOwner,
  since: number | undefined,
): string[] {
  const known = state();
  const stirred = new Set(
    entriesOf(known.sessions)
      .filter((session) => isStirring(session, since))
      .map(worktreeOwnerOf),
  );
  return runsOf(known).flatMap(({tasks, worktrees}) =>
    worktrees
      .filter(
        (other) =>
          other.owner !== owner &&
          !stirred.has(other.owner) &&
          tasks.some(({id, stage}) => id === other.owner && resting.has(stage.at)),
      )
      .map((other) => other.path),
  );
}

function isStirring({life}: Session, since = Number.POSITIVE_INFINITY): boolean {
  return life.at === 'exited' || life.at === 'lost' ? life.when >= since : true;
}

/** Summaries are written while others are at work. */
function isOurs({state, root}: Workshop, file: string): boolean {
  const checkouts = [root, ...runsOf(state()).flatMap(({request}) => request.checkout ?? [])];
  return checkouts.some(
    (checkout) =>
      file.startsWith(path.join(checkout, knowledgeDirectory, path.sep)) ||
      file === path.join(checkout, '.orchestra', path.sep),
  );
}

function fileOf({stateDirectory, store}: Workshop, owner: WorktreeOwner, attempt: number): string {
  return path.join(stateDirectory, 'outside', `${store.name}-${owner}-${attempt}.json`);
}

function keep(file: string, surrounding: Surrounding): void {
  writeWhole(file, JSON.stringify(surrounding), {below: path.dirname(path.dirname(file))});
}

/** It names every file of the checkout. */
const mostBytes = 512 * 1024 * 1024;

function readSurrounding(file: string): Surrounding | undefined {
  try {
    return JSON.parse(tryReadText(file, {maxBytes: mostBytes}) ?? '') as Surrounding;
  } catch {
    return undefined;
  }
}
