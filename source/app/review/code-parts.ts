import {type Line, textOfLine, type Tone} from '../model/line.ts';
import type {Token} from '../theme/tokens.ts';
import type {LineItem} from './diff-lines.ts';
import type {TextRange} from './word-diff.ts';

/** A part of a line: its tone, and whether the other version of the line has other words there. */
export type CodePart = {readonly text: string; readonly tone: Token; readonly isChanged: boolean};

/**
 * The parts of a line in their order. `colours` are of the safe text: where making it safe changed
 * the text, the line has no colours, and its parts are made safe one by one.
 */
export function toCodeParts(
  {text}: Pick<LineItem, 'text'>,
  colours: Line | undefined,
  changed: readonly TextRange[],
): readonly CodePart[] {
  const isSame = colours !== undefined && textOfLine(colours) === text;
  const spans = isSame ? colours : [{text, tone: 'plain' as const}];
  const parts: CodePart[] = [];
  let at = 0;
  for (const span of spans) {
    const tone = tokens[span.tone] ?? 'text';
    const end = at + span.text.length;
    for (const {from, to} of changed) {
      if (to <= at || from >= end) continue;
      if (from > at) parts.push({text: text.slice(at, from), tone, isChanged: false});
      const start = Math.max(at, from);
      at = Math.min(end, to);
      parts.push({text: text.slice(start, at), tone, isChanged: true});
    }

    if (at < end) parts.push({text: text.slice(at, end), tone, isChanged: false});
    at = end;
  }

  return parts;
}

/** The tones of code; all others are plain text. */
const tokens: Readonly<Partial<Record<Tone, Token>>> = {
  keyword: 'keyword',
  string: 'string',
  number: 'number',
  name: 'name',
  comment: 'comment',
};
