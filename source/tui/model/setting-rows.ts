import type {Settings} from './model.ts';

export type SettingRow = {
  readonly name: Exclude<keyof Settings, 'keys'>;
  readonly words: string;
  readonly note: string;
  readonly values: readonly {
    readonly value: Settings[SettingRow['name']];
    readonly words: string;
  }[];
};

/** The settings that have a few values, in the order in which they are shown. */
export const settingRows: readonly SettingRow[] = [
  {
    name: 'theme',
    words: 'Colours',
    note: 'Auto takes what the terminal says. With none, marks and words say everything; NO_COLOR does the same.',
    values: [
      {value: 'auto', words: 'auto'},
      {value: 'dark', words: 'dark'},
      {value: 'light', words: 'light'},
      {value: 'none', words: 'none'},
    ],
  },
  {
    name: 'leave',
    words: 'The key that leaves typing',
    note: 'Every other key goes to the pane while you type into it.',
    values: [
      {value: 'ctrl-]', words: ''},
      {value: 'ctrl-g', words: ''},
      {value: 'ctrl-\\', words: ''},
    ],
  },
  {
    name: 'notify',
    words: 'When something needs you',
    note: 'The bell rings, or the terminal is asked to show a message, once for each need.',
    values: [
      {value: 'bell', words: 'bell'},
      {value: 'message', words: 'message'},
      {value: 'off', words: 'nothing'},
    ],
  },
  {
    name: 'followsNeedy',
    words: 'Follow whoever needs you',
    note: 'The focus goes to the pane that asks something, unless you are writing.',
    values: [
      {value: false, words: 'no'},
      {value: true, words: 'yes'},
    ],
  },
  {
    name: 'mouse',
    words: 'Mouse',
    note: 'A click chooses, or presses the key that stands there; the wheel scrolls. The selection of the terminal itself then takes Shift.',
    values: [
      {value: true, words: 'on'},
      {value: false, words: 'off'},
    ],
  },
];

/** The settings with the next value of one of them. */
export function changedSetting(settings: Settings, name: SettingRow['name']): Settings {
  const values = settingRows.find((row) => row.name === name)?.values ?? [];
  const next =
    values[(values.findIndex(({value}) => value === settings[name]) + 1) % values.length];
  return next === undefined ? settings : {...settings, [name]: next.value};
}
