import path from 'node:path';
import {createHash} from 'node:crypto';
import {lstatSync, mkdirSync, rmSync, realpathSync} from 'node:fs';
import {type Step, withAnswer} from '../playbook/index.ts';
import {readRegularFile, writeFileAtomic} from '../files/index.ts';
import {parsePlanPath} from '../plan/index.ts';
import {compareLines, type LinesChanged} from './show-line.ts';

export type FileStep = Extract<Step, {readonly path: string}>;

/** A change that was computed and not yet made. */
export type FileChange = {
  /** Hashes of the content before and after the change; null if there is no file. */
  readonly before: string | null;
  readonly after: string | null;
  /** The lines that change, for the output; none if the step was done before. */
  readonly lines: LinesChanged;
  readonly make: () => void;
};

/**
 * Computes what a step does to its file, without changing it. Rejects a change that is not
 * possible.
 */
export function changeFile(
  step: FileStep,
  directory: string,
  answer: string,
): FileChange | {readonly rejected: string} {
  const resolved = resolveInside(directory, step.path, {followLast: step.do !== 'delete'});
  if ('rejected' in resolved) return resolved;
  const {file} = resolved;
  const current = step.do === 'delete' ? readLink(file) : readContent(file);
  if (current !== undefined && 'rejected' in current)
    return {rejected: `${step.path} ${current.rejected}`};

  const next = nextContent(step, current?.content, answer);
  if ('rejected' in next) return {rejected: `${step.path}: ${next.rejected}`};
  const {content, lines} = next;
  const make = (): void => {
    if (content === undefined) return;
    if (content === null) {
      rmSync(file);
      return;
    }

    mkdirSync(path.dirname(file), {recursive: true});
    writeFileAtomic(file, content, {mode: current?.mode ?? 'usual'});
  };

  const before = toHash(current?.content ?? null);
  return {before, after: content === undefined ? before : toHash(content), lines, make};
}

/** The hash of a file's current content; null if there is no regular file inside the worktree. */
export function hashNow(directory: string, file: string): string | null {
  const resolved = resolveInside(directory, file, {followLast: true});
  const current = 'rejected' in resolved ? undefined : readContent(resolved.file);
  return current === undefined || 'rejected' in current ? null : toHash(current.content);
}

function toHash(content: Uint8Array | null): string | null {
  return content === null ? null : createHash('sha256').update(content).digest('hex');
}

type Content = {readonly content: Uint8Array; readonly mode: number} | {readonly rejected: string};

const maxBytes = 32 * 1024 * 1024;

function readContent(file: string): Content | undefined {
  const status = lstatSync(file, {throwIfNoEntry: false});
  if (status === undefined) return undefined;
  if (!status.isFile())
    return {
      rejected: status.isDirectory()
        ? 'is a folder. Name a file.'
        : 'is no ordinary file. Name one.',
    };
  if (status.size > maxBytes) return {rejected: 'is larger than 32 MB. Change it with a command.'};
  const reading = readRegularFile(file, {maxBytes});
  return reading.at === 'read'
    ? {content: reading.bytes, mode: reading.mode}
    : {rejected: `${reading.message}.`};
}

/** Reads a file to delete, which may be a link; the link is not followed. */
function readLink(file: string): Content | undefined {
  const status = lstatSync(file, {throwIfNoEntry: false});
  return status?.isSymbolicLink() === true
    ? {content: new Uint8Array(), mode: 0}
    : readContent(file);
}

/** `content`: null deletes the file, undefined changes nothing. */
type NextContent =
  | {readonly content: Uint8Array | null | undefined; readonly lines: LinesChanged}
  | {readonly rejected: string};

const noLines: LinesChanged = {removed: [], added: []};

function nextContent(step: FileStep, content: Uint8Array | undefined, answer: string): NextContent {
  switch (step.do) {
    case 'delete':
      return content === undefined
        ? {content: undefined, lines: noLines}
        : {content: null, lines: compareLines(decode(content) ?? '', '')};
    case 'write': {
      const text = withAnswer(step.text, answer);
      const bytes = Buffer.from(text);
      if (content !== undefined && bytes.equals(content))
        return {content: undefined, lines: noLines};
      const before = content === undefined ? '' : (decode(content) ?? '');
      return {content: bytes, lines: compareLines(before, text)};
    }

    case 'append': {
      const text = withAnswer(step.text, answer);
      const bytes = Buffer.from(text);
      if (
        content !== undefined &&
        content.length >= bytes.length &&
        bytes.equals(content.subarray(content.length - bytes.length))
      )
        return {content: undefined, lines: noLines};
      return {
        content: Buffer.concat([content ?? Buffer.alloc(0), bytes]),
        lines: compareLines('', text),
      };
    }

    case 'replace':
      return content === undefined
        ? {rejected: 'expected a file to replace text in, got none. Check the path.'}
        : nextOfReplace(content, withAnswer(step.find, answer), withAnswer(step.with, answer));
  }
}

function nextOfReplace(content: Uint8Array, find: string, replacement: string): NextContent {
  const text = decode(content);
  if (text === undefined)
    return {
      rejected: 'expected UTF-8 text to replace in, got other bytes. Change it with a command.',
    };
  const replaced = replaceIn(text, find, replacement);
  if (replaced.count > 0)
    return {content: Buffer.from(replaced.text), lines: compareLines(text, replaced.text)};
  return replaced.isDone
    ? {content: undefined, lines: noLines}
    : {
        rejected:
          `expected to find ${JSON.stringify(find.slice(0, 200))}, but neither it nor its ` +
          'replacement is there. Check the file: it changed, or the white space differs.',
      };
}

function decode(content: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(content);
  } catch {
    return undefined;
  }
}

export type Replaced = {
  readonly text: string;
  readonly count: number;
  /** The text already contains the replacement. */
  readonly isDone: boolean;
};

/**
 * Replaces every occurrence. If the replacement contains the searched text (`new` → `newer`),
 * earlier replacements are left alone, so that the step is idempotent.
 */
export function replaceIn(text: string, find: string, replacement: string): Replaced {
  const isDone = replacement !== '' && text.includes(replacement);
  const pieces = replacement.includes(find) ? text.split(replacement) : [text];
  const count = pieces.reduce((sum, piece) => sum + piece.split(find).length - 1, 0);
  return {
    text: pieces.map((piece) => piece.split(find).join(replacement)).join(replacement),
    count,
    isDone,
  };
}

export type Resolved = {readonly file: string} | {readonly rejected: string};

/**
 * Resolves a path of the playbook, which must stay inside the worktree and outside git's own files,
 * whatever links are on the way. With `followLast` a link in the last place is followed; without,
 * the path means the link itself. Rejections are sentences that start with the path.
 */
export function resolveInside(
  directory: string,
  file: string,
  {followLast}: {readonly followLast: boolean},
): Resolved {
  const parsed = parsePlanPath(file);
  if ('rejected' in parsed) return {rejected: `${file} ${parsed.rejected}`};
  const root = realpathSync(directory);
  const names = parsed.path.split('/');
  let [current, exists] = [root, true];
  for (const [index, name] of names.entries()) {
    current = path.join(current, name);
    const status = exists ? lstatSync(current, {throwIfNoEntry: false}) : undefined;
    exists = status !== undefined;
    if (status?.isSymbolicLink() !== true || (index === names.length - 1 && !followLast)) continue;
    const target = resolveLink(current);
    if (target === undefined)
      return {
        rejected:
          `${file} passes through the link ${path.relative(root, current)}, which leads ` +
          'nowhere. Name the file itself.',
      };
    current = target;
    const fault = findFault(root, current);
    if (fault !== undefined) return {rejected: `${file} passes through a link that leads ${fault}`};
  }

  return {file: current};
}

function resolveLink(link: string): string | undefined {
  try {
    return realpathSync(link);
  } catch {
    // A cycle of links, a missing target, or one without permission.
    return undefined;
  }
}

function findFault(root: string, target: string): string | undefined {
  const inside = path.relative(root, target);
  if (inside === '') return undefined;
  if (inside === '..' || inside.startsWith(`..${path.sep}`) || path.isAbsolute(inside))
    return 'out of the worktree. Name a file inside.';
  return 'rejected' in parsePlanPath(inside)
    ? 'into what no task may change. Name another file.'
    : undefined;
}
