import {Box} from 'ink';
import type {ReactElement} from 'react';
import {useSize, useView} from '../hooks/use-view.ts';
import {type PaneSlot, selectPaneGrid} from '../model/pane-grid.ts';
import {fixedRows, listColumns, listModeOf} from '../model/size-class.ts';
import {PaneFrame} from './PaneFrame.tsx';

/**
 * The panes of the screen, in equal lines and columns. Yoga would give them halves of cells, and
 * rounds each box in them by itself: the last line of a frame would be a row too low. So each has
 * whole cells.
 */
export function PaneGrid(): ReactElement {
  const grid = useView(({model, state}) => selectPaneGrid(model, state));
  const rows = useView(({size}) => size.rows - fixedRows(size));
  const lines = Array.from({length: grid.lines}, (_, line) =>
    grid.panes.filter((pane) => pane.line === line),
  );
  return (
    <Box flexDirection="column" flexGrow={1} flexShrink={1} flexBasis={0}>
      {lines.map((panes, line) => (
        <Box key={line} minHeight={0} {...shareOf('height', rows, line, lines.length)}>
          <Line panes={panes} />
        </Box>
      ))}
    </Box>
  );
}

function Line({panes}: {readonly panes: readonly PaneSlot[]}): ReactElement {
  const size = useSize();
  const columns = useView(({model}) => size.columns - listColumns(size, listModeOf(model)));
  return (
    <>
      {panes.map((pane, index) => (
        <Box key={pane.session} {...shareOf('width', columns, index, panes.length)}>
          <PaneFrame pane={pane} />
        </Box>
      ))}
    </>
  );
}

const rest = {flexGrow: 1, flexShrink: 1, flexBasis: 0} as const;

/** The share of one of several in whole cells; the last one has the rest. */
function shareOf(
  side: 'width' | 'height',
  cells: number,
  index: number,
  count: number,
): typeof rest | {readonly width?: number; readonly height?: number; readonly flexShrink: number} {
  if (index === count - 1) return rest;
  const edge = (at: number): number => Math.floor((cells * at) / count);
  return {[side]: edge(index + 1) - edge(index), flexShrink: 0};
}
