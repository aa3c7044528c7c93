import {Box, renderToString} from 'ink';
import type {ReactNode} from 'react';
import {type Cells, cellsOfText} from '../../terminal/index.ts';
import type {Size} from './rect.ts';

/**
 * Lets Ink draw into cells. It never meets the terminal: its text is read as text and styles, and nothing else of it is left. Nothing of Ink lives on between two frames: no instance, no listener, no timer.
 */
export function chromeFrame(element: ReactNode, size: Size): Cells {
  const {columns, rows} = size;
  const text = renderToString(
    // As tall as it gets: reading cuts it at its end; in a height Yoga would rather let rows vanish from the middle.
    <Box width={columns} minHeight={rows} flexDirection="column">
      {element}
    </Box>,
    {columns},
  );
  return cellsOfText(text, size);
}
