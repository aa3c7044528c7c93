import {type SidebarRow, sidebarRows} from '../model/sidebar-rows.ts';
import {fill, type Line, paragraph, span, widthOfLine} from '../model/line.ts';
import {
  computeLayout,
  type PaneLayout,
  type ScreenLayout,
  selectBodyRect,
} from '../model/compute-layout.ts';
import type {Rect} from '../render/frame.ts';
import {headerLine, noticeMs, statusLine} from './bars.ts';
import {type Body, linesOfBody, type ScreenView} from './body.ts';
import {cardLines} from './card-body.ts';
import {sidebarLines} from './sidebar-lines.ts';
import {renderOverlay} from './overlay-lines.ts';
import {paneLines} from './pane-lines.ts';
import {chosenWord, screenReaderRows, toScreenReaderText} from './screen-reader.ts';
import {auditBody} from './audit-body.ts';
import {briefBody} from './brief-body.ts';
import {helpBody} from './help-body.ts';
import {keysBody, settingsBody} from './settings-body.ts';
import {knowledgeBody} from './knowledge-body.ts';
import {needsBody} from './needs-body.ts';
import {planBody} from './plan-body.ts';
import {reviewBody} from './review-body.ts';
import {servicesBody} from './services-body.ts';
import {startBody} from './start-body.ts';
import {timelineBody} from './timeline-body.ts';

/** One piece of the chrome as rows of text, each exactly as wide as its rectangle. */
export type Piece = {
  readonly name: string;
  readonly rect: Rect;
  readonly lines: readonly Line[];
  readonly isOver: boolean;
};

/** Everything on the screen except the cells of panes, as data. */
export function renderChrome(view: ScreenView): Piece[] {
  const {model, state, size, now} = view;
  const layout = computeLayout(size, model, state);
  const piece = (name: string, rect: Rect, lines: readonly Line[], isOver = false): Piece => ({
    name,
    rect,
    lines,
    isOver,
  });
  const rows = sidebarRows(state, now);
  const overlay = renderOverlay(view);
  const paneLayouts = layout.panes.map((pane) => ({
    ...pane,
    row: rows.find(({key}) => key === pane.key) ?? pane.row,
  }));
  const rect = selectBodyRect(layout, model.screen);
  // For a screen reader everything is in one column.
  const column = {
    ...rect,
    columns: model.isScreenReader ? Math.min(rect.columns - chosenWord.length, 100) : rect.columns,
  };
  const body = renderBody({...view, size: column});
  const own =
    body === undefined ? [] : fill(linesOfBody(body, model.places[body.list], column), rect);
  const main = mainLines(view, layout, {
    rows,
    panes: paneLayouts,
    own,
    hasBody: body !== undefined,
  });
  const pieces = [
    piece('header', layout.header, [headerLine(view)]),
    ...(layout.list === undefined
      ? []
      : [
          piece(
            'list',
            {...layout.list, columns: layout.list.columns + 1},
            sidebarLines(rows, model.selected, layout.list).map((one) => [
              ...one,
              span('│', 'quiet'),
            ]),
          ),
        ]),
    piece('main', layout.main, main),
    piece('status', layout.status, [statusLine(view)]),
    ...longNotice(view, layout.status),
    ...(overlay === undefined ? [] : [piece(overlay.name, overlay.rect, overlay.lines, true)]),
  ];
  return model.isScreenReader
    ? pieces.map((one) =>
        one.name === 'status'
          ? one
          : {
              ...one,
              lines: one.lines.map((row) =>
                toScreenReaderText(row, model.screen, one.rect.columns),
              ),
            },
      )
    : pieces;
}

/**
 * The lines of the main part: a card or the sidebar rows, the screen's own lines, or those and the
 * panes below.
 */
function mainLines(
  view: ScreenView,
  {main}: ScreenLayout,
  {
    rows,
    panes,
    own,
    hasBody,
  }: {
    readonly rows: readonly SidebarRow[];
    readonly panes: readonly PaneLayout[];
    readonly own: readonly Line[];
    readonly hasBody: boolean;
  },
): readonly Line[] {
  const {model, now} = view;
  if (panes.length > 0) {
    const rect = {...main, row: main.row + own.length, rows: main.rows - own.length};
    return [...own, ...paneLines({main: rect, panes}, model, now)];
  }

  if (hasBody) return own;
  if (model.isScreenReader) return fill(screenReaderRows(rows, model.selected, main.rows), main);
  const selected = rows.find(({key}) => key === model.selected);
  return fill(cardLines(selected, view, main.columns), main);
}

/**
 * A notice that does not fit into the last line covers some lines above it, because its end says
 * what to do. An open text field stays visible.
 */
function longNotice({model: {notice, field}, now}: ScreenView, status: Rect): Piece[] {
  if (notice === undefined || now - notice.at >= noticeMs) return [];
  const isTaken =
    field !== undefined && field.for.what !== 'objective' && field.for.what !== 'palette';
  const tone = notice.tone === 'plain' ? 'strong' : notice.tone;
  if (!isTaken && widthOfLine([span(` ${notice.text}`, tone)]) <= status.columns) return [];
  const text = paragraph(notice.text, status.columns - 1, {first: ' ', tone}).slice(
    0,
    maxNoticeRows,
  );
  const row = status.row + (isTaken ? 0 : 1) - text.length;
  return [
    {
      name: 'notice',
      rect: {...status, row, rows: text.length},
      lines: fill(text, {...status, rows: text.length}),
      isOver: true,
    },
  ];
}

const maxNoticeRows = 6;

/** The body of the current screen; undefined for the workers, whose space belongs to panes. */
export function renderBody(view: ScreenView): Body | undefined {
  switch (view.model.screen) {
    case 'workers':
      return undefined;
    case 'start':
      return startBody(view);
    case 'brief':
      return briefBody(view);
    case 'plan':
      return planBody(view);
    case 'needs':
      return needsBody(view);
    case 'review':
      return reviewBody(view);
    case 'services':
      return servicesBody(view);
    case 'timeline':
      return timelineBody(view);
    case 'audit':
      return auditBody(view);
    case 'knowledge':
      return knowledgeBody(view);
    case 'help':
      return helpBody(view);
    case 'settings':
      return settingsBody(view);
    case 'keys':
      return keysBody(view);
  }
}
