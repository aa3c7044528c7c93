import type {Model, Settings} from './model.ts';
import {defaultLeaveKey} from '../keymap/chord.ts';
import {themeSettings} from '../theme/resolve-theme.ts';
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
    text: 'Theme',
    note:
      'Auto takes the colours of the terminal. Terminal uses its sixteen. With none, marks ' +
      'and text alone say everything; NO_COLOR does the same.',
    values: themeSettings.map((value) => ({value, text: value})),
  },
  {
    name: 'leave',
    text: 'Key that ends typing',
    note: 'Every other key goes to the pane while you type into it.',
    values: [
      {value: defaultLeaveKey, text: ''},
      {value: 'ctrl-g', text: ''},
      {value: 'ctrl-\\', text: ''},
    ],
  },
  {
    name: 'notify',
    text: 'When something needs me',
    note: 'The bell rings, or the terminal is asked to show a message, once for each need.',
    values: [
      {value: 'bell', text: 'bell'},
      {value: 'message', text: 'message'},
      {value: 'off', text: 'nothing'},
    ],
  },
  {
    name: 'followsNeedy',
    text: 'Follow what needs me',
    note: 'The focus goes to the pane that asks something, unless you are writing.',
    values: [
      {value: false, text: 'no'},
      {value: true, text: 'yes'},
    ],
  },
  {
    name: 'mouse',
    text: 'Mouse',
    note:
      'A click selects, or presses the key hint under it; the wheel scrolls. Selecting ' +
      'text with the terminal then needs Shift.',
    values: [
      {value: true, text: 'on'},
      {value: false, text: 'off'},
    ],
  },
  {
    name: 'signs',
    text: 'Signs',
    note: 'Auto uses ASCII where the locale is not UTF-8.',
    values: [
      {value: 'auto', text: 'auto'},
      {value: 'ascii', text: 'ASCII'},
    ],
  },
  {
    name: 'frames',
    text: 'Frames of panes',
    note: 'Rules are the line with the title and the line with the facts; without any, panes have more cells.',
    values: [
      {value: 'full', text: 'full'},
      {value: 'rules', text: 'rules'},
      {value: 'none', text: 'none'},
    ],
  },
  {
    name: 'motion',
    text: 'Motion',
    note: 'With none, pulses and clocks stand still until something happens.',
    values: [
      {value: 'calm', text: 'calm'},
      {value: 'none', text: 'none'},
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
