import {clusterRules, displayWidth} from '../shared/index.ts';
import {preserveStyles} from './sanitize.ts';

/**
 * Width of a line of text in cells, as the emulator counts them; colours and styles have none. The
 * bundle uses it in place of `string-width`, so that Ink counts the same.
 */
export function textWidth(text: string): number {
  return displayWidth(text.includes('\u001B') ? withoutStyles(text) : text);
}

/**
 * How a character takes part in a cluster: the width of the cluster so far, whether it joins the
 * characters before it, and the state to pass on for the next character.
 */
export function clusterProperties(
  codePoint: number,
  before: number,
): {readonly width: number; readonly isJoined: boolean; readonly state: number} {
  const state = clusterRules.charProperties(codePoint, before);
  return {width: (state >> 1) & 3, isJoined: (state & 1) === 1, state};
}

function withoutStyles(text: string): string {
  return preserveStyles(text).replaceAll(styles, '');
}

const styles = /\u001B\[[\d:;]*m/g;
