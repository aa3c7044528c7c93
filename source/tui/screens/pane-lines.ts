import {cutLine, displayWidth} from '../../base/index.ts';
import type {SessionId} from '../../domain/index.ts';
import type {Model} from '../model/model.ts';
import type {PaneView} from '../panes/pane-view.ts';
import {ends, fitLine, span, widthOfLine, type Line, type Span, type Tone} from '../model/line.ts';
import type {Framed, Plot} from '../model/plot-of.ts';
import {usageInWords} from '../model/read-answer.ts';
import type {Rect} from '../render/rect.ts';
import {calmAge, counted, plural} from './words.ts';

/** What is drawn around the panes: a title over each, and lines between them. The cells inside are the sessions' own. */
export function paneLines(
  {main, panes}: Pick<Plot, 'main' | 'panes'>,
  model: Model,
  now: number,
): Line[] {
  return Array.from({length: main.rows}, (_, index) =>
    rowOf(main, panes, index + main.row, model, now),
  );
}

function rowOf(main: Rect, panes: readonly Framed[], row: number, model: Model, now: number): Line {
  const here = panes
    .filter(({frame}) => row >= frame.row && row < frame.row + frame.rows)
    .toSorted((a, b) => a.frame.column - b.frame.column);
  const spans: Span[] = [];
  let column = main.column;
  for (const pane of here) {
    if (pane.frame.column > column)
      spans.push(
        span(
          pane.frame.column - column === 1 ? '│' : ' '.repeat(pane.frame.column - column),
          'quiet',
        ),
      );
    spans.push(
      ...(row === pane.frame.row
        ? titleOf(pane, model, now, panes.length > 1)
        : [span(' '.repeat(pane.frame.columns))]),
    );
    column = pane.frame.column + pane.frame.columns;
  }

  return fitLine(spans, main.columns);
}

/** Number, what it is, how it fares and since when, what it uses; the pane that has the focus has a mark, not only a colour. */
function titleOf(
  {number, frame, row, session, isFocused, isLive, terminal}: Framed,
  model: Model,
  now: number,
  isMany: boolean,
): Line {
  const tone: Tone = isFocused ? (model.mode === 'typing' ? 'bar-needs' : 'bar') : 'quiet';
  const view = model.views[session];
  const left: Line = [
    span(`${isFocused ? '▸' : model.isReader ? ' ' : '─'}${isMany ? `${number} ` : ' '}`, tone),
    span(`${row.name} ${row.title}`, tone),
    span(`  ${row.words}`, tone === 'quiet' ? row.tone : tone),
  ];
  const right = [
    stateOf(model, session, isFocused),
    terminal,
    row.since === undefined ? '' : calmAge(now - row.since),
    isLive ? usageOf(model, session) : '',
    connectionOf(view),
  ]
    .filter((words) => words !== '' && words !== row.words)
    .reduce(
      (told, words) =>
        told !== '' && displayWidth(told) + displayWidth(words) + leastName > frame.columns
          ? told
          : told === ''
            ? words
            : `${told}  ${words}`,
      '',
    );
  const room = Math.max(0, frame.columns - displayWidth(right) - 2);
  return ends(
    isFocused || model.isReader ? fitLine(left, room, tone) : ruled(left, room),
    [span(` ${right} `, tone)],
    frame.columns,
    tone,
  );
}

/** In a narrow pane what it is called comes before how it fares: so many cells are kept for it. */
const leastName = 16;

/** A rule from the title to its right end: where one pane ends and the next begins is seen without colours. */
function ruled(left: Line, room: number): Line {
  const gap = room - widthOfLine(left) - 1;
  return gap < 1 ? fitLine(left, room) : [...left, span(` ${'─'.repeat(gap)}`, 'quiet')];
}

/** Typing, scrolled back, or just looking on. */
function stateOf({mode, views}: Model, session: SessionId, isFocused: boolean): string {
  const view = views[session];
  if (isFocused && mode === 'typing') return 'TYPING';
  if (view?.copying !== undefined && view.copying.lines > 0)
    return `${plural(view.copying.lines, 'line', 'lines')} marked`;
  if (view?.search !== undefined)
    return view.search.matches === 0
      ? 'not found'
      : `match ${view.search.current} of ${view.search.matches}`;
  return view !== undefined && view.scroll > 0
    ? `${counted(view.scroll)} ${view.scroll === 1 ? 'line' : 'lines'} back`
    : '';
}

/** Why it cannot be reached stands in the pane itself: a whole sentence here would leave no room for its name. */
function connectionOf(view: PaneView | undefined): string {
  if (view?.connection === 'failed') return 'not connected';
  return view?.connection === 'ended' ? cutLine(view.words ?? view.connection, 24) : '';
}

function usageOf({answers}: Model, session: SessionId): string {
  const usage = answers.usage?.[session];
  return usage === undefined ? '' : usageInWords(usage);
}
