import {displayWidth} from '../../base/index.ts';
import type {Key} from '../input/key.ts';
import {safeLine} from './cell-text.ts';

/** A line that a person types into: the text, and where in it the cursor stands. It never stands inside of what is seen as one character. */
export type TextField = {readonly text: string; readonly cursor: number};

export const emptyField: TextField = {text: '', cursor: 0};

export function fieldOf(text: string): TextField {
  return {text, cursor: text.length};
}

/** The field after a key; nothing when the key is none of a field's. */
export function typeInto(field: TextField, key: Key): TextField | undefined {
  const {text, cursor} = field;
  const moved = (to: number): TextField => ({text, cursor: to});
  const cutOut = (from: number, to: number): TextField => ({
    text: `${text.slice(0, from)}${text.slice(to)}`,
    cursor: from,
  });
  switch (nameOf(key)) {
    case 'left':
    case 'ctrl-b':
      return moved(characterBefore(field));
    case 'right':
    case 'ctrl-f':
      return moved(characterBehind(field));
    case 'alt-left':
    case 'ctrl-left':
    case 'alt-b':
      return moved(wordBefore(field));
    case 'alt-right':
    case 'ctrl-right':
    case 'alt-f':
      return moved(wordBehind(field));
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
      return cutOut(cursor, characterBehind(field));
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

/** What is pasted goes into one line: its line breaks become spaces. What is too much is left out. */
export function insert({text, cursor}: TextField, more: string): TextField {
  const room = Math.max(0, mostCharacters - text.length);
  // Not half of a character of two units.
  const taken = more
    .replaceAll(/\s+/g, ' ')
    .slice(0, room)
    .replace(/[\uD800-\uDBFF]$/, '');
  return {
    text: `${text.slice(0, cursor)}${taken}${text.slice(cursor)}`,
    cursor: cursor + taken.length,
  };
}

/** More than anybody writes into one line; a text that is longer belongs into a file that the objective names. */
export const mostCharacters = 8000;

/** The part of the field that a line of so many cells shows, as it is shown, and the character that the cursor stands on. */
export function windowOf(
  {text, cursor}: TextField,
  cells: number,
): {readonly before: string; readonly at: string; readonly after: string} {
  const near = nearCells * 4;
  const before = takeCells(
    charactersIn(text.slice(Math.max(0, cursor - near), cursor)).toReversed(),
    Math.max(0, cells - 2),
  )
    .toReversed()
    .join('');
  const [under, ...rest] = charactersIn(text.slice(cursor, cursor + near)).map(safeLine);
  const at = under === undefined || under === '' ? ' ' : under;
  return {
    before,
    at,
    after: takeCells(rest, cells - displayWidth(before) - displayWidth(at)).join(''),
  };
}

/** No line that is shown is longer; what is farther away is not looked at. */
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

function nameOf({name, ctrl, alt}: Key): string {
  return `${ctrl ? 'ctrl-' : ''}${alt ? 'alt-' : ''}${name}`;
}

/** As a person counts them: an accent belongs to its letter, a family is one emoji. */
function charactersIn(text: string): string[] {
  return Array.from(segmenter.segment(text), ({segment}) => segment);
}

const segmenter = new Intl.Segmenter('en', {granularity: 'grapheme'});

function characterBefore({text, cursor}: TextField): number {
  return cursor - (charactersIn(text.slice(Math.max(0, cursor - 100), cursor)).at(-1)?.length ?? 0);
}

function characterBehind({text, cursor}: TextField): number {
  return cursor + (charactersIn(text.slice(cursor, cursor + 100))[0]?.length ?? 0);
}

function wordBefore({text, cursor}: TextField): number {
  return text.slice(0, cursor).replace(/\S* *$/, '').length;
}

function wordBehind({text, cursor}: TextField): number {
  return cursor + (/^ *\S*/.exec(text.slice(cursor))?.[0].length ?? 0);
}
