import {
  blank,
  ends,
  fitLine,
  type Line,
  maxProseColumns,
  paragraph,
  plural,
  safeLine,
  span,
} from '../model/line.ts';
import {bindingRows, selectedBinding} from '../keymap/rebind.ts';
import {toBindingName} from '../keymap/parse.ts';
import {type Binding, contextLabels} from '../keymap/binding.ts';
import {keymap} from '../keymap/bindings.ts';
import type {Model} from '../model/model.ts';
import type {Body, ScreenView} from './body.ts';
import {formatKeys} from './help-body.ts';
import {defaultLeaveKey, formatChord} from '../keymap/chord.ts';
import {type SettingRow, settingRows} from '../model/settings.ts';

/** All keys by context, to be changed. Changed ones are marked. */
export function keysBody({model, size: {columns}}: ScreenView): Body {
  const bindings = bindingRows(model);
  const own = bindings.filter((binding) => isChanged(binding, model)).length;
  return {
    list: 'keys',
    head: [
      [
        span(' Changing keys', 'title'),
        span(
          own === 0 ? '   all are the usual ones' : `   ${plural(own, 'is', 'are')} yours, with *`,
          'quiet',
        ),
      ],
      ...problemLines(model, columns),
      blank,
    ],
    rows: bindings.map((binding) => toBindingRow(binding, isChanged(binding, model), columns)),
    foot: [blank, ...footLines(selectedBinding(model), model, columns)],
    hasCursor: true,
  };
}

/** Settings that are ignored; only the first few, so that the list has space. */
export function problemLines(
  {keymap: {problems}, repository: {settingsProblem}}: Model,
  columns: number,
): Line[] {
  if (settingsProblem !== undefined)
    return paragraph(safeLine(settingsProblem), columns - 2, {first: ' ! ', tone: 'needs'}).slice(
      0,
      3,
    );
  const shown = problems.slice(0, maxProblems).flatMap(({name, text}) =>
    paragraph(`keys.${name} counts as not said: ${text}`, columns - 2, {
      first: ' ! ',
      tone: 'needs',
    }).slice(0, 2),
  );
  return problems.length <= maxProblems
    ? shown
    : [
        ...shown,
        [
          span(
            `   and ${problems.length - maxProblems} more: orchestra settings keys lists all`,
            'needs',
          ),
        ],
      ];
}

const maxProblems = 2;

function isChanged({own, action}: Binding, {settings: {leave}}: Model): boolean {
  return own !== undefined || (action === 'stop-typing' && leave !== defaultLeaveKey);
}

function toBindingRow(binding: Binding, own: boolean, columns: number): Line {
  const space = Math.max(24, Math.floor((columns - 24) * 0.56));
  const where = Math.max(20, columns - space - 26);
  return [
    span(own ? ' * ' : '   ', 'needs'),
    ...fitLine([span(binding.text)], space - 1),
    span(' '),
    ...fitLine([span(formatKeys(binding.keys), own ? 'strong' : 'accent')], 21),
    span(' '),
    ...fitLine([span(contextLabels[binding.in], 'quiet')], where),
  ];
}

function footLines(binding: Binding | undefined, model: Model, columns: number): Line[] {
  if (binding === undefined) return [];
  const usual =
    keymap.find((one) => one.in === binding.in && one.action === binding.action)?.keys ?? [];
  const name = binding.action === 'stop-typing' ? 'leave' : `keys.${toBindingName(binding)}`;
  const usualText = isChanged(binding, model) ? `usually ${formatKeys(usual)}` : 'the usual key';
  const text = binding.isFixed === true ? 'stays as it is' : usualText;
  return [
    ends(
      [span(`   ${binding.text}`)],
      [span(`${binding.isFixed === true ? '' : `${name}  `}${text} `, 'quiet')],
      columns,
    ),
  ];
}

/** The settings of the user, for all repositories. */
export function settingsBody({model, size: {columns}}: ScreenView): Body {
  const rows = [...settingRows.map((row) => toSettingRow(row, model)), toKeysRow(model)];
  const note =
    settingRows[Math.max(0, model.places.settings.cursor)]?.note ??
    'Each of them can be another: the list is on a screen of its own.';
  return {
    list: 'settings',
    head: [[span(' Settings', 'title')], blank],
    rows: [
      ...rows,
      blank,
      ...paragraph(note, Math.min(columns, maxProseColumns) - 4, {first: '  ', tone: 'quiet'}),
      blank,
      ...problemLines(model, columns),
    ],
    foot: [],
    hasCursor: true,
    choices: rows.length,
  };
}

function toSettingRow({text: label, name, values}: SettingRow, {settings}: Model): Line {
  // The key that leaves typing may be another one than those offered here.
  const offered = values.some(({value}) => value === settings[name])
    ? values
    : [...values, {value: settings[name], text: String(settings[name])}];
  return [
    span(`  ${label.padEnd(34)}`),
    ...offered.flatMap(({value, text}) => {
      const isChosen = settings[name] === value;
      return [
        span(isChosen ? '● ' : '○ ', isChosen ? 'accent' : 'quiet'),
        span(
          `${name === 'leave' ? formatChord(String(value)) : text}   `,
          isChosen ? 'strong' : 'quiet',
        ),
      ];
    }),
  ];
}

function toKeysRow({keymap: {bindings}}: Model): Line {
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
