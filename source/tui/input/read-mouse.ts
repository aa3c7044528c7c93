import type {Mouse, Token} from './key.ts';

/** `CSI < code ; column ; row M`, or `m` when a button is let go. */
export function readMouse(parameters: string, final: string, bytes: Uint8Array): Token {
  const [code, column, row] =
    /^(\d{1,4});(\d{1,5});(\d{1,5})$/.exec(parameters)?.slice(1).map(Number) ?? [];
  if (
    code === undefined ||
    column === undefined ||
    row === undefined ||
    (final !== 'M' && final !== 'm')
  )
    return {type: 'unknown', bytes};
  const mouse: Mouse = {
    action: actionOf(code, final),
    button: (code & 0xc0) === 0 ? (buttons[code & 3] ?? 'other') : 'other',
    row: row - 1,
    column: column - 1,
    shift: (code & 4) !== 0,
    alt: (code & 8) !== 0,
    ctrl: (code & 16) !== 0,
    code,
  };
  return {type: 'mouse', mouse, bytes};
}

const buttons = ['left', 'middle', 'right', 'none'] as const;
const wheels = ['wheel-up', 'wheel-down', 'wheel-left', 'wheel-right'] as const;

function actionOf(code: number, final: string): Mouse['action'] {
  if ((code & 0xc0) === 0x40) return wheels[code & 3] ?? 'wheel-up';
  if ((code & 32) !== 0) return 'move';
  return final === 'm' ? 'release' : 'press';
}
