import type {Screen} from '../../terminal/index.ts';
import type {PaneView, ViewportState} from './viewport-state.ts';

/** What the chrome shows of a pane. */
export function toPaneView({
  screen,
  viewport,
  history,
  connection,
  message,
}: {
  readonly screen: Screen;
  readonly viewport: ViewportState;
  /** Lines of scrollback. */
  readonly history: number;
  readonly connection: PaneView['connection'];
  /** Why it is not live. */
  readonly message?: string;
}): PaneView {
  return {
    title: screen.title,
    scroll: viewport.scroll,
    ...(viewport.scroll > 0 && {history}),
    bells: screen.bells,
    ...(viewport.search !== undefined && {
      search: {
        text: viewport.search.text,
        matches: viewport.search.matches.length,
        current: viewport.search.current + 1,
      },
    }),
    ...(viewport.copy !== undefined && {
      copying: {lines: selectedLines(viewport), isSelecting: viewport.copy.anchor !== undefined},
    }),
    wantsMouse: screen.modes.mouseTracking !== 'off',
    connection,
    ...(message !== undefined && {text: message}),
  };
}

function selectedLines({copy}: ViewportState): number {
  return copy?.anchor === undefined ? 0 : Math.abs(copy.anchor.row - copy.row) + 1;
}
