import {Box, renderToString} from 'ink';
import type {ReactNode} from 'react';
import {type Cells, cellsOfText} from '../../terminal/index.ts';
import type {Size} from './frame.ts';

/**
 * Renders with Ink into cells. Ink never writes to the terminal: its output is parsed as text and
 * styles. No instance, listener or timer of Ink survives a frame.
 */
export function chromeFrame(element: ReactNode, size: Size): Cells {
  const {columns, rows} = size;
  const text = renderToString(
    // No fixed height: `cellsOfText` cuts at the end, while Yoga would shrink rows in the middle.
    <Box width={columns} minHeight={rows} flexDirection="column">
      {element}
    </Box>,
    {columns},
  );
  return cellsOfText(text, size);
}
