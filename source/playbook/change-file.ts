import {createHash} from 'node:crypto';
import {lstatSync, mkdirSync, rmSync} from 'node:fs';
import path from 'node:path';
import {type Step, withAnswer} from '../documents/index.ts';
import {readRegularFile, writeWhole} from '../files/index.ts';
import {replaceIn} from './replace-in.ts';
import {resolveInside} from './resolve-inside.ts';

export type FileStep = Extract<Step, {readonly path: string}>;

/** A change that is worked out and not yet made. */
export type FileChange = {
  /** What the file holds now and afterwards, as a hash; nothing when there is no file. */
  readonly before: string | null;
  readonly after: string | null;
  /** What was done, for the pane. */
  readonly words: string;
  readonly make: () => void;
};

/** Works out what a step does to its file. Says no when it cannot be done; changes nothing. */
export function changeFile(
  step: FileStep,
  directory: string,
  answer: string,
): FileChange | {readonly refused: string} {
  const resolved = resolveInside(directory, step.path, {followLast: step.do !== 'delete'});
  if ('refused' in resolved) return resolved;
  const {file} = resolved;
  const current = step.do === 'delete' ? readLink(file) : readContent(file);
  if (current !== undefined && 'refused' in current)
    return {refused: `${step.path} ${current.refused}`};

  const next = nextOf(step, current?.content, answer);
  if ('refused' in next) return {refused: `${step.path}: ${next.refused}`};
  const {content, words} = next;
  const make = (): void => {
    if (content === undefined) return;
    if (content === null) {
      rmSync(file);
      return;
    }

    mkdirSync(path.dirname(file), {recursive: true});
    writeWhole(file, content, {mode: current?.mode ?? 'usual'});
  };

  const before = hashOf(current?.content ?? null);
  return {before, after: content === undefined ? before : hashOf(content), words, make};
}

/** What a file of the playbook holds now, as a hash. Nothing when there is none, or none that counts. */
export function hashNow(directory: string, file: string): string | null {
  const resolved = resolveInside(directory, file, {followLast: true});
  const current = 'refused' in resolved ? undefined : readContent(resolved.file);
  return current === undefined || 'refused' in current ? null : hashOf(current.content);
}

function hashOf(content: Uint8Array | null): string | null {
  return content === null ? null : createHash('sha256').update(content).digest('hex');
}

type Content = {readonly content: Uint8Array; readonly mode: number} | {readonly refused: string};

const mostBytes = 32 * 1024 * 1024;

function readContent(file: string): Content | undefined {
  const status = lstatSync(file, {throwIfNoEntry: false});
  if (status === undefined) return undefined;
  if (!status.isFile())
    return {
      refused: status.isDirectory()
        ? 'is a folder. Name a file.'
        : 'is no ordinary file. Name one.',
    };
  if (status.size > mostBytes) return {refused: 'is larger than 32 MB. Change it with a command.'};
  const reading = readRegularFile(file, {maxBytes: mostBytes});
  return reading.at === 'read'
    ? {content: reading.bytes, mode: reading.mode}
    : {refused: `${reading.message}.`};
}

/** What is deleted may also be a link; it is not followed. */
function readLink(file: string): Content | undefined {
  const status = lstatSync(file, {throwIfNoEntry: false});
  return status?.isSymbolicLink() === true
    ? {content: new Uint8Array(), mode: 0}
    : readContent(file);
}

/** `content`: null is no file, and nothing at all is no change. */
type Next =
  | {readonly content: Uint8Array | null | undefined; readonly words: string}
  | {readonly refused: string};

function nextOf(step: FileStep, content: Uint8Array | undefined, answer: string): Next {
  switch (step.do) {
    case 'delete':
      return content === undefined
        ? {content: undefined, words: 'is gone already'}
        : {content: null, words: 'deleted'};
    case 'write': {
      const text = Buffer.from(withAnswer(step.text, answer));
      return content !== undefined && text.equals(content)
        ? {content: undefined, words: 'has this text already'}
        : {content: text, words: `wrote ${text.length} bytes`};
    }

    case 'append': {
      const text = Buffer.from(withAnswer(step.text, answer));
      if (
        content !== undefined &&
        content.length >= text.length &&
        text.equals(content.subarray(content.length - text.length))
      )
        return {content: undefined, words: 'ends with this text already'};
      return {
        content: Buffer.concat([content ?? Buffer.alloc(0), text]),
        words: `appended ${text.length} bytes`,
      };
    }

    case 'replace':
      return content === undefined
        ? {refused: 'expected a file to replace text in, got none. Check the path.'}
        : nextOfReplace(content, withAnswer(step.find, answer), withAnswer(step.with, answer));
  }
}

function nextOfReplace(content: Uint8Array, find: string, replacement: string): Next {
  const text = decode(content);
  if (text === undefined)
    return {
      refused: 'expected UTF-8 text to replace in, got other bytes. Change it with a command.',
    };
  const replaced = replaceIn(text, find, replacement);
  if (replaced.count > 0)
    return {
      content: Buffer.from(replaced.text),
      words: `replaced ${replaced.count === 1 ? '1 place' : `${replaced.count} places`}`,
    };
  return replaced.isThere
    ? {content: undefined, words: 'is replaced already'}
    : {
        refused: `expected to find ${JSON.stringify(find.slice(0, 200))}, but it is not there, nor what was to replace it. Look at the file; it changed, or the text has other blanks.`,
      };
}

function decode(content: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(content);
  } catch {
    return undefined;
  }
}
