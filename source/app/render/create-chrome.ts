import type {Cells} from '../../terminal/index.ts';
import type {Part} from '../app-contract.ts';
import {chromeFrame} from './chrome-frame.tsx';
import {compose, type Layer} from './compose.ts';
import type {Size} from './frame.ts';

/** Caches the rendered parts of the chrome, so that Ink renders only those that changed. */
export type Chrome = {
  /** The parts below the panes as one layer, and the parts over them. */
  readonly draw: (
    parts: readonly Part[],
    size: Size,
  ) => {readonly below: Layer; readonly over: readonly Layer[]};
};

export function createChrome(): Chrome {
  let known = new Map<string, Drawn>();
  let below: Cells | undefined;

  return {
    draw(parts, size) {
      const drawn = parts.map((part) => {
        const before = known.get(part.name);
        if (before !== undefined && isSamePart(before.part, part)) return {...before, part};
        return {part, cells: chromeFrame(part.draw(), part.rect)};
      });
      const isSame =
        drawn.length === known.size &&
        below?.columns === size.columns &&
        below.rows === size.rows &&
        drawn.every(({part, cells}) => {
          const before = known.get(part.name);
          return (
            before?.cells === cells &&
            before.part.rect.row === part.rect.row &&
            before.part.rect.column === part.rect.column
          );
        });
      known = new Map(drawn.map((one) => [one.part.name, one]));
      if (!isSame || below === undefined)
        below = compose(size, drawn.filter(({part}) => part.isOver !== true).map(toLayer));
      return {
        below: {cells: below, rect: {row: 0, column: 0, ...size}},
        over: drawn.filter(({part}) => part.isOver === true).map(toLayer),
      };
    },
  };
}

type Drawn = {readonly part: Part; readonly cells: Cells};

function toLayer({part, cells}: Drawn): Layer {
  return {cells, rect: part.rect};
}

function isSamePart(one: Part, other: Part): boolean {
  return (
    one.rect.columns === other.rect.columns &&
    one.rect.rows === other.rect.rows &&
    one.of.length === other.of.length &&
    one.of.every((value, index) => Object.is(value, other.of[index]))
  );
}
