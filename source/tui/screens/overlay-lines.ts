import {keyFor} from '../model/key-for.ts';
import {keyNameOf} from '../model/key-names.ts';
import {contextWords} from '../model/keymap.ts';
import {blank, button, ends, fitLine, span, underCursor, type Line} from '../model/line.ts';
import type {State} from '../../domain/index.ts';
import type {Model} from '../model/model.ts';
import {paletteOf} from '../model/palette.ts';
import {inSight} from '../model/places.ts';
import {windowOf} from '../model/text-field.ts';
import type {Rect, Size} from '../render/rect.ts';
import type {ScreenView} from './body.ts';
import {keysInWords} from './help-body.ts';
import {paragraph} from './words.ts';

/** Something that lies over the screen, and where. */
export type Overlay = {readonly name: string; readonly rect: Rect; readonly lines: readonly Line[]};

export function overlayOf(view: ScreenView): Overlay | undefined {
  const {model} = view;
  if (model.asking !== undefined) return confirmOverlay(view);
  if (model.pressing !== undefined) return pressingOverlay(view);
  return model.field?.for.what === 'palette' ? paletteOverlay(view) : undefined;
}

function confirmOverlay({model, size}: ScreenView): Overlay {
  const {asking} = model;
  const columns = Math.min(size.columns - 8, 70);
  const inside = columns - 4;
  const rows = [
    ...paragraph(asking?.question ?? '', inside, {tone: 'strong'}),
    blank,
    ...(asking?.lines ?? []).flatMap((one) => paragraph(one, inside)),
    blank,
    [
      ...button('confirm', span(`${keyFor(model, 'confirm', 'confirm')} `, 'accent'), span('yes')),
      ...(asking?.yes.does === 'accept'
        ? [
            span('     '),
            ...button(
              'next-way',
              span(`${keyFor(model, 'next-way', 'confirm')} `, 'accent'),
              span('another way'),
            ),
          ]
        : []),
      span('     '),
      ...button(
        'leave-confirm',
        span(`${keyFor(model, 'leave-confirm', 'confirm')} `, 'accent'),
        span('no'),
      ),
    ],
  ];
  return {
    name: 'confirm',
    ...boxed(rows, columns, {size, model}, Math.floor((size.rows - rows.length - 2) / 2)),
  };
}

function pressingOverlay({model, size}: ScreenView): Overlay {
  const {name, refused} = model.pressing ?? {name: ''};
  const binding = model.keymap.bindings.find((one) => keyNameOf(one) === name);
  const columns = Math.min(size.columns - 8, 70);
  const inside = columns - 4;
  const rows = [
    ...paragraph(`Press the new key for: ${binding?.words ?? name}`, inside, {tone: 'strong'}),
    ...paragraph(
      `${binding === undefined ? '' : contextWords[binding.in]}; ${binding === undefined || binding.keys.length === 0 ? 'it has none now' : `now ${keysInWords(binding.keys)}`}`,
      inside,
      {tone: 'quiet'},
    ),
    blank,
    ...(refused === undefined
      ? []
      : [...paragraph(`! ${refused}`, inside, {tone: 'needs'}), blank]),
    button('keep-key', span('Esc ', 'accent'), span('leaves it as it is')),
  ];
  return {
    name: 'pressing',
    ...boxed(rows, columns, {size, model}, Math.floor((size.rows - rows.length - 2) / 2)),
  };
}

function paletteOverlay({model, state, size}: ScreenView): Overlay {
  const columns = Math.min(size.columns - 8, 72);
  const inside = columns - 4;
  const entries = paletteOf(model, state);
  const height = paletteHeight(size);
  const {cursor, top} = inSight(model.places.palette, entries.length, height);
  const {before, at, after} = windowOf(model.field ?? {text: '', cursor: 0}, inside - 2);
  const rows = [
    [span(': ', 'accent'), span(before), span(at, 'caret'), span(after)],
    [span('─'.repeat(inside), 'quiet')],
    ...(entries.length === 0 ? [[span('Nothing here is called that.', 'quiet')]] : []),
    ...entries.slice(top, top + height).map(({words, key}, index) => {
      const row = ends([span(` ${words}`)], [span(`${key} `, 'accent')], inside);
      return top + index === cursor ? underCursor(row, inside) : row;
    }),
  ];
  return {name: 'palette', ...boxed(rows, columns, {size, model}, 2)};
}

/** Which entry stands on a line of the palette. */
export function paletteIndexAt(model: Model, state: State, line: number): number | undefined {
  const entries = paletteOf(model, state);
  const height = paletteHeight(model.size);
  const row = line - rowsAbovePalette;
  const index = inSight(model.places.palette, entries.length, height).top + row;
  return row >= 0 && row < height && index < entries.length ? index : undefined;
}

/** The frame, what is written, and the line below it. */
const rowsAbovePalette = 3;

function paletteHeight({rows}: Size): number {
  return Math.min(12, rows - 8);
}

function boxed(
  rows: readonly Line[],
  columns: number,
  {size, model: {isReader}}: Pick<ScreenView, 'size' | 'model'>,
  row: number,
): Pick<Overlay, 'rect' | 'lines'> {
  const inside = columns - 4;
  const lines: Line[] = [
    [span(isReader ? ' '.repeat(columns) : `┌${'─'.repeat(columns - 2)}┐`, 'accent')],
    ...rows.map((one) => [
      span(isReader ? '  ' : '│ ', 'accent'),
      ...fitLine(one, inside),
      span(isReader ? '  ' : ' │', 'accent'),
    ]),
    [span(isReader ? ' '.repeat(columns) : `└${'─'.repeat(columns - 2)}┘`, 'accent')],
  ];
  return {
    rect: {
      row: Math.max(0, row),
      column: Math.floor((size.columns - columns) / 2),
      columns,
      rows: lines.length,
    },
    lines,
  };
}
