import type {Line} from '../model/line.ts';
import type {Model} from '../model/model.ts';
import type {Part, View} from '../seam.ts';
import {chromeOf} from './chrome-of.ts';
import type {Highlight} from './highlight.ts';
import {Lines} from './lines.tsx';
import type {Theme} from './theme.ts';

export type Looks = {readonly theme: Theme; readonly highlight?: Highlight | undefined};

/** The chrome in parts that Ink draws. They are compared as text: Ink is asked only for what reads or looks differently. */
export function screenOf(view: View<Model>, {theme, highlight}: Looks): Part[] {
  return chromeOf({...view, highlight}).map(({name, rect, lines, isOver}) => ({
    name,
    rect,
    of: [theme, keyOf(lines)],
    draw: () => <Lines lines={lines} theme={theme} />,
    ...(isOver ? {isOver} : {}),
  }));
}

/** Rows as one text, tones and all: equal texts look the same. */
function keyOf(lines: readonly Line[]): string {
  return lines
    .map((one) => one.map(({text, tone}) => `${tone}\u0001${text}`).join('\u0002'))
    .join('\n');
}
