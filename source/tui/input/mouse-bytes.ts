import type {Modes} from '../../terminal/index.ts';
import {type Rect, isInside} from '../render/rect.ts';
import type {Mouse} from './key.ts';

/** The pointer as the program in a pane is told of it; nothing if it did not ask, or if this is not what it asked for. */
export function mouseBytes(
  mouse: Mouse,
  {mouseTracking, mouseEncoding}: Pick<Modes, 'mouseTracking' | 'mouseEncoding'>,
  rect: Rect,
): Uint8Array | undefined {
  if (mouseTracking === 'off' || !isInside(rect, mouse)) return undefined;
  if (
    mouse.action === 'move' &&
    (mouseTracking === 'click' || (mouseTracking === 'drag' && mouse.button === 'none'))
  )
    return undefined;
  const column = mouse.column - rect.column + 1;
  const row = mouse.row - rect.row + 1;
  const isRelease = mouse.action === 'release';
  // Only the newest form says which button was let go.
  const code = isRelease && mouseEncoding !== 'sgr' ? mouse.code | 3 : mouse.code;
  switch (mouseEncoding) {
    case 'sgr':
      return encode(`\u001B[<${code};${column};${row}${isRelease ? 'm' : 'M'}`);
    case 'urxvt':
      return encode(`\u001B[${code + 32};${column};${row}M`);
    case 'utf8':
      return encode(`\u001B[M${String.fromCodePoint(code + 32, column + 32, row + 32)}`);
    case 'default':
      return Math.max(code, column, row) > 223
        ? undefined
        : Uint8Array.from([0x1b, 0x5b, 0x4d, code + 32, column + 32, row + 32]);
  }
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
