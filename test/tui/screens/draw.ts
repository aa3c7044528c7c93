import type {State} from '../../../source/domain/index.ts';
import {rowText} from '../../../source/terminal/index.ts';
import type {Model} from '../../../source/tui/model/model.ts';
import {plotOf} from '../../../source/tui/model/plot-of.ts';
import {cellsOf} from '../../../source/tui/render/cells-of.ts';
import {compose} from '../../../source/tui/render/compose.ts';
import {createChrome} from '../../../source/tui/render/create-chrome.ts';
import {createHighlight} from '../../../source/tui/screens/highlight.ts';
import {screenOf} from '../../../source/tui/screens/screen-of.tsx';
import {themeOf} from '../../../source/tui/screens/theme.ts';

/** The whole screen as text: each part drawn by Ink, read back through the emulator, the panes laid over it as the app does. */
export function draw(model: Model, state: State, now: number, pane: readonly string[] = []): string {
  const {size} = model;
  const chrome = createChrome();
  const {below, over} = chrome.draw(screenOf({model, state, size, now}, {theme: themeOf('dark'), highlight: createHighlight()}), size);
  const panes = plotOf(size, model, state).panes.map(({inside}) => ({rect: inside, cells: cellsOf(pane.slice(0, inside.rows).join('\n'), inside)}));
  const cells = compose(size, [below, ...panes, ...over]);
  chrome.close();
  return Array.from({length: size.rows}, (_, row) => `${rowText(cells, row)}\n`).join('');
}
