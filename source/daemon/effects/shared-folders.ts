import {errorText} from '../../shared/index.ts';
import path from 'node:path';
import {lstatSync, realpathSync} from 'node:fs';
import {addSharedFolders} from '../../project-config/index.ts';
import type {SharingReport} from '../../reports/index.ts';
import {
  hasWorkLeft,
  runIdIn,
  selectLiveSessions,
  selectOpenRuns,
  selectRun,
  selectWorktree,
  selectWorktreeOwner,
  type Session,
  type SharedFolder,
  type WorktreeOwner,
} from '../../domain/index.ts';
import {makeDirectories, readRegularFile, tryReadText, writeFileAtomic} from '../../files/index.ts';
import {
  detectDependencies,
  findShareObstacle,
  fingerprintSource,
  getSharePath,
  lacksProvisions,
  measureSharing,
  type ProvisionOptions,
  type Provisions,
  provisionWorktree,
  type ShareCost,
} from '../../git/index.ts';
import type {
  DaemonLog,
  RepositoryAccess,
  RepositoryGuards,
  StateReader,
} from '../daemon-context.ts';

type ProvisionContext = StateReader &
  Pick<RepositoryAccess, 'workspace'> &
  RepositoryGuards &
  DaemonLog;

const maxProjectBytes = 256 * 1024;

/**
 * The checkout's dependency directories, whether they are shared with tasks, and what sharing would
 * cost.
 */
export async function reportDependencies(
  context: StateReader & Pick<RepositoryAccess, 'workspace'>,
): Promise<SharingReport> {
  const shared = new Set((context.state().project.share ?? []).map(getSharePath));
  const found = await detectDependencies(context.workspace());
  const directories = [];
  for (const {path: name, tool} of found)
    directories.push({
      path: name,
      tool,
      isShared: shared.has(name),
      ...(await readCost(context, name)),
    });
  return {directories, hasSetup: context.state().project.setup !== undefined};
}

/** Cached by the directory's fingerprint: counting 100,000 files takes a second. */
async function readCost(
  context: Pick<RepositoryAccess, 'workspace'>,
  name: string,
): Promise<ShareCost> {
  const workspace = context.workspace();
  const file = path.join(
    workspace.private,
    'share-costs',
    `${Buffer.from(name).toString('hex').slice(0, 200)}.json`,
  );
  const print = fingerprintSource(path.join(workspace.root, name));
  const saved = readSavedCost(file);
  if (saved?.print === print) return saved.cost;
  const cost = await measureSharing(workspace, name);
  makeDirectories(path.dirname(file), {below: workspace.private});
  writeFileAtomic(file, JSON.stringify({print, cost}), {below: workspace.private});
  return cost;
}

function readSavedCost(
  file: string,
): {readonly print: string; readonly cost: ShareCost} | undefined {
  try {
    return JSON.parse(tryReadText(file, {maxBytes: 64 * 1024}) ?? '') as {
      readonly print: string;
      readonly cost: ShareCost;
    };
  } catch {
    return undefined;
  }
}

/** Dependency directories that the checkout has and this worktree lacks. */
export async function findAbsentFolders(
  context: Pick<RepositoryAccess, 'workspace'>,
  place: string,
): Promise<readonly string[]> {
  const found = await detectDependencies(context.workspace());
  return found
    .map(({path: name}) => name)
    .filter((name) => lstatSync(path.join(place, name), {throwIfNoEntry: false}) === undefined);
}

export type SharedAnswer = {
  readonly added: readonly string[];
  readonly already: readonly string[];
  readonly file: string;
};

/**
 * Adds shared folders to the project file, at a person's command. Folders that cannot be shared are
 * rejected before anything is written.
 */
export async function shareFolders(
  context: StateReader & RepositoryAccess,
  {
    paths,
    isDetected,
    byHardLink,
  }: {
    readonly paths: readonly string[];
    readonly isDetected: boolean;
    readonly byHardLink: boolean;
  },
): Promise<SharedAnswer> {
  const {root} = context;
  const workspace = context.workspace();
  const detected = isDetected
    ? (await detectDependencies(workspace)).map(({path: name}) => name)
    : [];
  const names = [
    ...new Set([...paths.map((name) => path.normalize(name).replace(/\/+$/, '')), ...detected]),
  ];
  if (names.length === 0)
    throw new Error(
      isDetected
        ? 'no dependency directory was found in your checkout. Install the dependencies ' +
            'first, or name a directory: orchestra share DIR'
        : 'expected a directory to share, or --detected',
    );
  const shared = new Set((context.state().project.share ?? []).map(getSharePath));
  for (const name of names) {
    const obstacle = shared.has(name) ? undefined : await findShareObstacle(workspace, name);
    if (obstacle !== undefined)
      throw new Error(`${name} cannot be shared: ${obstacle.why}. Nothing was changed.`);
  }

  const added = names.filter((name) => !shared.has(name));
  const file = path.join(root, '.orchestra', 'project.yaml');
  if (added.length > 0)
    changeProjectFile(
      root,
      file,
      added.map((name): SharedFolder => (byHardLink ? {path: name, by: 'hard-link'} : name)),
    );
  return {added, already: names.filter((name) => shared.has(name)), file};
}

function changeProjectFile(root: string, file: string, folders: readonly SharedFolder[]): void {
  const reading = readRegularFile(file, {maxBytes: maxProjectBytes, below: root, links: 'inside'});
  if (reading.at === 'refused' && reading.why !== 'missing')
    throw new Error(`.orchestra/project.yaml ${reading.message}. Nothing was changed.`);
  const changed = addSharedFolders(
    reading.at === 'read' ? Buffer.from(reading.bytes).toString('utf8') : '',
    folders,
  );
  if ('rejected' in changed)
    throw new Error(`.orchestra/project.yaml was not changed: ${changed.rejected}`);
  // A symbolic link stays a link.
  const real = reading.at === 'read' ? realpathSync(file) : file;
  makeDirectories(path.dirname(real), {below: root});
  writeFileAtomic(real, changed.text, {below: realpathSync(root)});
}

/**
 * Brings the project's `share` and `copy` folders into a worktree. Not for planners, which build
 * nothing.
 */
export async function provision(
  context: StateReader & Pick<RepositoryAccess, 'workspace'> & DaemonLog,
  owner: WorktreeOwner,
  place: string,
  options: Pick<ProvisionOptions, 'isUsed' | 'goOn'> = {},
): Promise<void> {
  if (owner.endsWith('.plan')) return;
  const {notes} = await provisionWorktree(context.workspace(), place, selectProvisions(context), {
    ...options,
    owner,
  });
  for (const note of notes) context.log(`${owner}: ${note}`);
}

/**
 * Brings folders that were added to the project file since into the session's worktree, before the
 * session starts. Only if no other session runs there: its processes could put a link in the way.
 */
export async function provisionBefore(context: ProvisionContext, session: Session): Promise<void> {
  const owner = selectWorktreeOwner(session);
  if (owner !== undefined) await provisionUsed(context, owner, (other) => other.id === session.id);
}

/** The same now, for every worktree without a session whose work is not finished. */
export async function provisionIdle(context: ProvisionContext): Promise<void> {
  const owners = selectOpenRuns(context.state()).flatMap((run) =>
    run.worktrees
      .filter(({isTidied, owner}) => !isTidied && hasWorkLeft(run, owner))
      .map(({owner}) => owner),
  );
  for (const owner of owners) {
    await provisionUsed(context, owner, () => false).catch((error: unknown) => {
      context.log(
        `${owner}: shared directories could not be added to its worktree: ${errorText(error)}`,
      );
    });
  }
}

async function provisionUsed(
  context: ProvisionContext,
  owner: WorktreeOwner,
  isOwn: (session: Session) => boolean,
): Promise<void> {
  const {state, guards} = context;
  const run = selectRun(state(), runIdIn(owner));
  const worktree = run === undefined ? undefined : selectWorktree(run, owner);
  if (run === undefined || worktree === undefined || owner.endsWith('.plan')) return;
  if (!lacksProvisions(context.workspace(), worktree.path, selectProvisions(context))) return;
  const isLivedIn = selectLiveSessions(state()).some(
    (other) => selectWorktreeOwner(other) === owner && !isOwn(other),
  );
  // This calls git. If the guard finds tampering, the next effect that calls git reports it.
  if (isLivedIn || (await guards.check(run.id)).length > 0) return;
  await provision(context, owner, worktree.path, {isUsed: true});
}

function selectProvisions({state}: StateReader): Provisions {
  const {copy = [], share = []} = state().project;
  return {copy, share};
}
