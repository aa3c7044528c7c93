import type {ReactElement} from 'react';
import type {Cells} from '../../../source/terminal/index.ts';
import {rowText} from '../../../source/terminal/index.ts';
import {type AppView, LookContext} from '../../../source/app/hooks/use-view.ts';
import {createInkHost} from '../../../source/app/ink/create-ink-host.tsx';
import type {Painted} from '../../../source/app/ink/create-tree-painter.ts';
import {createStore, StoreContext} from '../../../source/app/store.tsx';
import {noneTheme} from '../../../source/app/theme/few-colours.ts';
import {signsFor} from '../../../source/app/theme/signs.ts';
import type {Theme} from '../../../source/app/theme/tokens.ts';
import type {Fixture} from '../screens/fixtures.ts';

/** A component tree that lives on while the view changes, as in the loop. */
export type LiveTree = {
  /** Sets the view, lets React render, and paints. */
  readonly show: (fixture: Fixture) => Promise<Painted>;
  /** The rows of the last frame as text. */
  readonly rows: () => readonly string[];
  /** How often React has committed. */
  readonly commits: () => number;
  readonly close: () => void;
};

export function openTree(
  element: ReactElement,
  fixture: Fixture,
  {
    cellsOf = () => undefined,
    theme = noneTheme,
    isScreenReader = false,
  }: {
    readonly cellsOf?: (session: string) => Cells | undefined;
    readonly theme?: Theme;
    readonly isScreenReader?: boolean;
  } = {},
): LiveTree {
  const store = createStore<AppView>(toView(fixture));
  const look = {theme, signs: signsFor({env: {LANG: 'C.UTF-8'}, setting: 'auto'})};
  const host = createInkHost(
    <StoreContext value={store as never}>
      <LookContext value={look}>{element}</LookContext>
    </StoreContext>,
    {size: fixture.model.size, cellsOf, isScreenReader},
  );
  let painted = host.paint(fixture.model.size);
  return {
    async show(next) {
      store.set(toView(next));
      // React commits in a microtask.
      await Promise.resolve();
      painted = host.paint(next.model.size);
      return painted;
    },
    rows: () => Array.from({length: painted.cells.rows}, (_, row) => rowText(painted.cells, row)),
    commits: host.commits,
    close: host.close,
  };
}

function toView({model, state, now}: Fixture): AppView {
  return {model, state, now, size: model.size};
}
