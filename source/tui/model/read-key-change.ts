import {nearest} from '../../base/index.ts';
import {keyOfChord} from './chord.ts';
import {boundBy, keyNameOf, keyNames} from './key-names.ts';
import {keymap, contextWords, type Binding, type Context} from './keymap.ts';
import {readChord} from './read-chord.ts';
import {emptyField, typeInto} from './text-field.ts';

/** What a person wants of one name, and the keys of each binding that it changes. */
export type KeyChange = {
  readonly name: string;
  readonly chords: readonly string[];
  readonly bindings: readonly {readonly of: string; readonly keys: readonly string[]}[];
};

/** One entry of the settings, by itself: whether there is such a name, such keys, and whether they can be keys there. */
export function readKeyChange(
  name: string,
  value: unknown,
): KeyChange | {readonly refused: string} {
  const bound = boundBy(name);
  if (bound.length === 0) return {refused: whyNoName(name)};
  const read = readChords(value);
  if ('refused' in read) return read;
  const needed = bound.find((binding) => read.chords.length === 0 && isNeeded(binding));
  if (needed !== undefined)
    return {
      refused: `it needs a key (${contextWords[needed.in]}): without one there would be no way to "${needed.words}"`,
    };
  const isOfAll = bound.every((binding) => keyNameOf(binding) !== name);
  const bindings = bound.flatMap((binding) => {
    const keys = writing.has(binding.in)
      ? read.chords.filter((chord) => !isWriting(chord))
      : read.chords;
    // Said of a deed as a whole it holds wherever it can; a letter stays a letter where one writes.
    return keys.length < read.chords.length && (!isOfAll || keys.length === 0)
      ? []
      : [{of: keyNameOf(binding), keys}];
  });
  const isPossible = isOfAll ? bindings.length > 0 : bindings.length === bound.length;
  return isPossible
    ? {name, chords: read.chords, bindings}
    : {
        refused: `${read.chords.filter(isWriting).join(' ')} cannot be a key there (${[...new Set(bound.map((binding) => contextWords[binding.in]))].join(', ')}): it writes, or moves in what is written`,
      };
}

/** A value of the settings: one key, several, or none. */
function readChords(
  value: unknown,
): {readonly chords: readonly string[]} | {readonly refused: string} {
  const written: readonly unknown[] =
    value === 'none' ? [] : Array.isArray(value) ? value : [value];
  if (written.length > mostKeys)
    return {refused: `expected at most ${mostKeys} keys, got ${written.length}`};
  const chords = new Set<string>();
  for (const one of written) {
    if (typeof one !== 'string' || one.length > longestChord)
      return {refused: `expected a key, several, or "none", got ${quoted(one)}`};
    const read = readChord(one);
    if ('refused' in read) return read;
    chords.add(read.chord);
  }

  return {chords: [...chords]};
}

/** Also of what JSON cannot say. */
function quoted(value: unknown): string {
  return ((JSON.stringify(value) as string | undefined) ?? 'nothing').slice(0, 40);
}

const mostKeys = 8;
const longestChord = 40;

function whyNoName(name: string): string {
  const all = keymap.filter((binding) => binding.does === name || keyNameOf(binding) === name);
  if (all.some(({does}) => does === 'stop-typing'))
    return 'the key that leaves typing is a setting of its own: leave';
  if (all.length > 0)
    return `${all[0]?.keys.join(' ') ?? ''} stay as they are: ${all[0]?.words ?? ''}`;
  const meant = nearest(name.toLowerCase(), keyNames());
  return `there is no such name${meant === undefined ? '; orchestra settings keys lists them' : `; ${meant} is near`}`;
}

/** Without these a person could not leave, or get help, or get anything done where they are. */
function isNeeded({does, in: context}: Binding): boolean {
  return needed.has(does) || (context === 'confirm' && does === 'confirm');
}

const needed: ReadonlySet<string> = new Set([
  'quit',
  'help',
  'palette',
  'submit',
  'leave-field',
  'leave-confirm',
  'stop-scrolling',
]);

/** Where characters are written. */
const writing: ReadonlySet<Context> = new Set<Context>(['field', 'prompt', 'palette']);

function isWriting(chord: string): boolean {
  return typeInto(emptyField, keyOfChord(chord)) !== undefined;
}
