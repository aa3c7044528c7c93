import type {Key} from '../input/key.ts';
import {headOf} from './cell-text.ts';

/** A line that a person types into: the text, and how many characters stand before the cursor. */
export type TextField = {readonly text: string; readonly cursor: number};

export const emptyField: TextField = {text: '', cursor: 0};

export function fieldOf(text: string): TextField {
  return {text, cursor: Array.from(text).length};
}

/** The field after a key; nothing when the key is none of a field's. */
export function typeInto(field: TextField, key: Key): TextField | undefined {
  const characters = Array.from(field.text);
  const {cursor} = field;
  const moved = (to: number): TextField => ({...field, cursor: Math.max(0, Math.min(characters.length, to))});
  const cutOut = (from: number, to: number): TextField => ({text: [...characters.slice(0, Math.max(0, from)), ...characters.slice(to)].join(''), cursor: Math.max(0, from)});
  switch (nameOf(key)) {
    case 'left':
    case 'ctrl-b':
      return moved(cursor - 1);
    case 'right':
    case 'ctrl-f':
      return moved(cursor + 1);
    case 'home':
    case 'ctrl-a':
      return moved(0);
    case 'end':
    case 'ctrl-e':
      return moved(characters.length);
    case 'backspace':
    case 'ctrl-h':
      return cursor === 0 ? field : cutOut(cursor - 1, cursor);
    case 'delete':
    case 'ctrl-d':
      return cutOut(cursor, cursor + 1);
    case 'ctrl-u':
      return cutOut(0, cursor);
    case 'ctrl-k':
      return cutOut(cursor, characters.length);
    case 'ctrl-w':
    case 'alt-backspace':
      return cutOut(wordBefore(characters, cursor), cursor);
    default:
      return key.ctrl || key.alt || key.text === '' || isControl.test(key.text) ? undefined : insert(field, key.text);
  }
}

/** What is pasted goes into one line: its line breaks become spaces. */
export function insert(field: TextField, text: string): TextField {
  const characters = Array.from(field.text);
  const more = Array.from(text.replaceAll(/\s+/g, ' '));
  return {text: [...characters.slice(0, field.cursor), ...more, ...characters.slice(field.cursor)].join('').slice(0, mostCharacters), cursor: field.cursor + more.length};
}

/** The part of the field that a line of so many cells shows, and where in it the cursor stands. */
export function windowOf(field: TextField, cells: number): {readonly before: string; readonly at: string; readonly after: string} {
  const characters = Array.from(field.text);
  let from = 0;
  while (from < field.cursor && headOf(characters.slice(from, field.cursor).join(''), cells - 2) !== characters.slice(from, field.cursor).join('')) from += 1;
  const before = characters.slice(from, field.cursor).join('');
  const at = characters[field.cursor] ?? ' ';
  const after = headOf(characters.slice(field.cursor + 1).join(''), Math.max(0, cells - before.length - 2));
  return {before, at, after};
}

const mostCharacters = 8000;
const isControl = /[\u0000-\u001F\u007F]/;

function nameOf({name, ctrl, alt}: Key): string {
  return `${ctrl ? 'ctrl-' : ''}${alt ? 'alt-' : ''}${name}`;
}

function wordBefore(characters: readonly string[], cursor: number): number {
  let at = cursor;
  while (at > 0 && characters[at - 1] === ' ') at -= 1;
  while (at > 0 && characters[at - 1] !== ' ') at -= 1;
  return at;
}
