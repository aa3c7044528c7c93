import {sanitizeText, shellWord} from '../../shared/index.ts';
import type {AcceptWay} from '../../domain/index.ts';
import {runOnObjects} from '../client/plumbing.ts';
import {
  backUpNow,
  isAncestor,
  listBackedUp,
  moveRef,
  readRef,
  toBranchRef,
} from '../commit/refs.ts';
import {verifyRange, verifyTree} from '../changes/differences.ts';
import type {Workspace} from '../open-workspace.ts';
import {mergeCommand, readLanding, writeLanding} from './user-branch.ts';
import {moveUserBranch} from './move-user-branch.ts';
import {resumeAccept} from './resume-accept.ts';
import {makeLanding, planLanding} from './landing.ts';
import type {LandingText} from '../commit/commit-messages.ts';
import {findSignatureProblem} from './signing.ts';

export type AcceptIntoBranchOptions = {
  /** The person's branch. */
  readonly branch: string;
  readonly commit: string;
  /** Milliseconds since 1970, for the commits that are made. */
  readonly at: number;
  readonly way?: AcceptWay;
  readonly text?: LandingText;
  /** The last commit of the landing, when the person signed it. */
  readonly signed?: string;
  /** Where a missing branch is created. Without it, a missing branch is rejected. */
  readonly start?: string;
  /** How long to wait for a lock of another git. */
  readonly lockTimeoutMs?: number;
  /** Verify unchanged files too, because agents could write into the object store. */
  readonly isWholeTree?: boolean;
};

export type AcceptResult =
  | {
      readonly commit: string;
      readonly how: 'fast-forward' | AcceptWay;
      /** Where the branch was before; absent if nothing was moved, or the branch is new. */
      readonly from?: string;
    }
  | {readonly rejected: string};

const maxTries = 5;

/**
 * Accepts a commit into the person's branch when that is provably safe; otherwise says what to do.
 * Never touches uncommitted work, and resumes after a crash.
 */
export function acceptIntoBranch(
  workspace: Workspace,
  options: AcceptIntoBranchOptions,
): Promise<AcceptResult> {
  const {branch, commit, lockTimeoutMs = 10_000} = options;
  return workspace.withLock(async () => {
    const cutOff = await resumeAccept(workspace, lockTimeoutMs);
    if (cutOff !== null) return cutOff;
    for (let count = 0; count < maxTries; count++) {
      const seen = await readRef(workspace, toBranchRef(branch));
      const from = seen ?? options.start;
      if (from === undefined)
        return {
          rejected: `There is no branch ${sanitizeText(branch)}. Make it: git branch ${shellWord(branch)} ${commit}`,
        };
      if (await isSymbolic(workspace, branch))
        return {
          rejected: `${sanitizeText(branch)} is only a symbolic name of another branch. Accept into that branch.`,
        };
      const there = await findAccepted(workspace, seen, options);
      if (there !== undefined)
        return 'rejected' in there ? there : {...there, ...readLanding(workspace, branch, there)};
      const target = await makeTarget(workspace, from, options);
      if ('rejected' in target) return target;
      await verifyAccepted(workspace, from, target.commit, options.isWholeTree === true);
      // After a crash this tells where the branch was.
      if (seen !== null) writeLanding(workspace, {branch, from, to: target.commit});
      const moved =
        seen === null
          ? await moveRef(workspace, {ref: toBranchRef(branch), to: target.commit, from: null})
          : await moveUserBranch(workspace, {branch, from, to: target.commit, lockTimeoutMs});
      if (moved === 'moved') return seen === null ? target : {...target, from};
      // The branch moved meanwhile: try again from its new tip.
      if (moved !== 'outdated') return moved;
    }

    return {
      rejected:
        `${sanitizeText(branch)} keeps moving. Accept again when it stays still, or: ` +
        mergeCommand(workspace.root, commit),
    };
  });
}

/**
 * The result of an earlier call: the branch already contains the commit, or the commits that a call
 * before a crash made of it.
 */
async function findAccepted(
  workspace: Workspace,
  seen: string | null,
  {commit, way = 'merge'}: AcceptIntoBranchOptions,
): Promise<AcceptResult | undefined> {
  if (seen === null) return undefined;
  if (await isAncestor(workspace, commit, seen))
    return {commit: seen, how: seen === commit ? 'fast-forward' : 'merge'};
  for (const made of await listBackedUp(workspace, landedGroup(commit)))
    if (await isAncestor(workspace, made, seen)) return {commit: made, how: way};
  return undefined;
}

function landedGroup(commit: string): string {
  return `landed-${commit}`;
}

/**
 * Checks that the content of every object matches its hash, so that what was reviewed is what is
 * accepted.
 */
async function verifyAccepted(
  workspace: Workspace,
  from: string,
  to: string,
  isWholeTree: boolean,
): Promise<void> {
  await verifyRange(workspace, {from, to});
  if (isWholeTree) await verifyTree(workspace, to);
}

/** Finishes an accept that a crash interrupted, when the daemon starts. */
export function recoverAccept(
  workspace: Workspace,
  lockTimeoutMs = 10_000,
): Promise<{readonly rejected: string} | null> {
  return workspace.withLock(() => resumeAccept(workspace, lockTimeoutMs));
}

async function makeTarget(
  workspace: Workspace,
  from: string,
  {branch, commit, at, way = 'merge', text = defaultText, signed}: AcceptIntoBranchOptions,
): Promise<AcceptResult> {
  const landing = await planLanding(workspace, {
    from,
    branch,
    commit,
    way,
    at,
    text,
    isSigned: signed !== undefined,
  });
  if ('rejected' in landing) return landing;
  const {how, tip} = landing;
  const wrong =
    signed === undefined ? undefined : await findSignatureProblem(workspace, landing, signed);
  if (wrong !== undefined)
    return {
      rejected:
        `The signed commits do not match what ${sanitizeText(branch)} would get now: ` +
        `${wrong}. Nothing was changed. Accept again.`,
    };
  const made = signed ?? (await makeLanding(workspace, landing)).at(-1);
  if (made === undefined) return {commit: tip, how};
  await backUpNow(
    workspace,
    how === 'merge' && signed === undefined ? 'home' : landedGroup(commit),
    made,
  );
  return {commit: made, how: signed === undefined || how !== 'fast-forward' ? how : 'merge'};
}

/** Commit messages when the caller gives none. */
const defaultText: LandingText = {
  squash: 'A run of orchestra\n',
  merge: 'Merge a run of orchestra\n',
  checks: [],
};

async function isSymbolic(workspace: Workspace, branch: string): Promise<boolean> {
  return (
    (
      await runOnObjects(workspace, ['symbolic-ref', '-q', toBranchRef(branch)], {
        isRead: true,
      }).catch(() => '')
    ).trim() !== ''
  );
}
