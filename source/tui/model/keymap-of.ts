import {chordInWords} from './chord.ts';
import {contextStacks} from './context-stacks.ts';
import {keyNameOf} from './key-names.ts';
import {contextWords, keymap, type Binding} from './keymap.ts';
import {readKeyChange, type KeyChange} from './read-key-change.ts';

/** The keys of one person, and what of their wishes counts as not said. */
export type Keymap = {
  readonly bindings: readonly Binding[];
  readonly problems: readonly KeyProblem[];
};

export type KeyProblem = {readonly name: string; readonly words: string};

/**
 * The table of keys with a person's own in it. Whatever is wished, it can be used: an entry that is not understood, or whose key does
 * something else where both can be open, counts as not said, and the rest holds. The later of two that want the same gives way.
 */
export function keymapOf(keys: Readonly<Record<string, unknown>>, leave: string): Keymap {
  const names = Object.keys(keys);
  const read = names.map((name) => ({name, change: readKeyChange(name, keys[name])}));
  const problems: KeyProblem[] = read.flatMap(({name, change}) =>
    'refused' in change ? [{name, words: change.refused}] : [],
  );
  let changes = read.flatMap(({change}) => ('refused' in change ? [] : [change]));
  for (;;) {
    const bindings = withChanges(changes, leave);
    // The usual table has none, and whoever opens the app waits for this.
    const found = changes.length === 0 ? undefined : collisionIn(bindings, names);
    if (found === undefined)
      return {
        bindings,
        problems: problems.toSorted(
          (one, other) => names.indexOf(one.name) - names.indexOf(other.name),
        ),
      };
    problems.push(found);
    // Its usual keys are back, which another may have taken: it is looked at again, with one wish fewer each time.
    changes = changes.filter(({name}) => name !== found.name);
  }
}

/** What is said of one context is more special than what is said of a deed as a whole. */
function withChanges(changes: readonly KeyChange[], leave: string): Binding[] {
  const special = new Map<string, {readonly own: string; readonly keys: readonly string[]}>();
  for (const {name, bindings} of changes.toSorted(
    (one, other) => Number(one.name.includes('.')) - Number(other.name.includes('.')),
  )) {
    for (const {of, keys} of bindings) special.set(of, {own: name, keys});
  }

  return keymap.map((binding) => ({
    ...binding,
    ...(binding.does === 'stop-typing' ? {keys: [leave]} : special.get(keyNameOf(binding))),
  }));
}

/** The first key that would mean two things at once, and whose wish that was. */
function collisionIn(
  bindings: readonly Binding[],
  names: readonly string[],
): KeyProblem | undefined {
  for (const stack of contextStacks) {
    const taken = new Map<string, Binding[]>();
    for (const binding of bindings) {
      if (!stack.includes(binding.in)) continue;
      for (const key of binding.keys) {
        const others = taken.get(key) ?? [];
        const other = others.find((one) => isInTheWay(one, binding, key));
        if (other !== undefined) return problemOf(other, binding, key, names);
        taken.set(key, [...others, binding]);
      }
    }
  }

  return undefined;
}

/** The usual table has keys that mean something more special in one place, on purpose; that is no reason to refuse what keeps them. */
function isInTheWay(one: Binding, other: Binding, key: string): boolean {
  if (one.does === other.does || (one.own === undefined && other.own === undefined)) return false;
  return !(isUsual(one, key) && isUsual(other, key));
}

function isUsual(binding: Binding, key: string): boolean {
  return keymap.some(
    (usual) => usual.in === binding.in && usual.does === binding.does && usual.keys.includes(key),
  );
}

function problemOf(
  one: Binding,
  other: Binding,
  key: string,
  names: readonly string[],
): KeyProblem {
  const rank = ({own}: Binding): number => (own === undefined ? -1 : names.indexOf(own));
  const [stays, goes] = rank(one) > rank(other) ? [other, one] : [one, other];
  return {
    name: goes.own ?? '',
    words: `${chordInWords(key)} is "${stays.words}" already (${contextWords[stays.in]}, ${keyNameOf(stays)})`,
  };
}
