import {looksLikeCommand} from '../command-quality.ts';
import {excerpt} from '../excerpt.ts';
import {type Lint, lint} from './lint.ts';
import {type ClaimReading, isMisplaced, namelessCheck, readClaim} from './read-claim.ts';
import {type InlinePart, readInline} from './read-inline.ts';
import type {SectionItem} from './read-sections.ts';

/** An item's words without its tooth, and what the tooth is. */
export type ItemReading = ClaimReading & {readonly text: string};

export function readItem(item: SectionItem): ItemReading {
  const parts = withoutEmptyEnd(readInline(item.text).filter(({kind}) => kind !== 'comment'));
  const last = parts.at(-1);
  if (last?.kind !== 'code') return {text: wordsOf(parts), problems: problemsInside(parts, item)};

  const before = parts.slice(0, -1);
  const claim = readClaim(last.content, item);
  const problems = [...misplacedIn(before, item), ...claim.problems];
  const isTaken = claim.tooth !== undefined || claim.check !== undefined;
  // A tooth alone is its own text: an agent must read something.
  return {...claim, problems, text: isTaken ? wordsOf(before) || last.content : wordsOf(parts)};
}

function withoutEmptyEnd(parts: readonly InlinePart[]): readonly InlinePart[] {
  return parts.slice(0, parts.findLastIndex(({raw}) => raw.trim() !== '') + 1);
}

function wordsOf(parts: readonly InlinePart[]): string {
  return parts
    .map(({raw}) => raw)
    .join('')
    .trim();
}

/** An item that ends in plain words: its spans are no teeth, whatever they look like. */
function problemsInside(parts: readonly InlinePart[], item: SectionItem): Lint[] {
  const misplaced = misplacedIn(parts, item);
  const [span, end] = parts.slice(-2);
  const isAlmostLast =
    span?.kind === 'code' && end !== undefined && /^[\s.,;:!)]{1,5}$/.test(end.raw);
  const isNameless =
    isAlmostLast && item.isValidation && misplaced.length === 0 && looksLikeCommand(span.content);
  return isNameless ? [namelessCheck(span.content, item.line)] : misplaced;
}

function misplacedIn(parts: readonly InlinePart[], item: SectionItem): Lint[] {
  return parts
    .filter(({kind, content}) => kind === 'code' && isMisplaced(content, item))
    .map(({content}) =>
      lint(
        'tooth-not-last',
        item.line,
        `\`${excerpt(content)}\` is not the last thing of its item, so it does nothing. End the item with it (a full stop goes before it), one to an item.`,
      ),
    );
}
