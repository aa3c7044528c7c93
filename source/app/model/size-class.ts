import type {Size} from '../render/frame.ts';

/**
 * How much fits: `phone` shows one thing, `small` one pane without frames, `narrow` a list and a
 * pane; from `medium` on panes have frames.
 */
export type SizeClass = 'phone' | 'small' | 'narrow' | 'medium' | 'wide' | 'huge';

export function toSizeClass({columns, rows}: Size): SizeClass {
  if (columns < 60 || rows < 15) return 'phone';
  if (columns < 80 || rows < 24) return 'small';
  if (columns < 100) return 'narrow';
  if (columns < 140) return 'medium';
  return columns < 200 ? 'wide' : 'huge';
}

/** Rows 0 and 1 and the keys; small windows have only row 0 and the keys. */
export function fixedRows(size: Size): number {
  return hasAttentionRow(size) ? 3 : 2;
}

export function hasAttentionRow(size: Size): boolean {
  const sizeClass = toSizeClass(size);
  return sizeClass !== 'phone' && sizeClass !== 'small';
}

/** The task list can be wide, only numbers and marks, or hidden. */
export type ListMode = 'wide' | 'slim' | 'off';

/** What the person chose for windows of this class; small ones have no list by default. */
export function listModeOf({
  size,
  listModes,
}: {
  readonly size: Size;
  readonly listModes: ListModes;
}): ListMode {
  return listModes[toSizeClass(size)] ?? 'wide';
}

export type ListModes = Readonly<Partial<Record<SizeClass, ListMode>>>;

export const sizeClasses: readonly SizeClass[] = [
  'phone',
  'small',
  'narrow',
  'medium',
  'wide',
  'huge',
];
export const listModes: readonly ListMode[] = ['wide', 'slim', 'off'];

/** `\\` goes through wide, slim and off. */
export function nextListMode<Shown extends {readonly size: Size; readonly listModes: ListModes}>(
  model: Shown,
): Shown {
  const next = listModes[(listModes.indexOf(listModeOf(model)) + 1) % listModes.length] ?? 'wide';
  return {...model, listModes: {...model.listModes, [toSizeClass(model.size)]: next}};
}

/** The width of the task list, with the column that separates it. */
export function listColumns(size: Size, mode: ListMode): number {
  if (mode === 'off') return 0;
  if (mode === 'slim') return 5;
  switch (toSizeClass(size)) {
    case 'phone':
    case 'small':
      return 0;
    case 'narrow':
      return 28;
    case 'medium':
      return 34;
    case 'wide':
    case 'huge':
      return 44;
  }
}
