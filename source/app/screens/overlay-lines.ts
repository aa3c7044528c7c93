import {keyFor} from '../keymap/key-for.ts';
import {toBindingName} from '../keymap/parse.ts';
import {contextLabels} from '../keymap/binding.ts';
import {
  blank,
  button,
  ends,
  fitLine,
  type Line,
  paragraph,
  span,
  underCursor,
} from '../model/line.ts';
import type {State} from '../../domain/index.ts';
import type {Model} from '../model/model.ts';
import {buildPalette} from '../keymap/resolve.ts';
import {inSight} from '../model/places.ts';
import {visibleText} from '../model/text-field.ts';
import type {Rect, Size} from '../render/frame.ts';
import type {ScreenView} from './body.ts';
import {formatKeys} from './help-body.ts';

/** Lines that cover a part of the screen. */
export type Overlay = {readonly name: string; readonly rect: Rect; readonly lines: readonly Line[]};

export function renderOverlay(view: ScreenView): Overlay | undefined {
  const {model} = view;
  if (model.confirmation !== undefined) return confirmOverlay(view);
  if (model.rebinding !== undefined) return rebindingOverlay(view);
  return model.field?.for.what === 'palette' ? paletteOverlay(view) : undefined;
}

function confirmOverlay({model, size}: ScreenView): Overlay {
  const {confirmation} = model;
  const columns = Math.min(size.columns - 8, 70);
  const inside = columns - 4;
  const rows = [
    ...paragraph(confirmation?.question ?? '', inside, {tone: 'strong'}),
    blank,
    ...(confirmation?.lines ?? []).flatMap((one) => paragraph(one, inside)),
    blank,
    [
      ...button('confirm', span(`${keyFor(model, 'confirm', 'confirm')} `, 'accent'), span('yes')),
      ...(confirmation?.yes.action === 'accept'
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

function rebindingOverlay({model, size}: ScreenView): Overlay {
  const {name, rejected} = model.rebinding ?? {name: ''};
  const binding = model.keymap.bindings.find((one) => toBindingName(one) === name);
  const columns = Math.min(size.columns - 8, 70);
  const inside = columns - 4;
  const rows = [
    ...paragraph(`Press the new key for: ${binding?.text ?? name}`, inside, {tone: 'strong'}),
    ...paragraph(
      `${binding === undefined ? '' : contextLabels[binding.in]}; ${binding === undefined || binding.keys.length === 0 ? 'it has none now' : `now ${formatKeys(binding.keys)}`}`,
      inside,
      {tone: 'quiet'},
    ),
    blank,
    ...(rejected === undefined
      ? []
      : [...paragraph(`! ${rejected}`, inside, {tone: 'needs'}), blank]),
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
  const entries = buildPalette(model, state);
  const height = paletteHeight(size);
  const {cursor, top} = inSight(model.places.palette, entries.length, height);
  const {before, at, after} = visibleText(model.field ?? {text: '', cursor: 0}, inside - 2);
  const rows = [
    [span(': ', 'accent'), span(before), span(at, 'caret'), span(after)],
    [span('─'.repeat(inside), 'quiet')],
    ...(entries.length === 0 ? [[span('Nothing here is called that.', 'quiet')]] : []),
    ...entries.slice(top, top + height).map(({text, key}, index) => {
      const row = ends([span(` ${text}`)], [span(`${key} `, 'accent')], inside);
      return top + index === cursor ? underCursor(row, inside) : row;
    }),
  ];
  return {name: 'palette', ...boxed(rows, columns, {size, model}, 2)};
}

/** The entry on a line of the palette. */
export function paletteIndexAt(model: Model, state: State, line: number): number | undefined {
  const entries = buildPalette(model, state);
  const height = paletteHeight(model.size);
  const row = line - rowsAbovePalette;
  const index = inSight(model.places.palette, entries.length, height).top + row;
  return row >= 0 && row < height && index < entries.length ? index : undefined;
}

/** The frame, the text field, and the rule below it. */
const rowsAbovePalette = 3;

function paletteHeight({rows}: Size): number {
  return Math.min(12, rows - 8);
}

function boxed(
  rows: readonly Line[],
  columns: number,
  {size, model: {isScreenReader}}: Pick<ScreenView, 'size' | 'model'>,
  row: number,
): Pick<Overlay, 'rect' | 'lines'> {
  const inside = columns - 4;
  const lines: Line[] = [
    [span(isScreenReader ? ' '.repeat(columns) : `┌${'─'.repeat(columns - 2)}┐`, 'accent')],
    ...rows.map((one) => [
      span(isScreenReader ? '  ' : '│ ', 'accent'),
      ...fitLine(one, inside),
      span(isScreenReader ? '  ' : ' │', 'accent'),
    ]),
    [span(isScreenReader ? ' '.repeat(columns) : `└${'─'.repeat(columns - 2)}┘`, 'accent')],
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
