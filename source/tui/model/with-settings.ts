import {keymapOf} from './keymap-of.ts';
import type {Model, Settings} from './model.ts';

/** The model with other settings, and with the keys that they make. */
export function withSettings(model: Model, settings: Settings): Model {
  const isSameKeys =
    settings.keys === model.settings.keys && settings.leave === model.settings.leave;
  return {
    ...model,
    settings,
    keymap: isSameKeys ? model.keymap : keymapOf(settings.keys, settings.leave),
  };
}
