import {safeLine} from '../model/cell-text.ts';
import {bindingInView, bindingRows} from '../model/choose-key.ts';
import {keyNameOf} from '../model/key-names.ts';
import {contextWords, keymap, type Binding} from '../model/keymap.ts';
import {blank, ends, fitLine, span, type Line} from '../model/line.ts';
import type {Model} from '../model/model.ts';
import type {Body, ScreenView} from './body.ts';
import {keysInWords} from './help-body.ts';
import {paragraph, plural} from './words.ts';

/** Every key, by where it works, to be changed. The person's own are marked. */
export function keysBody({model, size: {columns}}: ScreenView): Body {
  const bindings = bindingRows(model);
  const own = bindings.filter((binding) => isOwn(binding, model)).length;
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
    rows: bindings.map((binding) => rowOf(binding, isOwn(binding, model), columns)),
    foot: [blank, ...footOf(bindingInView(model), model, columns)],
    hasCursor: true,
  };
}

/** What stands in the settings and counts as not said; of many the first, for the list is what one came for. */
export function problemLines(
  {keymap: {problems}, repository: {settingsProblem}}: Model,
  columns: number,
): Line[] {
  if (settingsProblem !== undefined)
    return paragraph(safeLine(settingsProblem), columns - 2, {first: ' ! ', tone: 'needs'}).slice(
      0,
      3,
    );
  const shown = problems
    .slice(0, mostProblems)
    .flatMap(({name, words}) =>
      paragraph(`keys.${name} counts as not said: ${words}`, columns - 2, {
        first: ' ! ',
        tone: 'needs',
      }).slice(0, 2),
    );
  return problems.length <= mostProblems
    ? shown
    : [
        ...shown,
        [
          span(
            `   and ${problems.length - mostProblems} more: orchestra settings keys tells all`,
            'needs',
          ),
        ],
      ];
}

const mostProblems = 2;

function isOwn({own, does}: Binding, {settings: {leave}}: Model): boolean {
  return own !== undefined || (does === 'stop-typing' && leave !== 'ctrl-]');
}

function rowOf(binding: Binding, own: boolean, columns: number): Line {
  const room = Math.max(24, Math.floor((columns - 24) * 0.56));
  const where = Math.max(20, columns - room - 26);
  return [
    span(own ? ' * ' : '   ', 'needs'),
    ...fitLine([span(binding.words)], room - 1),
    span(' '),
    ...fitLine([span(keysInWords(binding.keys), own ? 'strong' : 'accent')], 21),
    span(' '),
    ...fitLine([span(contextWords[binding.in], 'quiet')], where),
  ];
}

function footOf(binding: Binding | undefined, model: Model, columns: number): Line[] {
  if (binding === undefined) return [];
  const usual =
    keymap.find((one) => one.in === binding.in && one.does === binding.does)?.keys ?? [];
  const name = binding.does === 'stop-typing' ? 'leave' : `keys.${keyNameOf(binding)}`;
  const words =
    binding.isFixed === true
      ? 'stays as it is'
      : isOwn(binding, model)
        ? `usually ${keysInWords(usual)}`
        : 'the usual key';
  return [
    ends(
      [span(`   ${binding.words}`)],
      [span(`${binding.isFixed === true ? '' : `${name}  `}${words} `, 'quiet')],
      columns,
    ),
  ];
}
