import {Box, useIsScreenReaderEnabled} from 'ink';
import type {ReactElement} from 'react';
import {HintToastOver} from '../components/HintToast.tsx';
import {PaneGrid} from '../components/PaneGrid.tsx';
import {RowCard} from '../components/RowCard.tsx';
import {TaskList} from '../components/TaskList.tsx';
import {useView} from '../hooks/use-view.ts';
import {selectPaneGrid} from '../model/pane-grid.ts';

/** Tasks on the left, live panes beside them; one below the other for a screen reader. A row without a terminal shows a card. */
export function WorkScreen(): ReactElement {
  const hasPanes = useView(({model, state}) => selectPaneGrid(model, state).panes.length > 0);
  const isZoomed = useView(({model}) => model.isZoomed);
  const isReader = useIsScreenReaderEnabled();
  const hasList = !(isZoomed && hasPanes) && !(isReader && hasPanes);
  return (
    <Box
      flexDirection={isReader ? 'column' : 'row'}
      flexGrow={1}
      flexShrink={1}
      flexBasis={0}
      minHeight={0}
    >
      {hasList ? <TaskList /> : null}
      {hasPanes ? <PaneGrid /> : <RowCard />}
      <HintToastOver />
    </Box>
  );
}
