import {sanitizeText} from '../../base/index.ts';
import type {AcceptWay} from '../../domain/index.ts';
import {aside} from '../change/aside.ts';
import {keepNow, keptIn} from '../change/keep-object.ts';
import {verifyRange, verifyTree} from '../change/verify-objects.ts';
import {isAncestor, moveRef, readRef, refOf} from '../commit/refs.ts';
import type {Workspace} from '../open-workspace.ts';
import {checkoutsOf} from './checkouts-of.ts';
import {finishHomecoming} from './finish-homecoming.ts';
import {dropIntent, writeIntent} from './intent.ts';
import {makeLanding, planLanding} from './landing.ts';
import type {LandingText} from './landing-text.ts';
import {moveHomeRef} from './move-home-ref.ts';
import {wrongSignature} from './signing.ts';
import {syncCheckout, type Synced} from './sync-checkout.ts';
import {mergeCommand, namesOf, quoted} from './words.ts';

export type HomeWish = {
  /** The person's branch. */
  readonly branch: string;
  readonly commit: string;
  /** Milliseconds since 1970, for the commits that are made. */
  readonly at: number;
  readonly way?: AcceptWay;
  readonly text?: LandingText;
  /** The last of the commits that the person signed for this. */
  readonly signed?: string;
  /** A branch that is not there is made, on top of this commit. */
  readonly start?: string;
  /** How long somebody else's lock is waited for, in milliseconds. */
  readonly patience?: number;
  /** Agents could write into the object store: then what nobody changed is looked at, too. */
  readonly isWholeTree?: boolean;
};

export type Home =
  {readonly commit: string; readonly how: 'fast-forward' | AcceptWay} | {readonly refused: string};

const mostTries = 5;

/** Into the person's branch, when that is provably safe; else what to do. Nothing that the person has not committed is touched, and what a crash cuts off is taken up. */
export function bringHome(workspace: Workspace, wish: HomeWish): Promise<Home> {
  const {branch, commit, patience = 10_000} = wish;
  return workspace.inTurn(async () => {
    const cutOff = await finishHomecoming(workspace, patience);
    if (cutOff !== null) return cutOff;
    for (let count = 0; count < mostTries; count++) {
      const seen = await readRef(workspace, refOf(branch));
      const from = seen ?? wish.start;
      if (from === undefined)
        return {
          refused: `There is no branch ${sanitizeText(branch)}. Make it: git branch ${quoted(branch)} ${commit}`,
        };
      if (await isSymbolic(workspace, branch))
        return {
          refused: `${sanitizeText(branch)} is only another name of a branch. Accept into that one.`,
        };
      const there = await homeAlready(workspace, seen, wish);
      if (there !== undefined) return there;
      const target = await targetOf(workspace, from, wish);
      if ('refused' in target) return target;
      await verifyAccepted(workspace, from, target.commit, wish.isWholeTree === true);
      const moved =
        seen === null
          ? await moveRef(workspace, {ref: refOf(branch), to: target.commit, from: null})
          : await moveHome(workspace, {branch, from, to: target.commit, patience});
      if (moved === 'moved') return target;
      // Somebody committed at this very moment: their commit is merged with.
      if (moved !== 'outdated') return moved;
    }

    return {
      refused: `${sanitizeText(branch)} moves all the time. Accept again when it rests, or: ${mergeCommand(workspace.root, commit)}`,
    };
  });
}

/** The branch has the run's own commits, or those that were made of them before a crash. */
async function homeAlready(
  workspace: Workspace,
  seen: string | null,
  {commit, way = 'merge'}: HomeWish,
): Promise<Home | undefined> {
  if (seen === null) return undefined;
  if (await isAncestor(workspace, commit, seen))
    return {commit: seen, how: seen === commit ? 'fast-forward' : 'merge'};
  for (const made of await keptIn(workspace, landedGroup(commit)))
    if (await isAncestor(workspace, made, seen)) return {commit: made, how: way};
  return undefined;
}

function landedGroup(commit: string): string {
  return `landed-${commit}`;
}

/** What is accepted is what was shown: every object holds what its name says. */
async function verifyAccepted(
  workspace: Workspace,
  from: string,
  to: string,
  isWholeTree: boolean,
): Promise<void> {
  await verifyRange(workspace, {from, to});
  if (isWholeTree) await verifyTree(workspace, to);
}

/** What is left of a homecoming that was cut off, for a daemon that starts. */
export function recoverHome(
  workspace: Workspace,
  patience = 10_000,
): Promise<{readonly refused: string} | null> {
  return workspace.inTurn(() => finishHomecoming(workspace, patience));
}

async function targetOf(
  workspace: Workspace,
  from: string,
  {branch, commit, at, way = 'merge', text = usualText, signed}: HomeWish,
): Promise<Home> {
  const landing = await planLanding(workspace, {
    from,
    branch,
    commit,
    way,
    at,
    text,
    isSigned: signed !== undefined,
  });
  if ('refused' in landing) return landing;
  const {how, tip} = landing;
  const wrong = signed === undefined ? undefined : await wrongSignature(workspace, landing, signed);
  if (wrong !== undefined)
    return {
      refused: `What was signed is not what would come into ${sanitizeText(branch)} now: ${wrong}. Nothing was touched. Accept again.`,
    };
  const made = signed ?? (await makeLanding(workspace, landing)).at(-1);
  if (made === undefined) return {commit: tip, how};
  await keepNow(
    workspace,
    how === 'merge' && signed === undefined ? 'home' : landedGroup(commit),
    made,
  );
  return {commit: made, how: signed === undefined || how !== 'fast-forward' ? how : 'merge'};
}

/** Where nobody says more about the run. */
const usualText: LandingText = {
  squash: 'A run of orchestra\n',
  merge: 'Merge a run of orchestra\n',
  checks: [],
};

async function moveHome(
  workspace: Workspace,
  {
    branch,
    from,
    to,
    patience,
  }: {
    readonly branch: string;
    readonly from: string;
    readonly to: string;
    readonly patience: number;
  },
): Promise<Synced> {
  const [checkout, second] = checkoutsOf(workspace).filter((one) => one.branch === branch);
  if (checkout === undefined) {
    const since = writeIntent(workspace, {branch, from, to, at: 'looking', checkout: null});
    const moved = await moveHomeRef(workspace, {
      branch,
      from,
      to,
      since,
      gitDirectory: workspace.commonDirectory,
    });
    dropIntent(workspace);
    return moved;
  }

  if (second !== undefined)
    return {
      refused: `${sanitizeText(branch)} is checked out twice, in ${namesOf([checkout.directory, second.directory])}. Switch one of them to another branch, then accept again.`,
    };
  const {directory, gitDirectory, busy} = checkout;
  if (busy !== null)
    return {
      refused: `${busy} is going on in ${namesOf([directory])}. Finish or abort it, then accept again. The run's result is ${to}.`,
    };
  return syncCheckout(workspace, {
    intent: {branch, from, to, at: 'looking', checkout: {directory, gitDirectory}},
    patience,
  });
}

async function isSymbolic(workspace: Workspace, branch: string): Promise<boolean> {
  return (
    (
      await aside(workspace, ['symbolic-ref', '-q', refOf(branch)], {isRead: true}).catch(() => '')
    ).trim() !== ''
  );
}
