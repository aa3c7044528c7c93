import type {Line} from '../model/line.ts';
import {displayWidth} from '../../base/index.ts';
import {bodyRectOf, plotOf} from '../model/plot-of.ts';
import {statusLine} from './bars.ts';
import {linesOfBody, type ScreenView} from './body.ts';
import {overlayOf} from './overlay-lines.ts';
import {startBody} from './start-body.ts';

type Place = {readonly row: number; readonly column: number};

/** Where the terminal's own cursor stands while a line is written: there an input method opens its window, and a screen reader reads. */
export function caretOf(view: ScreenView): Place | undefined {
  const {model, state, size} = view;
  const {field} = model;
  if (field === undefined || model.asking !== undefined) return undefined;
  const plot = plotOf(size, model, state);
  if (field.for.what === 'palette') {
    const overlay = overlayOf(view);
    return overlay && caretIn(overlay.lines, overlay.rect);
  }

  if (field.for.what !== 'objective') return caretIn([statusLine(view)], plot.status);
  const rect = bodyRectOf(plot, model.screen);
  const body = startBody({...view, size: rect});
  return caretIn(linesOfBody(body, model.places[body.list], rect), rect);
}

function caretIn(lines: readonly Line[], {row, column}: Place): Place | undefined {
  for (const [index, line] of lines.entries()) {
    const at = line.findIndex(({tone}) => tone === 'caret');
    if (at !== -1)
      return {
        row: row + index,
        column: column + line.slice(0, at).reduce((sum, {text}) => sum + displayWidth(text), 0),
      };
  }

  return undefined;
}
