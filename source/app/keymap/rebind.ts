import {withNotice} from '../model/action.ts';
import {defaultLeaveKey, formatChord, leaveChords} from './chord.ts';
import {keyFor} from './key-for.ts';
import {buildKeymap, findBindings, parseKeyChange, toBindingName} from './parse.ts';
import type {Binding} from './binding.ts';
import {contextOrder} from './bindings.ts';
import type {Model} from '../model/model.ts';
import {withSettings} from '../model/settings.ts';
import {without} from '../../shared/index.ts';

/** All bindings, in the order of the screen that changes keys. */
export function bindingRows({keymap: {bindings}}: Pick<Model, 'keymap'>): Binding[] {
  return contextOrder.flatMap((context) => bindings.filter((binding) => binding.in === context));
}

/** The binding under the cursor. */
export function selectedBinding(model: Model): Binding | undefined {
  const rows = bindingRows(model);
  return rows[Math.max(0, Math.min(rows.length - 1, model.places.keys.cursor))];
}

/** Asks for a new key, unless the binding is fixed. */
export function startRebinding(model: Model, now: number): Model {
  const binding = selectedBinding(model);
  if (binding === undefined) return model;
  if (binding.isFixed === true) return withNotice(model, fixedMessage, now);
  return {...model, rebinding: {name: toBindingName(binding)}};
}

const fixedMessage = 'This one stays as it is.';

/** Binds the key that was pressed. If it is invalid, shows why and keeps asking. */
export function finishRebinding(model: Model, chord: string, now: number): Model {
  const {rebinding, settings} = model;
  if (rebinding === undefined) return model;
  const chosen =
    rebinding.name === leaveBindingName
      ? changeLeaveKey(settings, chord)
      : changeKeys(settings.keys, settings.leave, rebinding.name, [chord]);
  if ('rejected' in chosen)
    return {
      ...model,
      rebinding: {
        name: rebinding.name,
        rejected: chosen.rejected.replace(`${rebinding.name}: `, ''),
      },
    };
  return withNotice(
    withSettings({...model, rebinding: undefined}, {...settings, ...chosen}),
    `${formatChord(chord)} it is.`,
    now,
    'good',
  );
}

const leaveBindingName = toBindingName({in: 'typing', action: 'stop-typing'});

function changeLeaveKey(
  {leave}: Model['settings'],
  chord: string,
): {readonly leave: string} | {readonly rejected: string} {
  if (leaveChords.includes(chord)) return {leave: chord};
  return {
    rejected:
      'typing is left by Ctrl and a letter, or Ctrl-] and the like, which no program ' +
      `misses; it is ${formatChord(leave)} now`,
  };
}

/**
 * Removes the setting of the binding: that of its context, else that of the action in all contexts.
 */
export function resetKey(model: Model, now: number): Model {
  const {settings} = model;
  const binding = selectedBinding(model);
  const {own} = binding ?? {};
  if (binding?.action === 'stop-typing' && settings.leave !== defaultLeaveKey)
    return withNotice(
      withSettings(model, {...settings, leave: defaultLeaveKey}),
      `${formatChord(defaultLeaveKey)} it is again.`,
      now,
      'good',
    );
  if (own === undefined) return withNotice(model, 'It is the usual key.', now);
  const changed = changeKeys(settings.keys, settings.leave, own, 'usual');
  if ('rejected' in changed)
    return withNotice(model, `Not while another has its key. ${changed.rejected}`, now, 'bad');
  return withNotice(
    withSettings(model, {...settings, ...changed}),
    own.includes('.') ? 'The usual key again.' : `The usual keys again, wherever there is ${own}.`,
    now,
    'good',
  );
}

/** Removes the key of a binding, unless it must have one. */
export function unbindKey(model: Model, now: number): Model {
  const {settings} = model;
  const binding = selectedBinding(model);
  if (binding === undefined || binding.isFixed === true || binding.action === 'stop-typing')
    return withNotice(
      model,
      binding?.isFixed === true ? fixedMessage : 'Typing needs a key that leaves it.',
      now,
    );
  const changed = changeKeys(settings.keys, settings.leave, toBindingName(binding), ['none']);
  if ('rejected' in changed) return withNotice(model, changed.rejected, now, 'bad');
  return withNotice(
    withSettings(model, {...settings, ...changed}),
    `It has no key now; ${keyFor(model, 'palette', 'command')} finds it by its name.`,
    now,
    'good',
  );
}

type KeySettings = Readonly<Record<string, unknown>>;

/**
 * Key settings with other keys for a name, or with its default again. Rejected if another setting
 * would conflict then.
 */
export function changeKeys(
  keys: KeySettings,
  leave: string,
  name: string,
  chords: readonly string[] | 'usual',
): {readonly keys: KeySettings} | {readonly rejected: string} {
  const rest = without(keys, name);
  if (chords === 'usual')
    return Object.hasOwn(keys, name) || findBindings(name).length > 0
      ? checkKeys(keys, rest, leave, name)
      : rejectName(name);
  const change = parseKeyChange(name, chords.length === 1 ? chords[0] : chords);
  if ('rejected' in change) return {rejected: `${name}: ${change.rejected}`};
  return checkKeys(keys, {...rest, [name]: toSetting(change.chords)}, leave, name);
}

function toSetting(chords: readonly string[]): string | readonly string[] {
  const [first, ...more] = chords;
  if (first === undefined) return 'none';
  return more.length === 0 ? first : chords;
}

/** Rejects a change that makes a setting ignored which applied before. */
function checkKeys(
  before: KeySettings,
  after: KeySettings,
  leave: string,
  name: string,
): ReturnType<typeof changeKeys> {
  const known = new Set(buildKeymap(before, leave).problems.map((one) => one.name));
  const problem = buildKeymap(after, leave).problems.find(
    (one) => one.name === name || !known.has(one.name),
  );
  return problem === undefined ? {keys: after} : {rejected: `${problem.name}: ${problem.text}`};
}

function rejectName(name: string): {readonly rejected: string} {
  const change = parseKeyChange(name, 'none');
  return {rejected: `${name}: ${'rejected' in change ? change.rejected : 'there is no such name'}`};
}
