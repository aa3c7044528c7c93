import path from 'node:path';
import {rmSync} from 'node:fs';
import {getBranchPrefix} from '../../project-config/index.ts';
import {ledgerEntries} from '../../shared/index.ts';
import {
  type AttemptStep,
  isTaskId,
  type RunId,
  selectAttempt,
  selectRuns,
  selectTask,
  selectWorktreeOwner,
  type Session,
  type TaskStage,
  type WorktreeOwner,
} from '../../domain/index.ts';
import {
  type Branches,
  type GitGuard,
  isProvisioned,
  movedBranches,
  type Outside,
  type OutsideChange,
  outsideDifference,
  outsideFingerprint,
  readBranches,
  readGuard,
  tamperedPaths,
  type Workspace,
} from '../../git/index.ts';
import type {
  DaemonClock,
  DaemonDirectory,
  Guards,
  RepositoryAccess,
  SessionFiles,
  StateReader,
  UserAccount,
} from '../daemon-context.ts';
import {knowledgeDirectory} from './prompt-context.ts';
import {listOwnNames} from '../directories.ts';
import {tryReadText, writeFileAtomic} from '../../files/index.ts';

export type OutsideContext = StateReader &
  SessionFiles &
  RepositoryAccess &
  DaemonDirectory &
  DaemonClock &
  UserAccount;

/** A fingerprint of everything outside of its worktree that an agent can reach. */
type Snapshot = {readonly at: number; readonly outside: Outside; readonly branches: Branches};

/** Saves a snapshot before an agent starts. Only the first one of an attempt is kept. */
export async function rememberOutside(
  context: OutsideContext,
  owner: WorktreeOwner,
  attempt: number,
): Promise<void> {
  const file = toSnapshotFile(context, owner, attempt);
  forgetJudged(context);
  if (readSnapshot(file) === undefined) saveSnapshot(file, await takeSnapshot(context, owner));
}

/**
 * What changed outside of the worktree during the attempt. Without a sandbox nobody can tell who
 * changed it.
 */
export async function changedAround(
  context: OutsideContext,
  owner: WorktreeOwner,
  attempt: number,
): Promise<readonly string[]> {
  const before = readSnapshot(toSnapshotFile(context, owner, attempt));
  if (before === undefined) return [];
  const now = await takeSnapshot(context, owner, before.at);
  const refs = movedBranches(before.branches, now.branches).map(
    ({ref, after}) => `${ref} (${after === null ? 'removed' : 'moved'})`,
  );
  const files = outsideDifference(before.outside, now.outside)
    .filter((change) => !isBrought(context, change))
    .map(({place, path: file}) => path.join(place, file));
  return [...files.filter((file) => !isOurs(context, file)), ...refs];
}

/** Deletes the snapshot, because a person has seen the changes or the attempt is judged. */
export function forgetOutside(
  context: SessionFiles & DaemonDirectory,
  owner: WorktreeOwner,
  attempt: number,
): void {
  rmSync(toSnapshotFile(context, owner, attempt), {force: true});
}

/** Updates all snapshots after orchestra itself has changed the person's checkout. */
export async function refreshOutside(context: OutsideContext): Promise<void> {
  const {workspace, stateDirectory, home, now} = context;
  forgetJudged(context);
  for (const name of listOwnNames(path.join(stateDirectory, 'outside'))) {
    const file = path.join(stateDirectory, 'outside', name);
    const before = readSnapshot(file);
    if (before === undefined) continue;
    const {places} = await outsideFingerprint(workspace(), {siblings: [], home});
    saveSnapshot(file, {
      at: now(),
      outside: {...before.outside, places: {...before.outside.places, ...places}},
      branches: await readBranchesNow(context),
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

/** Deletes snapshots of judged attempts that a killed daemon has left. */
function forgetJudged({
  state,
  stateDirectory,
  store,
}: StateReader & SessionFiles & DaemonDirectory): void {
  for (const name of listOwnNames(path.join(stateDirectory, 'outside'))) {
    const [, owner, number] =
      /^(r\d+\.t\d+)-(\d+)\.json$/.exec(
        name.startsWith(`${store.name}-`) ? name.slice(store.name.length + 1) : '',
      ) ?? [];
    if (owner === undefined || !isTaskId(owner)) continue;
    const task = selectTask(state(), owner);
    const attempt = task === undefined ? undefined : selectAttempt(task);
    if (attempt?.number !== Number(number) || !unjudged.has(attempt.step.at))
      rmSync(path.join(stateDirectory, 'outside', name), {force: true});
  }
}

async function takeSnapshot(
  context: StateReader &
    Pick<RepositoryAccess, 'workspace'> &
    DaemonClock &
    Pick<UserAccount, 'home'>,
  owner: WorktreeOwner,
  since?: number,
): Promise<Snapshot> {
  const outside = await outsideFingerprint(context.workspace(), {
    siblings: restingBeside(context, owner, since),
    home: context.home,
  });
  return {at: context.now(), outside, branches: await readBranchesNow(context)};
}

function readBranchesNow({
  workspace,
  state,
}: StateReader & Pick<RepositoryAccess, 'workspace'>): Promise<Branches> {
  return readBranches(workspace(), getBranchPrefix(state().project));
}

const resting: ReadonlySet<TaskStage['at']> = new Set([
  'validated',
  'merging',
  'merged',
  'stopped',
  'discarded',
]);

/** Other worktrees that must not change, because no session was in them meanwhile. */
function restingBeside(
  {state}: StateReader,
  owner: WorktreeOwner,
  since: number | undefined,
): string[] {
  const known = state();
  const active = new Set(
    ledgerEntries(known.sessions)
      .filter((session) => isActive(session, since))
      .map(selectWorktreeOwner),
  );
  return selectRuns(known).flatMap(({tasks, worktrees}) =>
    worktrees
      .filter(
        (other) =>
          other.owner !== owner &&
          !active.has(other.owner) &&
          tasks.some(({id, stage}) => id === other.owner && resting.has(stage.at)),
      )
      .map((other) => other.path),
  );
}

function isActive({life}: Session, since = Number.POSITIVE_INFINITY): boolean {
  return life.at === 'exited' || life.at === 'lost' ? life.when >= since : true;
}

/**
 * Folders that were added to the project file are brought into other worktrees while agents work.
 */
function isBrought(
  {workspace, root, home}: RepositoryAccess & Pick<UserAccount, 'home'>,
  {place, path: file, before}: OutsideChange,
): boolean {
  return (
    before === null && place !== root && place !== home && isProvisioned(workspace(), place, file)
  );
}

/** Orchestra writes summaries while agents work. */
function isOurs(
  {state, root}: StateReader & Pick<RepositoryAccess, 'root'>,
  file: string,
): boolean {
  const checkouts = [root, ...selectRuns(state()).flatMap(({request}) => request.checkout ?? [])];
  return checkouts.some(
    (checkout) =>
      file.startsWith(path.join(checkout, knowledgeDirectory, path.sep)) ||
      file === path.join(checkout, '.orchestra', path.sep),
  );
}

function toSnapshotFile(
  {stateDirectory, store}: SessionFiles & DaemonDirectory,
  owner: WorktreeOwner,
  attempt: number,
): string {
  return path.join(stateDirectory, 'outside', `${store.name}-${owner}-${attempt}.json`);
}

function saveSnapshot(file: string, snapshot: Snapshot): void {
  writeFileAtomic(file, JSON.stringify(snapshot), {below: path.dirname(path.dirname(file))});
}

/** A snapshot names every file of the checkout. */
const maxSnapshotBytes = 512 * 1024 * 1024;

function readSnapshot(file: string): Snapshot | undefined {
  try {
    return JSON.parse(tryReadText(file, {maxBytes: maxSnapshotBytes}) ?? '') as Snapshot;
  } catch {
    return undefined;
  }
}

/**
 * Fingerprints, from the start of each run, of the files in the shared git directory that could
 * make git run a program. A change is detected before the next call of git (faults 3.12.4).
 */
export function createGuards({
  directory,
  journal,
  workspace,
}: {
  readonly directory: string;
  readonly journal: string;
  readonly workspace: () => Workspace;
}): Guards {
  const getFile = (run: RunId): string => path.join(directory, `${journal}-${run}.json`);
  const save = (run: RunId, now: GitGuard): void => {
    writeFileAtomic(getFile(run), JSON.stringify(now), {below: directory});
  };

  return {
    check: async (run) => {
      const before = readSavedGuard(getFile(run));
      const now = await readGuard(workspace());
      if (before !== undefined) return tamperedPaths(before, now);
      save(run, now);
      return [];
    },
    extend: async (run) => {
      const before = readSavedGuard(getFile(run));
      const now = await readGuard(workspace());
      if (before !== undefined && tamperedPaths(before, now).length === 0) save(run, now);
    },
    forget: (run) => {
      rmSync(getFile(run), {force: true});
    },
  };
}

function readSavedGuard(file: string): GitGuard | undefined {
  try {
    return JSON.parse(tryReadText(file, {maxBytes: 64 * 1024 * 1024}) ?? '') as GitGuard;
  } catch {
    return undefined;
  }
}
