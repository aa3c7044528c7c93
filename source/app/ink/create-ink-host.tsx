import chalk from 'chalk';
import {Box, type DOMElement, render, Static} from 'ink';
import {createRef, type ReactNode} from 'react';
import type {SessionId} from '../../domain/index.ts';
import type {Cells} from '../../terminal/index.ts';
import type {Size} from '../render/frame.ts';
import {ErrorBoundary} from './ErrorBoundary.tsx';
import {createTreePainter, type Painted} from './create-tree-painter.ts';
import type {Regions} from './region.ts';
import {RegionsContext} from './regions.tsx';
import {createVirtualInput, createVirtualOutput} from './virtual-streams.ts';

export type InkHost = {
  /** Whether React has committed anything since the last `paint`. */
  readonly isStale: () => boolean;
  /** Throws what a component has thrown. */
  readonly paint: (size: Size) => Painted;
  readonly repaint: (rows: Iterable<number>) => void;
  /** How often React has committed. Output of panes never counts. */
  readonly commits: () => number;
  readonly close: () => void;
};

export type InkHostOptions = {
  readonly size: Size;
  readonly cellsOf: (session: SessionId) => Cells | undefined;
  readonly isScreenReader: boolean;
  /** A component has thrown, at whatever time: while it rendered or in an effect. */
  readonly onError?: (error: Error) => void;
};

/**
 * One living Ink instance. Ink reconciles and lays out; its renderer never runs, because the root's
 * `onRender` only notes that there is something to paint.
 */
export function createInkHost(
  element: ReactNode,
  {size, cellsOf, isScreenReader, onError}: InkHostOptions,
): InkHost {
  // Components write all colours; the diff writer reduces them to what the terminal has.
  chalk.level = 3;
  const regions: Regions = new Map();
  const first = createRef<DOMElement>();
  const stdout = createVirtualOutput(size);
  const instance = render(<Box ref={first} />, {
    stdout,
    stderr: stdout,
    stdin: createVirtualInput(),
    interactive: false,
    patchConsole: false,
    exitOnCtrlC: false,
    isScreenReaderEnabled: isScreenReader,
  });
  const root = first.current?.parentNode;
  if (root === undefined) throw new Error('expected Ink to mount a root');
  let isStale = true;
  let commits = 0;
  const onCommit = (): void => {
    commits++;
    isStale = true;
  };
  root.onRender = onCommit;
  root.onImmediateRender = onCommit;
  const painter = createTreePainter({regions, cellsOf, isPlain: isScreenReader});
  let failure: Error | undefined;
  instance.rerender(
    <ErrorBoundary
      onError={(error) => {
        failure ??= error;
        onError?.(error);
      }}
    >
      {/* Ink looks for one after every commit, through the whole tree: it finds this one first. */}
      <Static items={nothing}>{() => null}</Static>
      <RegionsContext value={regions}>{element}</RegionsContext>
    </ErrorBoundary>,
  );

  return {
    isStale: () => isStale,
    paint(at) {
      if (failure !== undefined) throw failure;
      isStale = false;
      return painter.paint(root, at);
    },
    repaint: painter.repaint,
    commits: () => commits,
    close() {
      // Ink draws a last frame with its own renderer when it unmounts: give it nothing to draw.
      instance.rerender(undefined);
      instance.unmount();
    },
  };
}

const nothing: unknown[] = [];
