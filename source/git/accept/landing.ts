import {sanitizeText} from '../../shared/index.ts';
import type {AcceptWay} from '../../domain/index.ts';
import {runOnObjects} from '../client/plumbing.ts';
import {
  listCommits,
  makeCommit,
  readCommit,
  type Signing,
  type StoredCommit,
} from '../commit/commit-objects.ts';
import {isAncestor} from '../commit/refs.ts';
import {mergeTrees} from '../merge/build-merge.ts';
import type {Workspace} from '../open-workspace.ts';
import {type LandingText, withChecks} from '../commit/commit-messages.ts';
import {formatNames, mergeCommand} from './user-branch.ts';

/** A commit to make. A number as parent is the index of an earlier step. */
export type LandingStep = {
  readonly parents: readonly (string | number)[];
  readonly tree: string;
  readonly message: string;
  readonly at: number;
  /** As git stores it; by default the person. */ readonly author?: string;
};

/**
 * The commits that an accept adds to the person's branch, oldest first. Without steps, `tip` exists
 * already.
 */
export type Landing = {
  readonly steps: readonly LandingStep[];
  readonly tip: string;
  readonly how: 'fast-forward' | AcceptWay;
};

export type LandingOptions = {
  /** The tip of the person's branch. */
  readonly from: string;
  readonly branch: string;
  readonly commit: string;
  readonly way: AcceptWay;
  /** Remake every commit, so that each can be signed. */
  readonly isSigned: boolean;
  readonly at: number;
  readonly text: LandingText;
};

/**
 * Deterministic, so that the signing CLI and the accepting daemon agree on every commit. The final
 * tree does not depend on `way`.
 */
export async function planLanding(
  workspace: Workspace,
  options: LandingOptions,
): Promise<Landing | {readonly rejected: string}> {
  const {from, commit, way, at, text, isSigned} = options;
  const isBehind = await isAncestor(workspace, from, commit);
  const merged = isBehind
    ? {tree: (await readCommit(workspace, commit)).tree}
    : await mergedTree(workspace, options);
  if ('rejected' in merged) return merged;
  const {tree} = merged;
  if (way === 'merge') {
    const steps = isSigned ? await planCopies(workspace, {from, to: commit}) : [];
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
  const lined = await planLinearSteps(workspace, {...options, base, onto: isOnTip ? from : base});
  if ('rejected' in lined) return lined;
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
      rejected:
        `the tasks of the run one by one, on top of ${sanitizeText(options.branch)}, give ` +
        'different files than the run as a whole. Nothing was changed. Accept it with ' +
        '--merge or --squash',
    };
  return {steps, tip: from, how: way};
}

async function mergedTree(
  workspace: Workspace,
  {from, branch, commit}: LandingOptions,
): Promise<{readonly tree: string} | {readonly rejected: string}> {
  const {tree, problems} = await mergeTrees(workspace, from, commit);
  if (problems.length === 0) return {tree};
  return {
    rejected:
      `${sanitizeText(branch)} has moved, and its changes conflict with the run's in ` +
      `${formatNames(problems.map(({path}) => path))}. Nothing was changed. Merge by hand: ` +
      mergeCommand(workspace.root, commit),
  };
}

/** Remakes every commit unchanged on remade parents, so that only a signature is added. */
async function planCopies(
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
      at: parseSeconds(committer) * 1000,
    });
  }

  return steps;
}

function parseSeconds(person: string): number {
  return Number(/ (?<seconds>\d+) [+-]\d{4}$/.exec(person)?.groups?.['seconds'] ?? 0);
}

/**
 * A linear history with one commit for each merge of the run: the work of a task, or a commit of
 * the person.
 */
async function planLinearSteps(
  workspace: Workspace,
  {
    base,
    onto,
    commit,
    at,
    text,
    branch,
  }: LandingOptions & {readonly base: string; readonly onto: string},
): Promise<{readonly steps: readonly LandingStep[]} | {readonly rejected: string}> {
  const steps: LandingStep[] = [];
  let before = base;
  let tree = (await readCommit(workspace, onto)).tree;
  for (const id of await listCommits(workspace, {from: base, to: commit, isFirstParent: true})) {
    const stored = await readCommit(workspace, id);
    const next = onto === base ? stored.tree : await carryOver(workspace, {before, id, tree, at});
    if (next === undefined)
      return {
        rejected:
          `${sanitizeText(branch)} has moved, and the commit ${id.slice(0, 12)} of the run ` +
          'does not apply on top of it by itself, though the run as a whole does. Nothing ' +
          'was changed. Accept it with --merge or --squash',
      };
    // A change that the branch has already would be an empty commit.
    if (next !== tree)
      steps.push({
        parents: [steps.length === 0 ? onto : steps.length - 1],
        tree: next,
        at,
        ...(await readLandingMessage(workspace, stored, text.checks)),
      });
    [before, tree] = [id, next];
  }

  return {steps};
}

/** Applies the change of a commit to another tree (cherry-pick); undefined when that conflicts. */
async function carryOver(
  workspace: Workspace,
  {
    before,
    id,
    tree,
    at,
  }: {readonly before: string; readonly id: string; readonly tree: string; readonly at: number},
): Promise<string | undefined> {
  // Git before 2.40 has no `merge-tree --merge-base`: a temporary commit on top of the base has the
  // same effect.
  const ours = await makeCommit(workspace, {parents: [before], tree, message: 'between\n', at});
  const merged = await mergeTrees(workspace, ours, id);
  return merged.problems.length === 0 ? merged.tree : undefined;
}

/**
 * A merge by orchestra gets the message of its task's commit; any other commit keeps message and
 * author.
 */
async function readLandingMessage(
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
  return (await runOnObjects(workspace, ['merge-base', one, other], {isRead: true})).trim();
}

/** Makes the commits and returns them in order. Unsigned commits are the same on every call. */
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
