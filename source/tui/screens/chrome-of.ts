import {houseRows} from '../model/house-rows.ts';
import {fill, line, span, widthOfLine, type Line} from '../model/line.ts';
import {bodyRectOf, leastSize, plotOf} from '../model/plot-of.ts';
import type {Rect} from '../render/rect.ts';
import {headerLine, noticeMs, statusLine} from './bars.ts';
import {bodyOf} from './body-of.ts';
import {linesOfBody, type ScreenView} from './body.ts';
import {cardLines} from './card-body.ts';
import {listLines} from './list-lines.ts';
import {overlayOf} from './overlay-lines.ts';
import {paneLines} from './pane-lines.ts';
import {readerLines} from './reader-lines.ts';
import {chosenWord, spoken} from './spoken.ts';
import {paragraph} from './words.ts';

/** One piece of the chrome as rows of text, each exactly as wide as its place. */
export type Piece = {
  readonly name: string;
  readonly rect: Rect;
  readonly lines: readonly Line[];
  readonly isOver: boolean;
};

/** Everything on the screen but the cells of the panes, as data. */
export function chromeOf(view: ScreenView): Piece[] {
  const {model, state, size, now} = view;
  const plot = plotOf(size, model, state);
  const piece = (name: string, rect: Rect, lines: readonly Line[], isOver = false): Piece => ({
    name,
    rect,
    lines,
    isOver,
  });
  if (plot.isTooSmall) return [piece('small', {row: 0, column: 0, ...size}, tooSmall(size))];
  const rows = houseRows(state, now);
  const overlay = overlayOf(view);
  const framed = plot.panes.map((pane) => ({
    ...pane,
    row: rows.find(({key}) => key === pane.key) ?? pane.row,
  }));
  const rect = bodyRectOf(plot, model.screen);
  // Nothing stands beside anything else for a screen reader.
  const column = {
    ...rect,
    columns: model.isReader ? Math.min(rect.columns - chosenWord.length, 100) : rect.columns,
  };
  const body = bodyOf({...view, size: column});
  const own =
    body === undefined ? [] : fill(linesOfBody(body, model.places[body.list], column), rect);
  const main =
    body === undefined && framed.length === 0
      ? model.isReader
        ? fill(readerLines(rows, model.selected, plot.main.rows), plot.main)
        : fill(
            cardLines(
              rows.find(({key}) => key === model.selected),
              view,
              plot.main.columns,
            ),
            plot.main,
          )
      : framed.length === 0
        ? own
        : [
            ...own,
            ...paneLines(
              {
                main: {
                  ...plot.main,
                  row: plot.main.row + own.length,
                  rows: plot.main.rows - own.length,
                },
                panes: framed,
              },
              model,
              now,
            ),
          ];
  const pieces = [
    piece('header', plot.header, [headerLine(view)]),
    ...(plot.list === undefined
      ? []
      : [
          piece(
            'list',
            {...plot.list, columns: plot.list.columns + 1},
            listLines(rows, model.selected, plot.list).map((one) => [...one, span('│', 'quiet')]),
          ),
        ]),
    piece('main', plot.main, main),
    piece('status', plot.status, [statusLine(view)]),
    ...longNotice(view, plot.status),
    ...(overlay === undefined ? [] : [piece(overlay.name, overlay.rect, overlay.lines, true)]),
  ];
  return model.isReader
    ? pieces.map((one) =>
        one.name === 'status'
          ? one
          : {...one, lines: one.lines.map((row) => spoken(row, model.screen, one.rect.columns))},
      )
    : pieces;
}

/**
 * What was said and has no room in the last line takes some of those above it: what to do stands at the end of a sentence. A
 * line that is being written keeps its place.
 */
function longNotice({model: {notice, field}, now}: ScreenView, status: Rect): Piece[] {
  if (notice === undefined || now - notice.at >= noticeMs) return [];
  const isTaken =
    field !== undefined && field.for.what !== 'objective' && field.for.what !== 'palette';
  const tone = notice.tone === 'plain' ? 'strong' : notice.tone;
  if (!isTaken && widthOfLine([span(` ${notice.words}`, tone)]) <= status.columns) return [];
  const said = paragraph(notice.words, status.columns - 1, {first: ' ', tone}).slice(
    0,
    mostNoticeRows,
  );
  const row = status.row + (isTaken ? 0 : 1) - said.length;
  return [
    {
      name: 'notice',
      rect: {...status, row, rows: said.length},
      lines: fill(said, {...status, rows: said.length}),
      isOver: true,
    },
  ];
}

const mostNoticeRows = 6;

function tooSmall({columns, rows}: {readonly columns: number; readonly rows: number}): Line[] {
  return fill(
    [
      line('Too small'),
      line(`${columns}×${rows} of ${leastSize.columns}×${leastSize.rows}`),
      line('Everything goes on.'),
    ],
    {columns, rows},
  );
}
