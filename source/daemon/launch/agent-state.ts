import path from 'node:path';
import {mkdirSync, realpathSync, rmSync, statSync} from 'node:fs';
import type {AgentSettings} from '../../agents/index.ts';
import type {WorktreeOwner} from '../../domain/index.ts';
import {copyRegularFile, tryReadText, writeFileAtomic} from '../../files/index.ts';
import type {BoundPath} from '../../sandbox/index.ts';
import {makeDirectories} from '../../files/index.ts';
import {isDirectory} from '../directories.ts';
import type {DaemonDirectory} from '../daemon-context.ts';
import {adoptConversation, type AdoptedConversation} from './agent-record.ts';

/**
 * What an agent needs of the person's home: its state directories, its settings (read-only), and
 * the hosts of its service.
 */
export type AgentPlaces = {
  readonly stateDirectories: readonly string[];
  readonly settings: AgentSettings;
  readonly hosts?: readonly string[];
  /** Files that replace a person's file for the agent. */
  readonly inPlace?: readonly {
    readonly path: string;
    readonly from: string;
  }[];
  readonly adopted?: AdoptedConversation;
};

export type AgentState = {readonly bound: readonly BoundPath[]; readonly sealed: readonly string[]};

const maxCopiedBytes = 16 * 1024 * 1024;

/**
 * Each task has its own state directory for its agent (conversations, history, shell snapshots,
 * caches). Of the person's it sees the settings, read-only, and the credentials, which it must be
 * able to renew. So nothing that an agent leaves there is ever run or read by another session,
 * including a person's own.
 */
export function agentStateFor(
  context: DaemonDirectory,
  owner: WorktreeOwner,
  {stateDirectories, settings, inPlace = [], adopted}: AgentPlaces,
  argv: readonly string[] = [],
  worktree?: string,
): AgentState {
  const home = agentStateDirectory(context, owner);
  const empty = path.join(home, 'empty');
  const emptyObject = path.join(home, 'empty.json');
  if (stateDirectories.length > 0) {
    mkdirSync(empty, {recursive: true, mode: 0o700});
    writeFileAtomic(emptyObject, '{}\n', {below: home});
  }

  const bound = stateDirectories.flatMap((directory, index): BoundPath[] => {
    // The mount point is the only thing that is created in the person's home.
    makeDirectories(directory);
    const own = ownStatePath(context, owner, directory, index);
    const isFresh = statSync(own, {throwIfNoEntry: false}) === undefined;
    mkdirSync(own, {recursive: true, mode: 0o700});
    if (isFresh) copyInto(own, directory, settings.copied ?? []);
    if (adopted !== undefined) adoptConversation(home, own, directory, adopted);
    if (worktree !== undefined) answerAhead(own, directory, settings.answered ?? [], worktree);
    const isWithin = (file: string): boolean => file.startsWith(`${directory}/`);
    return [
      {path: directory, from: own, isWritable: true},
      ...[...settings.files, ...(settings.filesIfThere ?? [])]
        .filter((file) => isWithin(file) && isFile(file))
        .map((file) => readOnly(file, file)),
      ...(settings.emptyObjects ?? [])
        .filter((file) => isWithin(file) && !isFile(file))
        .map((file) => readOnly(file, emptyObject)),
      ...settings.directories
        .filter(isWithin)
        .map((place) => readOnly(place, isDirectory(place) ? place : empty)),
      ...(settings.directoriesIfThere ?? [])
        .filter((place) => isWithin(place) && isDirectory(place))
        .map((place) => readOnly(place, place)),
      ...(settings.credentials ?? [])
        .filter((file) => isWithin(file) && isFile(file))
        .map((file) => ({path: file, from: file, isWritable: true})),
      ...inPlace
        .filter(({path: file}) => isWithin(file))
        .map(({path: file, from}) => readOnly(file, from)),
      ...installedIn(directory, argv),
    ];
  });
  return {bound, sealed: settings.files};
}

export function agentStateDirectory(
  {stateDirectory}: DaemonDirectory,
  owner: WorktreeOwner,
): string {
  return path.join(stateDirectory, 'agent-state', owner.replaceAll('.', '-'));
}

/** Where the task's own copy of the agent's state directory number `index` is. */
export function ownStatePath(
  context: DaemonDirectory,
  owner: WorktreeOwner,
  directory: string,
  index: number,
): string {
  const name = path.basename(directory).replaceAll(/[^\w-]+/g, '');
  return path.join(agentStateDirectory(context, owner), `${index}-${name}`);
}

/** Removed together with the worktree. */
export function dropAgentState(context: DaemonDirectory, owner: WorktreeOwner): void {
  rmSync(agentStateDirectory(context, owner), {recursive: true, force: true});
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
    copyRegularFile(file, to, {maxBytes: maxCopiedBytes, links: 'follow'});
  }
}

/**
 * Answers an agent's first-start questions in the task's own state. Links there are not followed,
 * since the agent may have made them; the person's file is only read.
 */
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
      tryReadText(to, {maxBytes: maxCopiedBytes, below: own}) ??
      tryReadText(from, {maxBytes: maxCopiedBytes, links: 'follow'});
    const after = answer(before, worktrees);
    if (after !== before) writeFileAtomic(to, after, {below: own});
  }
}

function readOnly(place: string, from: string): BoundPath {
  return {path: place, from, isWritable: false};
}

function isFile(file: string): boolean {
  return statSync(file, {throwIfNoEntry: false})?.isFile() === true;
}
