import {runOnObjects} from '../client/plumbing.ts';
import {backUpObject, isAncestor} from '../commit/refs.ts';
import {verifyRange} from '../changes/differences.ts';
import {makeCommit} from '../commit/commit-objects.ts';
import {GitFailure} from '../client/create-git.ts';
import type {Workspace} from '../open-workspace.ts';

/** Length limit for the hunks of one conflict. */
const maxCharacters = 4000;

/**
 * The regions between conflict markers, each with its first line number. Too long text is truncated
 * with a note.
 */
export function parseConflictHunks(text: string): string {
  const found: string[] = [];
  let region: string[] | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    if (region === undefined && /^<{7}(?: |$)/.test(line)) region = [`line ${index + 1}:`];
    if (region === undefined) continue;
    region.push(line);
    if (!/^>{7}(?: |$)/.test(line)) continue;
    found.push(region.join('\n'));
    region = undefined;
  }

  const all = found.join('\n\n');
  const note = '\n… (cut)';
  return all.length <= maxCharacters ? all : `${all.slice(0, maxCharacters - note.length)}${note}`;
}

export type MergeOptions = {
  readonly onto: string;
  readonly commit: string;
  readonly message: string;
  readonly at: number;
};

export type Conflict = {
  readonly path: string;
  /**
   * Git's name for it: `content`, `add/add`, `modify/delete`, `rename/rename`, `binary`,
   * `submodule` …
   */
  readonly kind: string;
  /**
   * The conflicting regions with their markers, at most 4,000 characters. Empty when there are none
   * to show.
   */
  readonly hunks: string;
};

export type BuiltMerge =
  {readonly candidate: string; readonly tree: string} | {readonly conflicts: readonly Conflict[]};

const maxShownBytes = 4 * 1024 * 1024;

/**
 * Merges in the object store only, without a working tree, until the candidate is published. Always
 * makes a commit with two parents, so that the first-parent history of a run's branch lists its
 * tasks.
 */
export async function buildMerge(
  workspace: Workspace,
  {onto, commit, message, at}: MergeOptions,
): Promise<BuiltMerge> {
  if (await isAncestor(workspace, commit, onto))
    return {candidate: onto, tree: await readTreeOfCommit(workspace, onto)};
  const {tree, problems} = await mergeTrees(workspace, onto, commit);
  if (problems.length > 0) {
    const conflicts: Conflict[] = [];
    for (const problem of problems)
      conflicts.push({...problem, hunks: await readConflictHunks(workspace, tree, problem.path)});
    return {conflicts};
  }

  const candidate = await makeCommit(workspace, {parents: [onto, commit], tree, message, at});
  await verifyRange(workspace, {from: onto, to: candidate});
  await saveCandidate(workspace, candidate);
  return {candidate, tree};
}

/** Backs up a candidate under a ref: until it is published, no branch contains it. */
export function saveCandidate(workspace: Workspace, candidate: string): Promise<string> {
  return backUpObject(workspace, 'merges', candidate);
}

export async function mergeTrees(
  workspace: Workspace,
  onto: string,
  commit: string,
): Promise<MergeParseResult> {
  try {
    return parseMergeTree(
      await runOnObjects(workspace, [
        'merge-tree',
        '--write-tree',
        '-z',
        '--messages',
        onto,
        commit,
      ]),
    );
  } catch (error) {
    // Exit status 1 means conflicts; the output is the result.
    if (!(error instanceof GitFailure) || error.code !== 1) throw error;
    const reading = parseMergeTree(error.stdout);
    return {
      ...reading,
      problems:
        reading.problems.length > 0
          ? reading.problems
          : [{path: '(git named no path)', kind: 'content'}],
    };
  }
}

async function readTreeOfCommit(workspace: Workspace, commit: string): Promise<string> {
  return (
    await runOnObjects(workspace, ['rev-parse', '--verify', `${commit}^{tree}`], {isRead: true})
  ).trim();
}

async function readConflictHunks(
  workspace: Workspace,
  tree: string,
  file: string,
): Promise<string> {
  try {
    const size = Number(
      await runOnObjects(workspace, ['cat-file', '-s', `${tree}:${file}`], {isRead: true}),
    );
    return size > maxShownBytes
      ? ''
      : parseConflictHunks(
          await runOnObjects(workspace, ['cat-file', 'blob', `${tree}:${file}`], {isRead: true}),
        );
  } catch {
    // A path that one side deleted or moved is not in the tree, and its kind is enough.
    return '';
  }
}

/** A path that git could not merge. */
export type MergeProblem = {readonly path: string; readonly kind: string};

export type MergeParseResult = {readonly tree: string; readonly problems: readonly MergeProblem[]};

/**
 * Parses `git merge-tree --write-tree -z --messages`: a tree, the stages of each conflicting path,
 * then messages.
 */
export function parseMergeTree(text: string): MergeParseResult {
  const parts = text.split('\0');
  const tree = parts[0] ?? '';
  const stages = new Map<string, Set<string>>();
  let at = 1;
  for (; at < parts.length && parts[at] !== ''; at++) {
    const entry = /^\d+ [\da-f]+ (?<stage>[123])\t(?<path>[\s\S]+)$/.exec(parts[at] ?? '')?.groups;
    if (entry === undefined) continue;
    const path = entry['path'] ?? '';
    stages.set(path, new Set([...(stages.get(path) ?? []), entry['stage'] ?? '']));
  }

  const kinds = new Map<string, string>();
  for (at += 1; at < parts.length;) {
    const count = Number(parts[at]);
    if (!Number.isInteger(count) || parts[at]?.trim() === '') break;
    const paths = parts.slice(at + 1, at + 1 + count);
    const kind = /^CONFLICT \((?<kind>[^)]*)\)/.exec(parts[at + 1 + count] ?? '')?.groups?.['kind'];
    // The first message about a path is the most specific: "binary" comes before "contents".
    if (kind !== undefined) for (const path of paths) if (!kinds.has(path)) kinds.set(path, kind);
    at += count + 3;
  }

  const paths = [
    ...new Set([
      ...stages.keys(),
      ...[...kinds.keys()].filter((path) => stages.size === 0 || stages.has(path)),
    ]),
  ];
  return {
    tree,
    problems: paths.map((path) => ({
      path,
      kind: toConflictKind(kinds.get(path) ?? 'contents', stages.get(path)),
    })),
  };
}

function toConflictKind(kind: string, stages: ReadonlySet<string> | undefined): string {
  if (kind === 'contents')
    return stages !== undefined && !stages.has('1') && stages.size === 2 ? 'add/add' : 'content';
  return kind.startsWith('submodule') ? 'submodule' : kind;
}
