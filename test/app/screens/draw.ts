import type {State} from '../../../source/domain/index.ts';
import {cellsOfText, createScreen} from '../../../source/terminal/index.ts';
import type {Model} from '../../../source/app/model/model.ts';
import {computeLayout} from '../../../source/app/model/compute-layout.ts';
import {compose} from '../../../source/app/render/compose.ts';
import {createChrome} from '../../../source/app/render/create-chrome.ts';
import {createDiffWriter} from '../../../source/app/render/create-diff-writer.ts';
import {createHighlight} from '../../../source/app/screens/highlight.ts';
import {renderScreen} from '../../../source/app/screens/render-screen.tsx';
import {getTheme} from '../../../source/app/screens/theme.ts';

/**
 * The whole screen as text: chrome drawn by Ink, panes composed over it, and the written bytes read
 * back from a real emulator.
 */
export function draw(
  model: Model,
  state: State,
  now: number,
  pane: readonly string[] = [],
): string {
  const {size} = model;
  const chrome = createChrome();
  const {below, over} = chrome.draw(
    renderScreen(
      {model, state, size, now},
      {theme: getTheme('dark'), highlight: createHighlight()},
    ),
    size,
  );
  const panes = computeLayout(size, model, state).panes.map(({inside}) => ({
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
