import {displayWidth} from '../../shared/index.ts';
import type {Key} from '../input/key.ts';
import {safeLine} from './line.ts';

/** The text of a field and the cursor in it. The cursor is never inside of a grapheme. */
export type TextField = {readonly text: string; readonly cursor: number};

export const emptyField: TextField = {text: '', cursor: 0};

export function toField(text: string): TextField {
  return {text, cursor: text.length};
}

/** The field after a key; undefined if the key does not edit. */
export function applyKey(field: TextField, key: Key): TextField | undefined {
  const {text, cursor} = field;
  const moved = (to: number): TextField => ({text, cursor: to});
  const cutOut = (from: number, to: number): TextField => ({
    text: `${text.slice(0, from)}${text.slice(to)}`,
    cursor: from,
  });
  switch (toKeyName(key)) {
    case 'left':
    case 'ctrl-b':
      return moved(characterBefore(field));
    case 'right':
    case 'ctrl-f':
      return moved(characterAfter(field));
    case 'alt-left':
    case 'ctrl-left':
    case 'alt-b':
      return moved(wordBefore(field));
    case 'alt-right':
    case 'ctrl-right':
    case 'alt-f':
      return moved(wordAfter(field));
    case 'home':
    case 'ctrl-a':
      return moved(0);
    case 'end':
    case 'ctrl-e':
      return moved(text.length);
    case 'backspace':
    case 'ctrl-h':
      return cutOut(characterBefore(field), cursor);
    case 'delete':
    case 'ctrl-d':
      return cutOut(cursor, characterAfter(field));
    case 'ctrl-u':
      return cutOut(0, cursor);
    case 'ctrl-k':
      return cutOut(cursor, text.length);
    case 'ctrl-w':
    case 'alt-backspace':
      return cutOut(wordBefore(field), cursor);
    default:
      return key.ctrl || key.alt || key.text === '' || isControl.test(key.text)
        ? undefined
        : insert(field, key.text);
  }
}

/**
 * Inserts text. Line breaks become spaces, and text beyond `maxCharacters` is dropped. An exact text
 * keeps its blanks, and loses the line break at its end: nobody would see that a secret has changed.
 */
export function insert(
  {text, cursor}: TextField,
  more: string,
  {isExact = false}: {readonly isExact?: boolean} = {},
): TextField {
  const line = isExact
    ? more.replace(/[\r\n]+$/, '').replaceAll(/[\r\n]+/g, ' ')
    : more.replaceAll(/\s+/g, ' ');
  const space = Math.max(0, maxCharacters - text.length);
  // Do not cut a surrogate pair.
  const taken = line.slice(0, space).replace(/[\uD800-\uDBFF]$/, '');
  return {
    text: `${text.slice(0, cursor)}${taken}${text.slice(cursor)}`,
    cursor: cursor + taken.length,
  };
}

/**
 * More than anybody writes into one line. A longer text belongs into a file that the objective
 * names.
 */
export const maxCharacters = 8000;

/**
 * The visible part of the field: text before the cursor, the character at it, and text after it.
 */
export function visibleText(
  {text, cursor}: TextField,
  cells: number,
): {readonly before: string; readonly at: string; readonly after: string} {
  const nearCharacters = nearCells * 4;
  const before = takeCells(
    charactersIn(text.slice(Math.max(0, cursor - nearCharacters), cursor)).toReversed(),
    Math.max(0, cells - 2),
  )
    .toReversed()
    .join('');
  const [under, ...rest] = charactersIn(text.slice(cursor, cursor + nearCharacters)).map(safeLine);
  const at = under === undefined || under === '' ? ' ' : under;
  return {
    before,
    at,
    after: takeCells(rest, cells - displayWidth(before) - displayWidth(at)).join(''),
  };
}

/** No line is wider. Text farther away from the cursor is skipped. */
const nearCells = 500;

function takeCells(characters: readonly string[], cells: number): string[] {
  const taken: string[] = [];
  let used = 0;
  for (const character of characters.map(safeLine)) {
    used += displayWidth(character);
    if (used > cells) break;
    taken.push(character);
  }

  return taken;
}

const isControl = /[\u0000-\u001F\u007F]/;

function toKeyName({name, ctrl, alt}: Key): string {
  return `${ctrl ? 'ctrl-' : ''}${alt ? 'alt-' : ''}${name}`;
}

/** Graphemes: an accent belongs to its letter, a family is one emoji. */
function charactersIn(text: string): string[] {
  return Array.from(segmenter.segment(text), ({segment}) => segment);
}

const segmenter = new Intl.Segmenter('en', {granularity: 'grapheme'});

function characterBefore({text, cursor}: TextField): number {
  return cursor - (charactersIn(text.slice(Math.max(0, cursor - 100), cursor)).at(-1)?.length ?? 0);
}

function characterAfter({text, cursor}: TextField): number {
  return cursor + (charactersIn(text.slice(cursor, cursor + 100))[0]?.length ?? 0);
}

function wordBefore({text, cursor}: TextField): number {
  return text.slice(0, cursor).replace(/\S* *$/, '').length;
}

function wordAfter({text, cursor}: TextField): number {
  return cursor + (/^ *\S*/.exec(text.slice(cursor))?.[0].length ?? 0);
}
