import {sanitizeText} from '../../base/index.ts';
import {aside} from '../change/aside.ts';
import {keepNow} from '../change/keep-object.ts';
import {verifyRange, verifyTree} from '../change/verify-objects.ts';
import {makeCommit} from '../commit/make-commit.ts';
import {isAncestor, readRef, refOf} from '../commit/refs.ts';
import {mergeTrees} from '../merge/build-merge.ts';
import type {Workspace} from '../open-workspace.ts';
import {checkoutsOf} from './checkouts-of.ts';
import {finishHomecoming} from './finish-homecoming.ts';
import {dropIntent, writeIntent} from './intent.ts';
import {moveHomeRef} from './move-home-ref.ts';
import {syncCheckout, type Synced} from './sync-checkout.ts';
import {mergeCommand, namesOf, quoted} from './words.ts';

export type HomeWish = {
  /** The person's branch. */
  readonly branch: string;
  readonly commit: string;
  /** Milliseconds since 1970, for a merge commit. */
  readonly at: number;
  readonly message?: string;
  /** How long somebody else's lock is waited for, in milliseconds. */
  readonly patience?: number;
  /** Agents could write into the object store: then what nobody changed is looked at, too. */
  readonly isWholeTree?: boolean;
};

export type Home = {readonly commit: string; readonly how: 'fast-forward' | 'merge'} | {readonly refused: string};

const mostTries = 5;

/** Into the person's branch, when that is provably safe; else what to do. Nothing that the person has not committed is touched, and what a crash cuts off is taken up. */
export function bringHome(workspace: Workspace, wish: HomeWish): Promise<Home> {
  const {branch, commit, patience = 10_000} = wish;
  return workspace.inTurn(async () => {
    const cutOff = await finishHomecoming(workspace, patience);
    if (cutOff !== null) return cutOff;
    for (let count = 0; count < mostTries; count++) {
      const from = await readRef(workspace, refOf(branch));
      if (from === null) return {refused: `There is no branch ${sanitizeText(branch)}. Make it: git branch ${quoted(branch)} ${commit}`};
      if (await isSymbolic(workspace, branch)) return {refused: `${sanitizeText(branch)} is only another name of a branch. Accept into that one.`};
      if (await isAncestor(workspace, commit, from)) return {commit: from, how: from === commit ? 'fast-forward' : 'merge'};
      const target = await targetOf(workspace, from, wish);
      if ('refused' in target) return target;
      await verifyAccepted(workspace, from, target.commit, wish.isWholeTree === true);
      const moved = await moveHome(workspace, {branch, from, to: target.commit, patience});
      if (moved === 'moved') return target;
      // Somebody committed at this very moment: their commit is merged with.
      if (moved !== 'outdated') return moved;
    }

    return {refused: `${sanitizeText(branch)} moves all the time. Accept again when it rests, or: ${mergeCommand(workspace.root, commit)}`};
  });
}

/** What is accepted is what was shown: every object holds what its name says. */
async function verifyAccepted(workspace: Workspace, from: string, to: string, isWholeTree: boolean): Promise<void> {
  await verifyRange(workspace, {from, to});
  if (isWholeTree) await verifyTree(workspace, to);
}

/** What is left of a homecoming that was cut off, for a daemon that starts. */
export function recoverHome(workspace: Workspace, patience = 10_000): Promise<{readonly refused: string} | null> {
  return workspace.inTurn(() => finishHomecoming(workspace, patience));
}

async function targetOf(workspace: Workspace, from: string, {branch, commit, at, message}: HomeWish): Promise<Home> {
  if (await isAncestor(workspace, from, commit)) return {commit, how: 'fast-forward'};
  const {tree, problems} = await mergeTrees(workspace, from, commit);
  if (problems.length > 0) {
    return {refused: `${sanitizeText(branch)} has moved, and its changes conflict with the run's in ${namesOf(problems.map(({path}) => path))}. Nothing was touched. Merge by hand: ${mergeCommand(workspace.root, commit)}`};
  }

  const merge = await makeCommit(workspace, {parents: [from, commit], tree, message: message ?? `Merge a run of orchestra into ${sanitizeText(branch)}\n`, at});
  await keepNow(workspace, 'home', merge);
  return {commit: merge, how: 'merge'};
}

async function moveHome(workspace: Workspace, {branch, from, to, patience}: {readonly branch: string; readonly from: string; readonly to: string; readonly patience: number}): Promise<Synced> {
  const [checkout, second] = checkoutsOf(workspace).filter((one) => one.branch === branch);
  if (checkout === undefined) {
    const since = writeIntent(workspace, {branch, from, to, at: 'looking', checkout: null});
    const moved = await moveHomeRef(workspace, {branch, from, to, since, gitDirectory: workspace.commonDirectory});
    dropIntent(workspace);
    return moved;
  }

  if (second !== undefined) return {refused: `${sanitizeText(branch)} is checked out twice, in ${namesOf([checkout.directory, second.directory])}. Switch one of them to another branch, then accept again.`};
  const {directory, gitDirectory, busy} = checkout;
  if (busy !== null) return {refused: `${busy} is going on in ${namesOf([directory])}. Finish or abort it, then accept again. The run's result is ${to}.`};
  return syncCheckout(workspace, {intent: {branch, from, to, at: 'looking', checkout: {directory, gitDirectory}}, patience});
}

async function isSymbolic(workspace: Workspace, branch: string): Promise<boolean> {
  return (await aside(workspace, ['symbolic-ref', '-q', refOf(branch)], {isRead: true}).catch(() => '')).trim() !== '';
}
