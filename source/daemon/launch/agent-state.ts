import {mkdirSync, realpathSync, rmSync, statSync} from 'node:fs';
import path from 'node:path';
import type {AgentSettings} from '../../agents/index.ts';
import type {WorktreeOwner} from '../../domain/index.ts';
import {copyRegularFile, tryReadText, writeWhole} from '../../files/index.ts';
import type {BoundPath} from '../../sandbox/index.ts';
import {makeDirectories} from '../../settings/index.ts';
import type {Workshop} from '../workshop.ts';

/** What of the person's home an agent needs for itself, what in there it may only read, and the hosts that it asks. */
export type OwnPlaces = {
  readonly stateDirectories: readonly string[];
  readonly settings: AgentSettings;
  readonly hosts?: readonly string[];
  /** What the agent finds in place of a file of the person's. */ readonly inPlace?: readonly {
    readonly path: string;
    readonly from: string;
  }[];
};

export type AgentState = {readonly bound: readonly BoundPath[]; readonly sealed: readonly string[]};

const largestCopied = 16 * 1024 * 1024;

/**
 * Each task has a state directory of its own for its agent (conversations, history, shell snapshots, caches). Of the person's
 * it sees the settings, read-only, and the credentials, which it must be able to renew. So nothing that an agent leaves there
 * is ever run or read by another session, a person's own among them.
 */
export function agentStateFor(
  workshop: Pick<Workshop, 'stateDirectory'>,
  owner: WorktreeOwner,
  {stateDirectories, settings, inPlace = []}: OwnPlaces,
  argv: readonly string[] = [],
  worktree?: string,
): AgentState {
  const home = agentStateDirectory(workshop, owner);
  const empty = path.join(home, 'empty');
  if (stateDirectories.length > 0) mkdirSync(empty, {recursive: true, mode: 0o700});
  const bound = stateDirectories.flatMap((directory, index): BoundPath[] => {
    // The mount point; there is nothing else that could be made in the person's home.
    makeDirectories(directory, 0o700);
    const own = path.join(home, `${index}-${path.basename(directory).replaceAll(/[^\w-]+/g, '')}`);
    const isFresh = statSync(own, {throwIfNoEntry: false}) === undefined;
    mkdirSync(own, {recursive: true, mode: 0o700});
    if (isFresh) copyInto(own, directory, settings.copied ?? []);
    if (worktree !== undefined) answerAhead(own, directory, settings.answered ?? [], worktree);
    const within = (place: string): boolean => place.startsWith(`${directory}/`);
    return [
      {path: directory, from: own, isWritable: true},
      ...[...settings.files, ...(settings.filesIfThere ?? [])]
        .filter((file) => within(file) && isFile(file))
        .map((file) => readOnly(file, file)),
      ...settings.directories
        .filter(within)
        .map((place) => readOnly(place, isDirectory(place) ? place : empty)),
      ...(settings.directoriesIfThere ?? [])
        .filter((place) => within(place) && isDirectory(place))
        .map((place) => readOnly(place, place)),
      ...(settings.credentials ?? [])
        .filter((file) => within(file) && isFile(file))
        .map((file) => ({path: file, from: file, isWritable: true})),
      ...inPlace
        .filter(({path: file}) => within(file))
        .map(({path: file, from}) => readOnly(file, from)),
      ...installedIn(directory, argv),
    ];
  });
  return {bound, sealed: settings.files};
}

export function agentStateDirectory(
  {stateDirectory}: Pick<Workshop, 'stateDirectory'>,
  owner: WorktreeOwner,
): string {
  return path.join(stateDirectory, 'agent-state', owner.replaceAll('.', '-'));
}

/** With the worktree goes what its agent kept for itself. */
export function dropAgentState(
  workshop: Pick<Workshop, 'stateDirectory'>,
  owner: WorktreeOwner,
): void {
  rmSync(agentStateDirectory(workshop, owner), {recursive: true, force: true});
}

/** Some agents are installed inside their own state directory (`~/.claude/local`). */
function installedIn(directory: string, argv: readonly string[]): readonly BoundPath[] {
  const program = argv.find(
    (word) => word.startsWith(`${directory}/`) && path.normalize(word) === word && isFile(word),
  );
  const first = program?.slice(directory.length + 1).split('/', 1)[0];
  return first === undefined
    ? []
    : [readOnly(path.join(directory, first), path.join(directory, first))];
}

function copyInto(own: string, directory: string, files: readonly string[]): void {
  for (const file of files.filter((name) => name.startsWith(`${directory}/`) && isFile(name))) {
    const to = path.join(own, path.relative(directory, file));
    mkdirSync(path.dirname(to), {recursive: true, mode: 0o700});
    copyRegularFile(file, to, {maxBytes: largestCopied, links: 'follow'});
  }
}

/** In this task's own state, which its agent could have written: nothing that it put there is followed. The person's is only read. */
function answerAhead(
  own: string,
  directory: string,
  answered: NonNullable<AgentSettings['answered']>,
  worktree: string,
): void {
  const worktrees = [...new Set([worktree, realpathSync(worktree)])];
  for (const {file, from, answer} of answered.filter((one) =>
    one.file.startsWith(`${directory}/`),
  )) {
    const to = path.join(own, path.relative(directory, file));
    const before =
      tryReadText(to, {maxBytes: largestCopied, below: own}) ??
      tryReadText(from, {maxBytes: largestCopied, links: 'follow'});
    const after = answer(before, worktrees);
    if (after !== before) writeWhole(to, after, {below: own});
  }
}

function readOnly(place: string, from: string): BoundPath {
  return {path: place, from, isWritable: false};
}

function isFile(file: string): boolean {
  return statSync(file, {throwIfNoEntry: false})?.isFile() === true;
}

function isDirectory(place: string): boolean {
  return statSync(place, {throwIfNoEntry: false})?.isDirectory() === true;
}
