import type {Size} from '../../../source/app/render/frame.ts';

/** The sizes of the goldens of timeline, cost, accepted and brief. */
export const screenSizes: readonly Size[] = [
  {columns: 60, rows: 15},
  {columns: 80, rows: 24},
  {columns: 120, rows: 35},
  {columns: 160, rows: 45},
  {columns: 220, rows: 60},
];

export const evil =
  'a\u001B]52;c;ZXZpbA==\u0007\u001B[2J\u202Eb\u200B\u009B31m\r\nnew line\t\u{E0041}end 👩‍👩‍👧 数数数';
