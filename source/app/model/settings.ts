import type {Model, Settings} from './model.ts';
import {defaultLeaveKey} from '../keymap/chord.ts';
import {buildKeymap} from '../keymap/parse.ts';

export type SettingRow = {
  readonly name: Exclude<keyof Settings, 'keys'>;
  readonly text: string;
  readonly note: string;
  readonly values: readonly {
    readonly value: Settings[SettingRow['name']];
    readonly text: string;
  }[];
};

/** The settings with a few values, in the order of the screen. */
export const settingRows: readonly SettingRow[] = [
  {
    name: 'theme',
    text: 'Colours',
    note: 'Auto takes what the terminal says. With none, marks and words say everything; NO_COLOR does the same.',
    values: [
      {value: 'auto', text: 'auto'},
      {value: 'dark', text: 'dark'},
      {value: 'light', text: 'light'},
      {value: 'none', text: 'none'},
    ],
  },
  {
    name: 'leave',
    text: 'The key that leaves typing',
    note: 'Every other key goes to the pane while you type into it.',
    values: [
      {value: defaultLeaveKey, text: ''},
      {value: 'ctrl-g', text: ''},
      {value: 'ctrl-\\', text: ''},
    ],
  },
  {
    name: 'notify',
    text: 'When something needs you',
    note: 'The bell rings, or the terminal is asked to show a message, once for each need.',
    values: [
      {value: 'bell', text: 'bell'},
      {value: 'message', text: 'message'},
      {value: 'off', text: 'nothing'},
    ],
  },
  {
    name: 'followsNeedy',
    text: 'Follow whoever needs you',
    note: 'The focus goes to the pane that asks something, unless you are writing.',
    values: [
      {value: false, text: 'no'},
      {value: true, text: 'yes'},
    ],
  },
  {
    name: 'mouse',
    text: 'Mouse',
    note: 'A click selects, or presses the key hint under it; the wheel scrolls. Selecting text with the terminal then needs Shift.',
    values: [
      {value: true, text: 'on'},
      {value: false, text: 'off'},
    ],
  },
];

/** The settings with the next value of one of them. */
export function withNextValue(settings: Settings, name: SettingRow['name']): Settings {
  const values = settingRows.find((row) => row.name === name)?.values ?? [];
  const next =
    values[(values.findIndex(({value}) => value === settings[name]) + 1) % values.length];
  return next === undefined ? settings : {...settings, [name]: next.value};
}

/** Applies settings and rebuilds the keymap if keys changed. */
export function withSettings(model: Model, settings: Settings): Model {
  const isSameKeys =
    settings.keys === model.settings.keys && settings.leave === model.settings.leave;
  return {
    ...model,
    settings,
    keymap: isSameKeys ? model.keymap : buildKeymap(settings.keys, settings.leave),
  };
}
