import {Box, renderToString} from 'ink';
import type {ReactNode} from 'react';
import type {Cells} from '../../terminal/index.ts';
import type {TextReader} from './create-text-reader.ts';
import type {Size} from './rect.ts';

/**
 * Lets Ink draw into cells. It never meets the terminal: its text goes through the emulator, which lets no more of it pass than of
 * what an agent prints. Nothing of Ink lives on between two frames: no instance, no listener, no timer.
 */
export function chromeFrame(element: ReactNode, size: Size, reader: TextReader): Cells {
  const {columns, rows} = size;
  const text = renderToString(
    <Box width={columns} height={rows} overflow="hidden" flexDirection="column">
      {/* What is too tall is cut at its end; Yoga would rather let rows vanish from the middle. */}
      <Box width={columns} minHeight={rows} flexShrink={0} flexDirection="column">
        {element}
      </Box>
    </Box>,
    {columns},
  );
  return reader.read(text, size);
}
