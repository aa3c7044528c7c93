import {type Binding, type Context, contextLabels} from './binding.ts';
import {keymap} from './bindings.ts';
import {nearest} from '../../shared/index.ts';
import {chordToKey, formatChord, parseChord} from './chord.ts';
import {applyKey, emptyField} from '../model/text-field.ts';
import {contextStacks} from './context-stacks.ts';

/** The name of one binding in the settings: `workers.zoom`. */
export function toBindingName({in: context, action}: Pick<Binding, 'in' | 'action'>): string {
  return `${context}.${action}`;
}

/**
 * The bindings that a setting changes: those of an action in every context (`zoom`), or the one of
 * a context (`workers.zoom`). Empty for an unknown name.
 */
export function findBindings(name: string): readonly Binding[] {
  return changeable.filter((binding) => binding.action === name || toBindingName(binding) === name);
}

/** All names of settings. They are public: none may be removed. */
export function bindingNames(): readonly string[] {
  return [...new Set(changeable.flatMap((binding) => [binding.action, toBindingName(binding)]))];
}

/** The key that leaves typing has its own setting, because `orchestra attach` uses it too. */
const changeable = keymap.filter(
  ({isFixed, action}) => isFixed !== true && action !== 'stop-typing',
);

/** One valid setting, with the keys of each binding that it changes. */
export type KeyChange = {
  readonly name: string;
  readonly chords: readonly string[];
  readonly bindings: readonly {readonly of: string; readonly keys: readonly string[]}[];
};

/**
 * Validates one setting by itself: its name, its keys, and whether they can be used in its
 * contexts.
 */
export function parseKeyChange(
  name: string,
  value: unknown,
): KeyChange | {readonly rejected: string} {
  const bound = findBindings(name);
  if (bound.length === 0) return {rejected: explainUnknownName(name)};
  const read = parseChords(value);
  if ('rejected' in read) return read;
  const needed = bound.find((binding) => read.chords.length === 0 && isNeeded(binding));
  if (needed !== undefined)
    return {
      rejected: `it needs a key (${contextLabels[needed.in]}): without one there would be no way to "${needed.text}"`,
    };
  const isOfAll = bound.every((binding) => toBindingName(binding) !== name);
  const bindings = bound.flatMap((binding) => {
    const keys = writingContexts.has(binding.in)
      ? read.chords.filter((chord) => !writesText(chord))
      : read.chords;
    // For an action in all contexts it applies wherever possible; in text fields a letter stays a
    // letter.
    return keys.length < read.chords.length && (!isOfAll || keys.length === 0)
      ? []
      : [{of: toBindingName(binding), keys}];
  });
  const isPossible = isOfAll ? bindings.length > 0 : bindings.length === bound.length;
  return isPossible
    ? {name, chords: read.chords, bindings}
    : {
        rejected:
          `${read.chords.filter(writesText).join(' ')} cannot be a key there ` +
          `(${[...new Set(bound.map((binding) => contextLabels[binding.in]))].join(', ')}): ` +
          'it writes, or moves in what is written',
      };
}

/** The value of a setting: one key, several, or `none`. */
function parseChords(
  value: unknown,
): {readonly chords: readonly string[]} | {readonly rejected: string} {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const written = value === 'none' ? [] : list;
  if (written.length > maxKeys)
    return {rejected: `expected at most ${maxKeys} keys, got ${written.length}`};
  const chords = new Set<string>();
  for (const one of written) {
    if (typeof one !== 'string' || one.length > maxChordLength)
      return {rejected: `expected a key, several, or "none", got ${formatValue(one)}`};
    const read = parseChord(one);
    if ('rejected' in read) return read;
    chords.add(read.chord);
  }

  return {chords: [...chords]};
}

/** `JSON.stringify` returns undefined for values such as undefined. */
function formatValue(value: unknown): string {
  return ((JSON.stringify(value) as string | undefined) ?? 'nothing').slice(0, 40);
}

const maxKeys = 8;
const maxChordLength = 40;

function explainUnknownName(name: string): string {
  const all = keymap.filter(
    (binding) => binding.action === name || toBindingName(binding) === name,
  );
  if (all.some(({action}) => action === 'stop-typing'))
    return 'the key that leaves typing is a setting of its own: leave';
  if (all.length > 0)
    return `${all[0]?.keys.join(' ') ?? ''} stay as they are: ${all[0]?.text ?? ''}`;
  const meant = nearest(name.toLowerCase(), bindingNames());
  return `there is no such name${meant === undefined ? '; orchestra settings keys lists them' : `; ${meant} is near`}`;
}

/** Actions that must have a key: without them a person could not leave, get help or go on. */
function isNeeded({action, in: context}: Binding): boolean {
  return neededActions.has(action) || (context === 'confirm' && action === 'confirm');
}

const neededActions: ReadonlySet<string> = new Set([
  'quit',
  'help',
  'palette',
  'submit',
  'leave-field',
  'leave-confirm',
  'stop-scrolling',
]);

/** Contexts in which characters are text. */
const writingContexts: ReadonlySet<Context> = new Set<Context>(['field', 'prompt', 'palette']);

function writesText(chord: string): boolean {
  return applyKey(emptyField, chordToKey(chord)) !== undefined;
}

/** The keys of one person, and the settings that are ignored. */
export type Keymap = {
  readonly bindings: readonly Binding[];
  readonly problems: readonly KeyProblem[];
};

export type KeyProblem = {readonly name: string; readonly text: string};

/**
 * The default keymap with the settings of a person. An invalid setting, or one whose key conflicts
 * with another binding, is ignored and reported; the others apply. Of two settings that conflict,
 * the later one is ignored.
 */
export function buildKeymap(keys: Readonly<Record<string, unknown>>, leave: string): Keymap {
  const names = Object.keys(keys);
  const read = names.map((name) => ({name, change: parseKeyChange(name, keys[name])}));
  const problems: KeyProblem[] = read.flatMap(({name, change}) =>
    'rejected' in change ? [{name, text: change.rejected}] : [],
  );
  let changes = read.flatMap(({change}) => ('rejected' in change ? [] : [change]));
  for (;;) {
    const bindings = applyChanges(changes, leave);
    // The default keymap has no conflicts, and this runs at every start.
    const found = changes.length === 0 ? undefined : findCollision(bindings, names);
    if (found === undefined)
      return {
        bindings,
        problems: problems.toSorted(
          (one, other) => names.indexOf(one.name) - names.indexOf(other.name),
        ),
      };
    problems.push(found);
    // Its default keys are back and may conflict with another setting: check again, with one
    // setting fewer each time.
    changes = changes.filter(({name}) => name !== found.name);
  }
}

/** A setting for one context overrides a setting for the action in all contexts. */
function applyChanges(changes: readonly KeyChange[], leave: string): Binding[] {
  const changed = new Map<string, {readonly own: string; readonly keys: readonly string[]}>();
  for (const {name, bindings} of changes.toSorted(
    (one, other) => Number(one.name.includes('.')) - Number(other.name.includes('.')),
  )) {
    for (const {of, keys} of bindings) changed.set(of, {own: name, keys});
  }

  return withYieldedKeys(
    keymap.map((binding) => ({
      ...binding,
      ...(binding.action === 'stop-typing' ? {keys: [leave]} : changed.get(toBindingName(binding))),
    })),
  );
}

/** A default key that came later gives way to the key of a setting that is active with it. */
function withYieldedKeys(bindings: Binding[]): Binding[] {
  const own = bindings.filter((binding) => binding.own !== undefined);
  if (own.length === 0) return bindings;
  return bindings.map((binding) => {
    if (binding.yields !== true || binding.own !== undefined) return binding;
    const taken = own.filter(
      (other) =>
        other.action !== binding.action &&
        contextStacks.some((stack) => stack.includes(binding.in) && stack.includes(other.in)),
    );
    const keys = binding.keys.filter((key) => !taken.some((other) => other.keys.includes(key)));
    return keys.length === binding.keys.length ? binding : {...binding, keys};
  });
}

/** The first key with two meanings, and the setting that caused it. */
function findCollision(
  bindings: readonly Binding[],
  names: readonly string[],
): KeyProblem | undefined {
  for (const stack of contextStacks) {
    const taken = new Map<string, Binding[]>();
    for (const binding of bindings) {
      if (!stack.includes(binding.in)) continue;
      for (const key of binding.keys) {
        const others = taken.get(key) ?? [];
        const other = others.find((one) => isConflict(one, binding, key));
        if (other !== undefined) return toProblem(other, binding, key, names);
        taken.set(key, [...others, binding]);
      }
    }
  }

  return undefined;
}

/**
 * In the default keymap some keys mean something more specific in one context. Such pairs are no
 * conflict.
 */
function isConflict(one: Binding, other: Binding, key: string): boolean {
  if (one.action === other.action || (one.own === undefined && other.own === undefined))
    return false;
  return !(isDefaultKey(one, key) && isDefaultKey(other, key));
}

function isDefaultKey(binding: Binding, key: string): boolean {
  return keymap.some(
    (usual) =>
      usual.in === binding.in && usual.action === binding.action && usual.keys.includes(key),
  );
}

function toProblem(
  one: Binding,
  other: Binding,
  key: string,
  names: readonly string[],
): KeyProblem {
  const rank = ({own}: Binding): number => (own === undefined ? -1 : names.indexOf(own));
  const [stays, goes] = rank(one) > rank(other) ? [other, one] : [one, other];
  return {
    name: goes.own ?? '',
    text: `${formatChord(key)} is "${stays.text}" already (${contextLabels[stays.in]}, ${toBindingName(stays)})`,
  };
}
