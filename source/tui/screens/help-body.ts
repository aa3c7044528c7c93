import {chordInWords} from '../model/chord.ts';
import {contextsOf} from '../model/contexts-of.ts';
import {keyFor} from '../model/key-for.ts';
import {contextWords, type Binding, type Context} from '../model/keymap.ts';
import {blank, button, ends, fitLine, span, type Line} from '../model/line.ts';
import type {Body, ScreenView} from './body.ts';
import {heading} from './words.ts';

/** Every key, from the keymap: those of the screen one came from first. */
export function helpBody({model, state, size: {columns}}: ScreenView): Body {
  const before = model.trail.at(-1) ?? 'workers';
  const here = contextsOf({...model, screen: before}, state);
  const all = Object.keys(contextWords) as Context[];
  const order = [
    ...here.filter((one) => one !== 'command' && one !== 'list'),
    'command' as const,
    'list' as const,
    ...all.filter((one) => !here.includes(one) && one !== 'command' && one !== 'list'),
  ];
  const blocks = order
    .map((context) => blockOf(context, model.keymap.bindings))
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

function blockOf(context: Context, bindings: readonly Binding[]): Line[] {
  const own = bindings.filter((binding) => binding.in === context);
  if (own.length === 0) return [];
  return [
    heading(` ${contextWords[context]}`),
    ...own.map(({keys, words, own: by}): Line => [
      span(`${by === undefined ? '  ' : '* '}${keysInWords(keys).padEnd(18)}`, 'accent'),
      span(words),
    ]),
    blank,
  ];
}

/** `1-6` for a row of digits, a dash for none, else each key. */
export function keysInWords(keys: readonly string[]): string {
  if (keys.length > 1 && keys.every((key) => /^\d$/.test(key)))
    return `${keys[0] ?? ''}-${keys.at(-1) ?? ''}`;
  return keys.length === 0 ? '–' : keys.map(chordInWords).join(' ');
}

/** Blocks one after the other into two columns of about the same height. */
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
