import type {IUnicodeVersionProvider} from '@xterm/headless';
import {widthOf} from './width-of.ts';

/**
 * Which characters share a cell with the one before, and how wide the cell becomes: marks, emoji joined by ZWJ or given a skin
 * tone, pairs of regional indicators. The emulator's own rules are Unicode 6, which gives an emoji one cell, while the programs
 * in our panes count two.
 *
 * A value packs `kind` and `joins` of the cluster so far above xterm's own two fields: bits 1–2 the width, bit 0 whether the
 * character joined. Zero means that nothing precedes.
 */
export const clusterRules: IUnicodeVersionProvider = {
  version: 'orchestra',
  wcwidth: (codePoint) => widthOf(codePoint) as 0 | 1 | 2,
  charProperties(codePoint, preceding) {
    if (codePoint < 0x300) return plain;
    const width = widthOf(codePoint);
    const kind = kindOf(codePoint);
    const joins = preceding >> joinsShift;
    // A cell holds a bounded number of characters, whatever a program sends.
    if (preceding === 0 || joins === mostJoins)
      return valueOf(kind, 0, width === 0 ? 1 : width, false);

    const before = (preceding >> kindShift) & 3;
    const widthBefore = (preceding >> 1) & 3;
    if (codePoint === emojiPresentation) return valueOf(before, joins + 1, 2, true);
    if (width === 0)
      return valueOf(codePoint === zeroWidthJoiner ? joiner : before, joins + 1, widthBefore, true);
    const isPicture =
      kind === picture && (before === joiner || (before === picture && isSkinTone(codePoint)));
    if (isPicture) return valueOf(picture, joins + 1, 2, true);
    if (kind === regional && before === regional) return valueOf(other, joins + 1, 2, true);
    return valueOf(kind, 0, width, false);
  },
};

/** Whether the character may join the one before it, so that the two must be kept apart when cells are written out. */
export function mayJoin(codePoint: number): boolean {
  return codePoint >= 0x300 && (widthOf(codePoint) === 0 || kindOf(codePoint) !== other);
}

const other = 0;
const picture = 1;
const joiner = 2;
const regional = 3;

const kindShift = 3;
const joinsShift = 5;
const mostJoins = 15;
const plain = 1 << 1;

const zeroWidthJoiner = 0x200d;
const emojiPresentation = 0xfe0f;

function valueOf(kind: number, joins: number, width: number, joined: boolean): number {
  return (joins << joinsShift) | (kind << kindShift) | (width << 1) | (joined ? 1 : 0);
}

function kindOf(codePoint: number): number {
  if (codePoint >= 0x1f1e6 && codePoint <= 0x1f1ff) return regional;
  const isPicture =
    (codePoint >= 0x2190 && codePoint < 0x2c00) || (codePoint >= 0x1f000 && codePoint < 0x20000);
  return isPicture ? picture : other;
}

function isSkinTone(codePoint: number): boolean {
  return codePoint >= 0x1f3fb && codePoint <= 0x1f3ff;
}
