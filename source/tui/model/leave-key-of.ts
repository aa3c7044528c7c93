/**
 * The keys that can leave typing, by the control character that terminals send for them. Not those that are other keys as well (Enter,
 * Tab, Backspace, Escape), nor Ctrl-C, without which no program in a pane could be interrupted.
 */
export const leaveChords: readonly string[] = [
  'ctrl-]',
  'ctrl-g',
  'ctrl-\\',
  'ctrl-^',
  'ctrl-_',
  ...Array.from('abdefklnopqrstuvwxyz', (letter) => `ctrl-${letter}`),
];

/** The control character of the key that ends typing. */
export function leaveKeyOf(leave: string): number {
  return (leave.toUpperCase().codePointAt(leave.length - 1) ?? 0x5d) & 0x1f;
}
