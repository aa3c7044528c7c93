import {chordInWords} from '../model/chord.ts';
import {blank, span, type Line} from '../model/line.ts';
import type {Model} from '../model/model.ts';
import {settingRows, type SettingRow} from '../model/setting-rows.ts';
import type {Body, ScreenView} from './body.ts';
import {problemLines} from './keys-body.ts';
import {paragraph, plural, readable} from './words.ts';

/** What a person may like otherwise. It is kept for this user. */
export function settingsBody({model, size: {columns}}: ScreenView): Body {
  const rows = [...settingRows.map((row) => rowOf(row, model)), rowOfKeys(model)];
  const note =
    settingRows[Math.max(0, model.places.settings.cursor)]?.note ??
    'Each of them can be another: the list is on a screen of its own.';
  return {
    list: 'settings',
    head: [[span(' Settings', 'title')], blank],
    rows: [
      ...rows,
      blank,
      ...paragraph(note, Math.min(columns, readable) - 4, {first: '  ', tone: 'quiet'}),
      blank,
      ...problemLines(model, columns),
    ],
    foot: [],
    hasCursor: true,
    choices: rows.length,
  };
}

function rowOf({words, name, values}: SettingRow, {settings}: Model): Line {
  // The key that leaves typing may be one that is not offered here.
  const offered = values.some(({value}) => value === settings[name])
    ? values
    : [...values, {value: settings[name], words: String(settings[name])}];
  return [
    span(`  ${words.padEnd(34)}`),
    ...offered.flatMap(({value, words: said}) => {
      const isChosen = settings[name] === value;
      return [
        span(isChosen ? '● ' : '○ ', isChosen ? 'accent' : 'quiet'),
        span(
          `${name === 'leave' ? chordInWords(String(value)) : said}   `,
          isChosen ? 'strong' : 'quiet',
        ),
      ];
    }),
  ];
}

function rowOfKeys({keymap: {bindings}}: Model): Line {
  const own = bindings.filter((binding) => binding.own !== undefined).length;
  return [
    span(`  ${'Keys'.padEnd(34)}`),
    span(
      own === 0 ? 'the usual ones' : `${plural(own, 'is', 'are')} yours`,
      own === 0 ? 'quiet' : 'strong',
    ),
    span('   change them …', 'quiet'),
  ];
}
