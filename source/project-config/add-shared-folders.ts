import {isMap, isScalar, isSeq, parseDocument} from 'yaml';
import {isSame} from '../shared/index.ts';
import type {SharedFolder} from '../domain/index.ts';
import {yamlOptions} from '../syntax/index.ts';
import {parseProject} from './parse-project.ts';
import {sharedPath} from './parse-worktree-fields.ts';

export type ChangedProject = {readonly text: string} | {readonly rejected: string};

/**
 * Adds entries under `share` to the text of the project file and leaves everything else as it is,
 * comments included. The result is parsed again; when anything else would change, the edit is
 * rejected.
 */
export function addSharedFolders(text: string, folders: readonly SharedFolder[]): ChangedProject {
  const before = parseProject(text);
  if (before.problems.length > 0 && isSame(before.value, parseProject('').value))
    return {
      rejected: `it cannot be read: line ${before.problems[0]?.line ?? 1}: ${before.problems[0]?.text ?? ''}`,
    };
  const added = folders.filter(
    (folder) =>
      !(before.value.share ?? []).some((other) => sharedPath(other) === sharedPath(folder)),
  );
  if (added.length === 0) return {text};
  const wanted = {...before.value, share: [...(before.value.share ?? []), ...added]};
  const isRight = (changed: string): boolean => {
    const {value, problems} = parseProject(changed);
    return isSame(value, wanted) && problems.length === before.problems.length;
  };
  const changed = [spliceEntries(text, added), rewriteShare(text, wanted.share)].find(
    (one) => one !== undefined && isRight(one),
  );
  if (changed === undefined)
    return {
      rejected:
        'what it says about share cannot be changed by itself. Write it yourself: share: ' +
        `[${wanted.share.map(entryText).join(', ')}]`,
    };
  return {text: changed};
}

/** Inserts the entries and keeps every other character. */
function spliceEntries(text: string, added: readonly SharedFolder[]): string | undefined {
  const {contents} = parseDocument(text, yamlOptions);
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
    return (
      `${text.slice(0, node.range[0])}[${text.slice(node.range[0], node.range[1])}, ` +
      `${list.join(', ')}]${text.slice(node.range[1])}`
    );
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

/** Written by the YAML library, which keeps comments but not white space. */
function rewriteShare(text: string, share: readonly SharedFolder[]): string | undefined {
  const document = parseDocument(text, yamlOptions);
  if (!isMap(document.contents)) return undefined;
  document.set('share', document.createNode(share, {flow: true}));
  return document.toString({lineWidth: 0});
}

function entryText(folder: SharedFolder): string {
  return typeof folder === 'string'
    ? nameText(folder)
    : `{path: ${nameText(folder.path)}, by: ${folder.by}}`;
}

/** Quotes a name that YAML would parse as a number, a boolean or null. */
function nameText(name: string): string {
  return /^[\w./@-]+$/.test(name) &&
    /[A-Za-z]/.test(name) &&
    !/^(?:true|false|null|~|-.*|[\d.+].*)$/i.test(name.replace(/^\.(?=[A-Za-z_])/, ''))
    ? name
    : JSON.stringify(name);
}
