import {sanitizeText} from '../base/index.ts';
import type {ChangedKeys, Preferences} from '../settings/index.ts';
import {
  changeKeys,
  contextOrder,
  contextWords,
  keymap,
  keymapOf,
  keyNameOf,
  type Binding,
} from '../tui/index.ts';
import {Impossible} from './here.ts';

/** What is to be written for `settings keys.NAME KEY…`: keys, `none`, or `default` for the usual ones; `settings keys default` takes all back. */
export function changedKeys(
  now: Preferences,
  name: string,
  values: readonly string[],
): ChangedKeys {
  const isUsual = values.length === 1 && values[0] === 'default';
  if (name === '') {
    if (!isUsual)
      throw new Impossible(
        'expected keys.NAME and its keys, such as keys.zoom f11; "keys default" takes all of yours back; orchestra settings keys lists the names',
      );
    return Object.fromEntries(Object.keys(now.keys).map((one) => [one, undefined]));
  }

  const changed = changeKeys(now.keys, now.leave, name, isUsual ? 'usual' : values);
  if ('refused' in changed)
    throw new Impossible(`the keys were left as they are. keys.${changed.refused}`);
  return {[name]: changed.keys[name]};
}

/** The person's own that hold, as they are written. */
export function ownKeys({keys, leave}: Preferences): ChangedKeys {
  const unsaid = new Set(keymapOf(keys, leave).problems.map(({name}) => name));
  return Object.fromEntries(Object.entries(keys).filter(([name]) => !unsaid.has(name)));
}

/** Refuses to show what there is not. */
export function checkKeyName(now: Preferences, name: string): void {
  if (bindingsOf(now, name).length > 0) return;
  const refusal = changeKeys(now.keys, now.leave, name, ['none']);
  throw new Impossible(`keys.${'refused' in refusal ? refusal.refused : name}`);
}

type KeysReport = {
  readonly keys: Readonly<Record<string, readonly string[]>>;
  readonly own: ChangedKeys;
  readonly problems: readonly {readonly name: string; readonly words: string}[];
};

/** Each binding with the keys that it has, what of it is the person's own, and what counts as not said. */
export function keysReport(now: Preferences, name: string): KeysReport {
  const isAbout = (one: string): boolean => name === '' || one === name || one.endsWith(`.${name}`);
  return {
    keys: Object.fromEntries(
      bindingsOf(now, name).map((binding) => [keyNameOf(binding), binding.keys]),
    ),
    own: Object.fromEntries(Object.entries(ownKeys(now)).filter(([one]) => isAbout(one))),
    problems: keymapOf(now.keys, now.leave).problems.filter((problem) => isAbout(problem.name)),
  };
}

export function showKeys(now: Preferences, name: string): string {
  const bindings = bindingsOf(now, name);
  const contexts = contextOrder.filter((context) =>
    bindings.some((binding) => binding.in === context),
  );
  return contexts
    .map(
      (context) =>
        `${contextWords[context]}\n${bindings
          .filter((binding) => binding.in === context)
          .map(lineOf)
          .join('')}`,
    )
    .join('\n');
}

export function problemsInWords({keys, leave}: Preferences): string {
  return keymapOf(keys, leave)
    .problems.map(
      ({name, words}) =>
        `! keys.${sanitizeText(name)} counts as not said: ${sanitizeText(words)}\n`,
    )
    .join('');
}

function bindingsOf({keys, leave}: Preferences, name: string): readonly Binding[] {
  const {bindings} = keymapOf(keys, leave);
  return name === ''
    ? bindings
    : bindings.filter((binding) => binding.does === name || keyNameOf(binding) === name);
}

function lineOf(binding: Binding): string {
  const usual =
    keymap.find((one) => one.in === binding.in && one.does === binding.does)?.keys ?? [];
  const isOwn = binding.keys.join(' ') !== usual.join(' ');
  const name =
    binding.isFixed === true
      ? `(${binding.does})`
      : binding.does === 'stop-typing'
        ? '(setting leave)'
        : keyNameOf(binding);
  return `${isOwn ? '*' : ' '} ${name.padEnd(29)} ${written(binding.keys).padEnd(22)} ${binding.words}${isOwn ? `; usually ${written(usual)}` : ''}\n`;
}

function written(keys: readonly string[]): string {
  return keys.length === 0 ? 'none' : keys.join(' ');
}
