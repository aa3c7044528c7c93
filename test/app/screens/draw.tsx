import type {State} from '../../../source/domain/index.ts';
import {type Cells, cellsOfText, createScreen, rowText} from '../../../source/terminal/index.ts';
import {App} from '../../../source/app/App.tsx';
import type {AppView} from '../../../source/app/hooks/use-view.ts';
import {LookContext} from '../../../source/app/hooks/use-view.ts';
import {createInkHost} from '../../../source/app/ink/create-ink-host.tsx';
import type {Place} from '../../../source/app/ink/create-tree-painter.ts';
import type {Viewport} from '../../../source/app/ink/region.ts';
import type {Model} from '../../../source/app/model/model.ts';
import {createDiffWriter} from '../../../source/app/render/create-diff-writer.ts';
import {createHighlight} from '../../../source/app/screens/highlight.ts';
import {createStore, StoreContext} from '../../../source/app/store.tsx';
import {noneTheme} from '../../../source/app/theme/few-colours.ts';
import {signsFor} from '../../../source/app/theme/signs.ts';
import type {Theme} from '../../../source/app/theme/tokens.ts';

export type Drawn = {
  readonly cells: Cells;
  readonly places: readonly Place[];
  readonly viewports: Readonly<Record<string, Viewport>>;
  /** The rows as text, without the blanks at their ends. */
  readonly rows: readonly string[];
};

export type DrawOptions = {
  /** What every pane shows. */
  readonly pane?: readonly string[];
  readonly theme?: Theme;
  readonly signs?: 'auto' | 'ascii';
};

/** The whole app, rendered by Ink and painted into cells, with these lines in its panes. */
export function drawCells(
  model: Model,
  state: State,
  now: number,
  {pane = [], theme = noneTheme, signs = 'auto'}: DrawOptions = {},
): Drawn {
  const {size} = model;
  const store = createStore<AppView>({model, state, size, now});
  let paneCells: Cells | undefined;
  const host = createInkHost(
    <StoreContext value={store as never}>
      <LookContext
        value={{
          theme,
          signs: signsFor({env: {LANG: 'C.UTF-8'}, setting: signs}),
          highlight: createHighlight(),
        }}
      >
        <App />
      </LookContext>
    </StoreContext>,
    {size, cellsOf: () => paneCells, isScreenReader: model.isScreenReader},
  );
  const inside = host.paint(size).places.find(({region}) => region.kind === 'pane')?.rect;
  if (inside !== undefined) paneCells = cellsOfText(pane.slice(0, inside.rows).join('\n'), inside);
  const {cells, places, viewports} = host.paint(size);
  host.close();
  return {
    cells,
    places,
    viewports,
    rows: Array.from({length: size.rows}, (_, row) => rowText(cells, row)),
  };
}

/** The same as text, written to a real emulator and read back. */
export function draw(
  model: Model,
  state: State,
  now: number,
  pane: readonly string[] = [],
  options: DrawOptions = {},
): string {
  const {cells} = drawCells(model, state, now, {...options, pane});
  const terminal = createScreen({...model.size, scrollback: 0});
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
