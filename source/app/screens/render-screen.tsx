import type {Line} from '../model/line.ts';
import type {Model} from '../model/model.ts';
import type {Part, View} from '../app-contract.ts';
import {renderChrome} from './render-chrome.ts';
import type {Highlight} from './highlight.ts';
import {Lines} from './lines.tsx';
import type {Theme} from './theme.ts';

export type Looks = {readonly theme: Theme; readonly highlight?: Highlight | undefined};

/**
 * The chrome as parts for Ink. Parts are compared by their text and tones, so that Ink renders only
 * those that changed.
 */
export function renderScreen(view: View<Model>, {theme, highlight}: Looks): Part[] {
  return renderChrome({...view, highlight}).map(({name, rect, lines, isOver}) => ({
    name,
    rect,
    of: [theme, toComparableText(lines)],
    draw: () => <Lines lines={lines} theme={theme} />,
    ...(isOver ? {isOver} : {}),
  }));
}

/** Rows with their tones as one text: equal texts look the same. */
function toComparableText(lines: readonly Line[]): string {
  return lines
    .map((one) => one.map(({text, tone}) => `${tone}\u0001${text}`).join('\u0002'))
    .join('\n');
}
