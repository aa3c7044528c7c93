import cliTruncate from 'cli-truncate';
import type {DOMElement} from 'ink';
import wrapAnsi from 'wrap-ansi';
import {textWidth} from '../../terminal/index.ts';

type Child = DOMElement['childNodes'][number];
type TextChild = Extract<Child, {readonly nodeName: '#text'}>;

/** The text of an `ink-text` node, with its styles, wrapped or cut to the width of its box. */
export function toFittedText(node: DOMElement, columns: number): string {
  const text = fit(joinText(node), columns, node.style.textWrap ?? 'wrap');
  return transformLines(text, node.internal_transform);
}

/** Everything that the text depends on. Each part is another object once it is rendered again. */
export function collectParts(node: DOMElement, into: unknown[] = []): unknown[] {
  into.push(node.internal_transform, node.childNodes.length, node.isHidden);
  for (const child of node.childNodes) {
    if (isText(child)) into.push(child.nodeValue);
    else collectParts(child, into);
  }

  return into;
}

/** Whether `collectParts` would give the same, without a list of them: most texts stay as they are. */
export function hasSameParts(node: DOMElement, parts: readonly unknown[]): boolean {
  return countSameParts(node, parts, 0) === parts.length;
}

/** Where in the list the parts of a node end; -1 if one of them differs. */
function countSameParts(node: DOMElement, parts: readonly unknown[], start: number): number {
  const {childNodes} = node;
  if (
    parts[start] !== node.internal_transform ||
    parts[start + 1] !== childNodes.length ||
    parts[start + 2] !== node.isHidden
  )
    return -1;
  let at = start + 3;
  for (const child of childNodes) {
    if (!isText(child)) at = countSameParts(child, parts, at);
    else if (parts[at] === child.nodeValue) at++;
    else return -1;
    if (at === -1) return -1;
  }

  return at;
}

function isText(child: Child): child is TextChild {
  return child.nodeName === '#text';
}

/** Joins the parts of a text as Ink does before it measures them. */
function joinText(node: DOMElement): string {
  let text = '';
  for (const child of node.childNodes) {
    if (isText(child)) {
      text += child.nodeValue;
    } else if (child.isHidden !== true) {
      text += transformLines(joinText(child), child.internal_transform);
    }
  }

  return text;
}

function transformLines(text: string, transform: DOMElement['internal_transform']): string {
  if (transform === undefined || text === '') return text;
  return text.includes('\n')
    ? text
        .split('\n')
        .map((line, index) => transform(line, index))
        .join('\n')
    : transform(text, 0);
}

/** The same packages and options as Ink measures with, so that the text fits its box. */
function fit(text: string, columns: number, wrap: string): string {
  const lines = text.split('\n');
  if (lines.every((line) => textWidth(line) <= columns)) return text;
  if (columns <= 0 && !wrap.startsWith('truncate')) return text;
  const key = `${columns} ${wrap} ${text}`;
  const known = fitted.get(key);
  if (known !== undefined) return known;
  const made = wrap.startsWith('truncate')
    ? lines.map((line) => cliTruncate(line, columns, {position: positionOf(wrap)})).join('\n')
    : wrapAnsi(text, columns, {trim: false, hard: true, wordWrap: wrap === 'wrap'});
  if (fitted.size > maxFitted) fitted.clear();
  fitted.set(key, made);
  return made;
}

function positionOf(wrap: string): 'start' | 'middle' | 'end' {
  if (wrap === 'truncate-start') return 'start';
  return wrap === 'truncate-middle' ? 'middle' : 'end';
}

const maxFitted = 4096;
const fitted = new Map<string, string>();
