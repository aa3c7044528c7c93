import {isMap, isScalar, isSeq, parseDocument, type Document} from 'yaml';
import {isSame} from '../../base/index.ts';
import type {SharedFolder} from '../../domain/index.ts';
import {readProject} from './read-project.ts';

export type ChangedProject = {readonly text: string} | {readonly refused: string};

/**
 * The project file with more entries under `share`, its comments and all else as they were. What comes of it is read again before it is
 * given: where the file cannot be changed without changing something else, it is refused.
 */
export function addSharedFolders(text: string, folders: readonly SharedFolder[]): ChangedProject {
  const before = readProject(text);
  if (before.problems.length > 0 && isSame(before.value, readProject('').value))
    return {
      refused: `it cannot be read: line ${before.problems[0]?.line ?? 1}: ${before.problems[0]?.text ?? ''}`,
    };
  const added = folders.filter(
    (folder) => !(before.value.share ?? []).some((other) => pathOf(other) === pathOf(folder)),
  );
  if (added.length === 0) return {text};
  const wanted = {...before.value, share: [...(before.value.share ?? []), ...added]};
  const isRight = (changed: string): boolean => {
    const {value, problems} = readProject(changed);
    return isSame(value, wanted) && problems.length === before.problems.length;
  };
  const changed = [spliced(text, added), redrawn(text, wanted.share)].find(
    (one) => one !== undefined && isRight(one),
  );
  if (changed === undefined)
    return {
      refused: `what it says about share cannot be changed by itself. Write it yourself: share: [${wanted.share.map(entryText).join(', ')}]`,
    };
  return {text: changed};
}

/** Only the entry itself is put in; every other character stays. */
function spliced(text: string, added: readonly SharedFolder[]): string | undefined {
  const {contents} = parse(text);
  const list = added.map(entryText);
  const end = text === '' || text.endsWith('\n') ? '' : '\n';
  if (contents === null) return `${text}${end}share: [${list.join(', ')}]\n`;
  if (!isMap(contents) || contents.flow === true) return undefined;
  const pair = contents.items.find(({key}) => isScalar(key) && key.value === 'share');
  const node = pair?.value ?? undefined;
  if (pair !== undefined && (node === undefined || (isScalar(node) && node.value === null))) {
    const colon = text.indexOf(':', pair.key.range[1]) + 1;
    return `${text.slice(0, colon)} [${list.join(', ')}]${text.slice(colon)}`;
  }

  if (node === undefined) return `${text}${end}share: [${list.join(', ')}]\n`;
  if (isScalar(node) && typeof node.value === 'string')
    return `${text.slice(0, node.range[0])}[${text.slice(node.range[0], node.range[1])}, ${list.join(', ')}]${text.slice(node.range[1])}`;
  if (!isSeq(node)) return undefined;
  if (node.flow === true) {
    const closing = node.range[1] - 1;
    return `${text.slice(0, closing)}${node.items.length === 0 ? '' : ', '}${list.join(', ')}${text.slice(closing)}`;
  }

  const last = node.items.at(-1);
  if (last === undefined) return undefined;
  const newline = text.indexOf('\n', last.range[1]);
  const at = newline === -1 ? text.length : newline;
  const indent = /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', last.range[0]) + 1))?.[0] ?? '';
  return `${text.slice(0, at)}${list.map((one) => `\n${indent}- ${one}`).join('')}${text.slice(at)}`;
}

/** Written by the library: comments stay, blanks may not. */
function redrawn(text: string, share: readonly SharedFolder[]): string | undefined {
  const document = parse(text);
  if (!isMap(document.contents)) return undefined;
  document.set('share', document.createNode(share, {flow: true}));
  return document.toString({lineWidth: 0});
}

function parse(text: string): Document.Parsed {
  return parseDocument(text, {
    schema: 'core',
    resolveKnownTags: false,
    stringKeys: true,
    uniqueKeys: false,
    prettyErrors: false,
  });
}

function entryText(folder: SharedFolder): string {
  return typeof folder === 'string'
    ? nameText(folder)
    : `{path: ${nameText(folder.path)}, by: ${folder.by}}`;
}

/** A name that could be read as a number, as `true` or as nothing goes in quotes. */
function nameText(name: string): string {
  return /^[\w./@-]+$/.test(name) &&
    /[A-Za-z]/.test(name) &&
    !/^(?:true|false|null|~|-.*|[\d.+].*)$/i.test(name.replace(/^\.(?=[A-Za-z_])/, ''))
    ? name
    : JSON.stringify(name);
}

function pathOf(folder: SharedFolder): string {
  return typeof folder === 'string' ? folder : folder.path;
}
