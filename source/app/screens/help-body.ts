import {formatChord} from '../keymap/chord.ts';
import {selectContexts} from '../keymap/resolve.ts';
import {keyFor} from '../keymap/key-for.ts';
import {type Binding, type Context, contextLabels} from '../keymap/binding.ts';
import {blank, button, ends, fitLine, heading, type Line, span} from '../model/line.ts';
import type {Body, ScreenView} from './body.ts';

/** All keys, those of the previous screen first. */
export function helpBody({model, state, size: {columns}}: ScreenView): Body {
  const before = model.trail.at(-1) ?? 'workers';
  const current = selectContexts({...model, screen: before}, state);
  const all = Object.keys(contextLabels) as Context[];
  const order = [
    ...current.filter((one) => one !== 'command' && one !== 'list'),
    'command' as const,
    'list' as const,
    ...all.filter((one) => !current.includes(one) && one !== 'command' && one !== 'list'),
  ];
  const blocks = order
    .map((context) => contextBlock(context, model.keymap.bindings))
    .filter((block) => block.length > 0);
  const isOwn = model.keymap.bindings.some(({own}) => own !== undefined);
  return {
    list: 'help',
    head: [
      ends(
        [
          span(' Keys', 'title'),
          span(
            isOwn
              ? '   Those with * are yours.'
              : '   Capital letters decide something; small ones only look.',
            'quiet',
          ),
        ],
        button(
          'screen-keys',
          span(`${keyFor(model, 'screen-keys')} `, 'accent'),
          span('changes them ', 'quiet'),
        ),
        columns,
      ),
      blank,
    ],
    rows: columns >= 120 ? inColumns(blocks, columns) : blocks.flat(),
    foot: [],
    hasCursor: false,
  };
}

function contextBlock(context: Context, bindings: readonly Binding[]): Line[] {
  const own = bindings.filter((binding) => binding.in === context);
  if (own.length === 0) return [];
  return [
    heading(` ${contextLabels[context]}`),
    ...own.map(({keys, text, own: by}): Line => [
      span(`${by === undefined ? '  ' : '* '}${formatKeys(keys).padEnd(18)}`, 'accent'),
      span(text),
    ]),
    blank,
  ];
}

/** `1-6` for digits, a dash for none, else all keys. */
export function formatKeys(keys: readonly string[]): string {
  if (keys.length > 1 && keys.every((key) => /^\d$/.test(key)))
    return `${keys[0] ?? ''}-${keys.at(-1) ?? ''}`;
  return keys.length === 0 ? '–' : keys.map(formatChord).join(' ');
}

/** Distributes blocks over two columns of about the same height. */
function inColumns(blocks: readonly (readonly Line[])[], columns: number): Line[] {
  const half = Math.floor(columns / 2);
  const total = blocks.reduce((sum, block) => sum + block.length, 0);
  const left: Line[] = [];
  const right: Line[] = [];
  for (const block of blocks)
    (left.length + block.length / 2 <= total / 2 && right.length === 0 ? left : right).push(
      ...block,
    );
  return Array.from({length: Math.max(left.length, right.length)}, (_, index) => [
    ...fitLine(left[index] ?? blank, half),
    ...(right[index] ?? blank),
  ]);
}
