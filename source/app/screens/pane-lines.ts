import {cutLine, displayWidth} from '../../shared/index.ts';
import type {SessionId} from '../../domain/index.ts';
import type {Model} from '../model/model.ts';
import type {PaneView} from '../panes/viewport-state.ts';
import {
  ends,
  fitLine,
  formatAge,
  formatCount,
  type Line,
  plural,
  span,
  type Span,
  type Tone,
  widthOfLine,
} from '../model/line.ts';
import type {PaneLayout, ScreenLayout} from '../model/compute-layout.ts';
import {formatUsage} from '../model/answers.ts';
import type {Rect} from '../render/frame.ts';

/**
 * The chrome around panes: titles, and lines between columns. The cells inside belong to the
 * sessions.
 */
export function paneLines(
  {main, panes}: Pick<ScreenLayout, 'main' | 'panes'>,
  model: Model,
  now: number,
): Line[] {
  return Array.from({length: main.rows}, (_, index) =>
    toRow(main, panes, index + main.row, model, now),
  );
}

function toRow(
  main: Rect,
  panes: readonly PaneLayout[],
  row: number,
  model: Model,
  now: number,
): Line {
  const current = panes
    .filter(({frame}) => row >= frame.row && row < frame.row + frame.rows)
    .toSorted((a, b) => a.frame.column - b.frame.column);
  const spans: Span[] = [];
  let column = main.column;
  for (const pane of current) {
    if (pane.frame.column > column)
      spans.push(
        span(
          pane.frame.column - column === 1 ? '│' : ' '.repeat(pane.frame.column - column),
          'quiet',
        ),
      );
    spans.push(
      ...(row === pane.frame.row
        ? formatTitle(pane, model, now, panes.length > 1)
        : [span(' '.repeat(pane.frame.columns))]),
    );
    column = pane.frame.column + pane.frame.columns;
  }

  return fitLine(spans, main.columns);
}

/** Number, name, status, age and usage. The focused pane has a mark, not only a colour. */
function formatTitle(
  {number, frame, row, session, isFocused, isLive, terminal}: PaneLayout,
  model: Model,
  now: number,
  isMany: boolean,
): Line {
  const focusedTone: Tone = model.mode === 'typing' ? 'bar-needs' : 'bar';
  const tone: Tone = isFocused ? focusedTone : 'quiet';
  const unfocusedMark = model.isScreenReader ? ' ' : '─';
  const view = model.views[session];
  const left: Line = [
    span(`${isFocused ? '▸' : unfocusedMark}${isMany ? `${number} ` : ' '}`, tone),
    span(`${row.name} ${row.title}`, tone),
    span(`  ${row.text}`, tone === 'quiet' ? row.tone : tone),
  ];
  const right = [
    formatState(model, session, isFocused),
    terminal,
    row.since === undefined ? '' : formatAge(now - row.since),
    isLive ? formatSessionUsage(model, session) : '',
    formatConnection(view),
  ]
    .filter((text) => text !== '' && text !== row.text)
    .reduce((joined, text) => {
      if (joined === '') return text;
      const isTooWide = displayWidth(joined) + displayWidth(text) + minNameWidth > frame.columns;
      return isTooWide ? joined : `${joined}  ${text}`;
    }, '');
  const space = Math.max(0, frame.columns - displayWidth(right) - 2);
  return ends(
    isFocused || model.isScreenReader ? fitLine(left, space, tone) : ruled(left, space),
    [span(` ${right} `, tone)],
    frame.columns,
    tone,
  );
}

/** Cells reserved for the name in a narrow pane. */
const minNameWidth = 16;

/** Draws a rule after the title, so that panes are separated without colours. */
function ruled(left: Line, space: number): Line {
  const gap = space - widthOfLine(left) - 1;
  return gap < 1 ? fitLine(left, space) : [...left, span(` ${'─'.repeat(gap)}`, 'quiet')];
}

/** The mode of a pane: typing, marking, searching or scrolled back. */
function formatState({mode, views}: Model, session: SessionId, isFocused: boolean): string {
  const view = views[session];
  if (isFocused && mode === 'typing') return 'TYPING';
  if (view?.copying !== undefined && view.copying.lines > 0)
    return `${plural(view.copying.lines, 'line', 'lines')} marked`;
  if (view?.search !== undefined)
    return view.search.matches === 0
      ? 'not found'
      : `match ${view.search.current} of ${view.search.matches}`;
  return view !== undefined && view.scroll > 0
    ? `${formatCount(view.scroll)} ${view.scroll === 1 ? 'line' : 'lines'} back`
    : '';
}

/**
 * The reason of a failed connection is shown in the pane itself: here it would leave no space for
 * the name.
 */
function formatConnection(view: PaneView | undefined): string {
  if (view?.connection === 'failed') return 'not connected';
  return view?.connection === 'ended' ? cutLine(view.text ?? view.connection, 24) : '';
}

function formatSessionUsage({answers}: Model, session: SessionId): string {
  const usage = answers.usage?.[session];
  return usage === undefined ? '' : formatUsage(usage);
}
