import {sanitizeText} from '../../base/index.ts';
import type {AcceptWay} from '../../domain/index.ts';
import {aside} from '../change/aside.ts';
import {makeCommit, type Signing} from '../commit/make-commit.ts';
import {listCommits, readCommit, type StoredCommit} from '../commit/read-commit.ts';
import {isAncestor} from '../commit/refs.ts';
import {mergeTrees} from '../merge/build-merge.ts';
import type {Workspace} from '../open-workspace.ts';
import {withChecks, type LandingText} from './landing-text.ts';
import {mergeCommand, namesOf} from './words.ts';

/** A commit that is to be made. A parent that is a number is an earlier one of the same list. */
export type LandingStep = {
  readonly parents: readonly (string | number)[];
  readonly tree: string;
  readonly message: string;
  readonly at: number;
  /** As git stores it; else it is the person. */ readonly author?: string;
};

/** The commits that come into a person's branch, oldest first. None: `tip` is there already. */
export type Landing = {
  readonly steps: readonly LandingStep[];
  readonly tip: string;
  readonly how: 'fast-forward' | AcceptWay;
};

export type LandingWish = {
  /** The tip of the person's branch. */
  readonly from: string;
  readonly branch: string;
  readonly commit: string;
  readonly way: AcceptWay;
  /** Every commit that comes into the branch is made anew, so that it can be signed. */
  readonly isSigned: boolean;
  readonly at: number;
  readonly text: LandingText;
};

/** The same parts give the same list: who signs it and who lands it agree on every commit. The files of the last one do not depend on the way. */
export async function planLanding(
  workspace: Workspace,
  wish: LandingWish,
): Promise<Landing | {readonly refused: string}> {
  const {from, commit, way, at, text, isSigned} = wish;
  const isBehind = await isAncestor(workspace, from, commit);
  const merged = isBehind
    ? {tree: (await readCommit(workspace, commit)).tree}
    : await mergedTree(workspace, wish);
  if ('refused' in merged) return merged;
  const {tree} = merged;
  if (way === 'merge') {
    const steps = isSigned ? await copiesOf(workspace, {from, to: commit}) : [];
    const last = steps.length === 0 ? commit : steps.length - 1;
    return isBehind
      ? {steps, tip: commit, how: 'fast-forward'}
      : {
          steps: [...steps, {parents: [from, last], tree, message: text.merge, at}],
          tip: commit,
          how: 'merge',
        };
  }

  if ((await readCommit(workspace, from)).tree === tree) return {steps: [], tip: from, how: way};
  if (way === 'squash')
    return {steps: [{parents: [from], tree, message: text.squash, at}], tip: from, how: way};
  const base = await mergeBase(workspace, from, commit);
  const isOnTip = way === 'rebase' || base === from;
  const lined = await lineUp(workspace, {...wish, base, onto: isOnTip ? from : base});
  if ('refused' in lined) return lined;
  const {steps} = lined;
  if (!isOnTip)
    return {
      steps: [
        ...steps,
        {
          parents: [from, steps.length === 0 ? base : steps.length - 1],
          tree,
          message: text.merge,
          at,
        },
      ],
      tip: from,
      how: way,
    };
  if (steps.at(-1)?.tree !== tree)
    return {
      refused: `the tasks of the run one by one, on top of ${sanitizeText(wish.branch)}, give other files than the run as a whole. Nothing was touched. Accept it with --merge or --squash`,
    };
  return {steps, tip: from, how: way};
}

async function mergedTree(
  workspace: Workspace,
  {from, branch, commit}: LandingWish,
): Promise<{readonly tree: string} | {readonly refused: string}> {
  const {tree, problems} = await mergeTrees(workspace, from, commit);
  if (problems.length === 0) return {tree};
  return {
    refused: `${sanitizeText(branch)} has moved, and its changes conflict with the run's in ${namesOf(problems.map(({path}) => path))}. Nothing was touched. Merge by hand: ${mergeCommand(workspace.root, commit)}`,
  };
}

/** Every commit once more, as it is, on parents that are made anew: nothing but a signature is added. */
async function copiesOf(
  workspace: Workspace,
  {from, to}: {readonly from: string; readonly to: string},
): Promise<readonly LandingStep[]> {
  const ids = await listCommits(workspace, {from, to, isFirstParent: false});
  const steps: LandingStep[] = [];
  for (const id of ids) {
    const {tree, parents, message, author, committer} = await readCommit(workspace, id);
    steps.push({
      parents: parents.map((parent) => (ids.includes(parent) ? ids.indexOf(parent) : parent)),
      tree,
      message,
      author,
      at: secondsOf(committer) * 1000,
    });
  }

  return steps;
}

function secondsOf(person: string): number {
  return Number(/ (?<seconds>\d+) [+-]\d{4}$/.exec(person)?.groups?.['seconds'] ?? 0);
}

/** One commit for each merge of the run, in a line: what a task did, or what the person put there themselves. */
async function lineUp(
  workspace: Workspace,
  {
    base,
    onto,
    commit,
    at,
    text,
    branch,
  }: LandingWish & {readonly base: string; readonly onto: string},
): Promise<{readonly steps: readonly LandingStep[]} | {readonly refused: string}> {
  const steps: LandingStep[] = [];
  let before = base;
  let tree = (await readCommit(workspace, onto)).tree;
  for (const id of await listCommits(workspace, {from: base, to: commit, isFirstParent: true})) {
    const stored = await readCommit(workspace, id);
    const next = onto === base ? stored.tree : await carryOver(workspace, {before, id, tree, at});
    if (next === undefined)
      return {
        refused: `${sanitizeText(branch)} has moved, and the commit ${id.slice(0, 12)} of the run does not go on top of it by itself, though the run as a whole does. Nothing was touched. Accept it with --merge or --squash`,
      };
    // What is in the branch already is no commit of its own.
    if (next !== tree)
      steps.push({
        parents: [steps.length === 0 ? onto : steps.length - 1],
        tree: next,
        at,
        ...(await wordsOf(workspace, stored, text.checks)),
      });
    [before, tree] = [id, next];
  }

  return {steps};
}

/** What a commit changed on top of the one before it, laid over other files; undefined where that conflicts. */
async function carryOver(
  workspace: Workspace,
  {
    before,
    id,
    tree,
    at,
  }: {readonly before: string; readonly id: string; readonly tree: string; readonly at: number},
): Promise<string | undefined> {
  // Git older than 2.40 takes no merge base by name: a commit that stands on the one before says the same.
  const ours = await makeCommit(workspace, {parents: [before], tree, message: 'between\n', at});
  const merged = await mergeTrees(workspace, ours, id);
  return merged.problems.length === 0 ? merged.tree : undefined;
}

/** A merge of ours says what its task's own commit says; anything else keeps its words and its author. */
async function wordsOf(
  workspace: Workspace,
  {parents, message, author}: StoredCommit,
  checks: readonly string[],
): Promise<{readonly message: string; readonly author?: string}> {
  const [, theirs] = parents;
  if (theirs === undefined || !/^Orchestra-Task: /m.test(message)) return {message, author};
  const own = await readCommit(workspace, theirs);
  return {message: withChecks(own.message, checks)};
}

async function mergeBase(workspace: Workspace, one: string, other: string): Promise<string> {
  return (await aside(workspace, ['merge-base', one, other], {isRead: true})).trim();
}

/** Makes them, and gives them in their order. Without a signature, again and again the same. */
export async function makeLanding(
  workspace: Workspace,
  {steps}: Landing,
  signing?: Signing,
): Promise<readonly string[]> {
  const made: string[] = [];
  for (const {parents, tree, message, at, author} of steps) {
    made.push(
      await makeCommit(workspace, {
        parents: parents.map((parent) =>
          typeof parent === 'number' ? (made[parent] ?? '') : parent,
        ),
        tree,
        message,
        at,
        ...(author === undefined ? {} : {author}),
        ...(signing === undefined ? {} : {signing}),
      }),
    );
  }

  return made;
}
