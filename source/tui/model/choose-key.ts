import {saying} from './action.ts';
import {changeKeys} from './change-keys.ts';
import {chordInWords} from './chord.ts';
import {keyFor} from './key-for.ts';
import {keyNameOf} from './key-names.ts';
import {contextOrder, type Binding} from './keymap.ts';
import {leaveChords} from './leave-key-of.ts';
import type {Model} from './model.ts';
import {withSettings} from './with-settings.ts';

/** Every binding, in the order of the list. */
export function bindingRows({keymap: {bindings}}: Pick<Model, 'keymap'>): Binding[] {
  return contextOrder.flatMap((context) => bindings.filter((binding) => binding.in === context));
}

/** The binding that the cursor stands on. */
export function bindingInView(model: Model): Binding | undefined {
  const rows = bindingRows(model);
  return rows[Math.max(0, Math.min(rows.length - 1, model.places.keys.cursor))];
}

/** Asks for the next key, unless it is one that stays as it is. */
export function askForKey(model: Model, now: number): Model {
  const binding = bindingInView(model);
  if (binding === undefined) return model;
  if (binding.isFixed === true) return saying(model, fixed, now);
  return {...model, pressing: {name: keyNameOf(binding)}};
}

const fixed = 'This one stays as it is.';

/** Takes the key that was pressed for the one that was asked for; where it cannot be, says why and asks on. */
export function chooseKey(model: Model, chord: string, now: number): Model {
  const {pressing, settings} = model;
  if (pressing === undefined) return model;
  const chosen =
    pressing.name === leaving
      ? leaveBy(settings, chord)
      : changeKeys(settings.keys, settings.leave, pressing.name, [chord]);
  if ('refused' in chosen)
    return {
      ...model,
      pressing: {name: pressing.name, refused: chosen.refused.replace(`${pressing.name}: `, '')},
    };
  return saying(
    withSettings({...model, pressing: undefined}, {...settings, ...chosen}),
    `${chordInWords(chord)} it is.`,
    now,
    'good',
  );
}

const leaving = keyNameOf({in: 'typing', does: 'stop-typing'});

function leaveBy(
  {leave}: Model['settings'],
  chord: string,
): {readonly leave: string} | {readonly refused: string} {
  if (leaveChords.includes(chord)) return {leave: chord};
  return {
    refused: `typing is left by Ctrl and a letter, or Ctrl-] and the like, which no program misses; it is ${chordInWords(leave)} now`,
  };
}

/** Takes a change back: that of the one place, else that of the deed everywhere. */
export function takeBackKey(model: Model, now: number): Model {
  const {settings} = model;
  const binding = bindingInView(model);
  const {own} = binding ?? {};
  if (binding?.does === 'stop-typing' && settings.leave !== usualLeave)
    return saying(
      withSettings(model, {...settings, leave: usualLeave}),
      `${chordInWords(usualLeave)} it is again.`,
      now,
      'good',
    );
  if (own === undefined) return saying(model, 'It is the usual key.', now);
  const changed = changeKeys(settings.keys, settings.leave, own, 'usual');
  if ('refused' in changed)
    return saying(model, `Not while another has its key. ${changed.refused}`, now, 'bad');
  return saying(
    withSettings(model, {...settings, ...changed}),
    own.includes('.') ? 'The usual key again.' : `The usual keys again, wherever there is ${own}.`,
    now,
    'good',
  );
}

const usualLeave = 'ctrl-]';

/** Leaves it without a key, if one can do without. */
export function takeKeyOff(model: Model, now: number): Model {
  const {settings} = model;
  const binding = bindingInView(model);
  if (binding === undefined || binding.isFixed === true || binding.does === 'stop-typing')
    return saying(
      model,
      binding?.isFixed === true ? fixed : 'Typing needs a key that leaves it.',
      now,
    );
  const changed = changeKeys(settings.keys, settings.leave, keyNameOf(binding), ['none']);
  if ('refused' in changed) return saying(model, changed.refused, now, 'bad');
  return saying(
    withSettings(model, {...settings, ...changed}),
    `It has no key now; ${keyFor(model, 'palette', 'command')} finds it by its name.`,
    now,
    'good',
  );
}
