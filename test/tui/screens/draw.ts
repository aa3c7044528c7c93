import type {State} from '../../../source/domain/index.ts';
import {cellsOfText, createScreen} from '../../../source/terminal/index.ts';
import type {Model} from '../../../source/tui/model/model.ts';
import {plotOf} from '../../../source/tui/model/plot-of.ts';
import {compose} from '../../../source/tui/render/compose.ts';
import {createChrome} from '../../../source/tui/render/create-chrome.ts';
import {createDiffWriter} from '../../../source/tui/render/create-diff-writer.ts';
import {createHighlight} from '../../../source/tui/screens/highlight.ts';
import {screenOf} from '../../../source/tui/screens/screen-of.tsx';
import {themeOf} from '../../../source/tui/screens/theme.ts';

/** The whole screen as text: each part drawn by Ink, the panes laid over it as the app does, and what is written of that read from a real emulator. */
export function draw(
  model: Model,
  state: State,
  now: number,
  pane: readonly string[] = [],
): string {
  const {size} = model;
  const chrome = createChrome();
  const {below, over} = chrome.draw(
    screenOf({model, state, size, now}, {theme: themeOf('dark'), highlight: createHighlight()}),
    size,
  );
  const panes = plotOf(size, model, state).panes.map(({inside}) => ({
    rect: inside,
    cells: cellsOfText(pane.slice(0, inside.rows).join('\n'), inside),
  }));
  const cells = compose(size, [below, ...panes, ...over]);
  const terminal = createScreen({...size, scrollback: 0});
  terminal.write(new TextEncoder().encode('\u001B[?7l'));
  createDiffWriter({
    write: (text) => {
      terminal.write(new TextEncoder().encode(text));
    },
    depth: 'full',
  }).draw({cells});
  const rows = terminal.text();
  terminal.close();
  return rows.map((row) => `${row}\n`).join('');
}
