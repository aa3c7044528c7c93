import type {Choice} from '../../domain/index.ts';
import {sanitizeText} from '../../shared/index.ts';

/** What a plain program asks at its prompt, read from its screen. */
export type PlainQuestion = {
  readonly question: string;
  readonly choices: readonly Choice[];
};

/** More would not fit one digit each. */
const maxChoices = 9;
const maxLabel = 120;
const maxQuestion = 300;
/** A list is looked for this far above the prompt. */
const maxRows = 40;
/** Lines between the list and the prompt, such as "Enter a number". */
const maxBetween = 3;

/**
 * Finds a yes-or-no question on the prompt line, or a numbered list right above it. Undefined if
 * there is neither: the program then takes free text.
 */
export function parseChoices(
  rows: readonly string[],
  cursorRow: number,
): PlainQuestion | undefined {
  const at = findPromptRow(rows, cursorRow);
  if (at === undefined) return undefined;
  const prompt = (rows[at] ?? '').trim();
  const choices = parseYesOrNo(prompt);
  if (choices !== undefined) return {question: clean(prompt, maxQuestion), choices};
  return parseList(rows.slice(Math.max(0, at - maxRows), at), prompt);
}

/** The cursor's row; if it is empty, the last row with text above it. */
function findPromptRow(rows: readonly string[], cursorRow: number): number | undefined {
  const at = rows.slice(0, cursorRow + 1).findLastIndex((row) => row.trim() !== '');
  return at === -1 ? undefined : at;
}

/**
 * `[Y/n]`, `(yes/no)`, `y/n?` at the end of the prompt. A capital only marks the default, unless
 * both are capital. A question with more answers than two, such as `[y,n,q,?]`, is free text; only
 * ssh's `[fingerprint]` may stand beside them.
 */
function parseYesOrNo(prompt: string): readonly Choice[] | undefined {
  const found =
    /(?:^|[\s([{<])(y|yes)\s?[/|]\s?(n|no)(?:\/\[fingerprint\])?\s*[)\]}>]?\s*[?:>]?\s*$/iu.exec(
      prompt,
    );
  const [, yes, no] = found ?? [];
  if (yes === undefined || no === undefined || yes.length > 1 !== no.length > 1) return undefined;
  const isCapital = `${yes}${no}` === `${yes}${no}`.toUpperCase();
  const toKey = (text: string): string => (isCapital ? text : text.toLowerCase());
  return [
    {key: toKey(yes), label: 'yes'},
    {key: toKey(no), label: 'no'},
  ];
}

type Entry = {readonly number: number; readonly column: number; label: string};

function parseList(above: readonly string[], prompt: string): PlainQuestion | undefined {
  const last = above.findLastIndex((row) => parseEntries(row).length > 0);
  if (last === -1) return undefined;
  const wrapped = continuationsAfter(above, last);
  const between = above
    .slice(last + 1 + wrapped)
    .map((row) => row.trim())
    .filter((row) => row !== '');
  if (between.length > maxBetween || !asksToChoose([...between, prompt].join(' ')))
    return undefined;
  const list = collectEntries(above, last + wrapped);
  if (list === undefined) return undefined;
  const choices = toChoices(list.entries);
  if (choices === undefined) return undefined;
  const asked =
    paragraphAbove(above.slice(0, list.begin)) ??
    [...between, prompt].findLast((line) => hasLetters(line)) ??
    lastLine(above.slice(0, list.begin), prompt);
  return {question: clean(asked ?? prompt, maxQuestion), choices};
}

/** The last line of text that is neither an entry nor the same prompt, answered before. */
function lastLine(rows: readonly string[], prompt: string): string | undefined {
  return rows.findLast(
    (row) =>
      hasLetters(row) && parseEntries(row).length === 0 && !row.trimStart().startsWith(prompt),
  );
}

/** `1) one`, `2. two`, `[3] three`; several in a row, as `select` prints long lists. */
function parseEntries(row: string): Entry[] {
  const entries: Entry[] = [];
  for (const match of row.matchAll(
    /(?<=^\s*|\s{2})(?:\[(\d{1,2})\]|(\d{1,2})[.)])\s+(\S(?:.*?\S)?)(?=\s*$|\s{2,}(?:\[\d{1,2}\]|\d{1,2}[.)])\s)/gu,
  )) {
    const [, bracketed, plain, label = ''] = match;
    entries.push({number: Number(bracketed ?? plain), column: match.index, label});
  }

  return entries;
}

/**
 * The entries that end at this row, up to the one with number 1. A label that is too long for its
 * row goes on in the next, indented further; one empty row may stand between two entries.
 */
function collectEntries(
  rows: readonly string[],
  end: number,
): {readonly entries: readonly Entry[]; readonly begin: number} | undefined {
  const entries: Entry[] = [];
  let rest: string[] = [];
  for (let at = end; at >= 0; at -= 1) {
    const row = rows[at] ?? '';
    const found = parseEntries(row);
    const only = found[0];
    if (only !== undefined) {
      if (rest.length > 0) only.label = [only.label, ...rest].join(' ');
      rest = [];
      entries.unshift(...found);
      if (found.some(({number}) => number === 1)) return {entries, begin: at};
    } else if (row.trim() === '') {
      if (rest.length > 0 || (rows[at - 1] ?? '').trim() === '') return undefined;
    } else if (isIndented(row)) rest.unshift(row.trim());
    else return undefined;
  }

  return undefined;
}

/** How many rows after the last entry continue its label. */
function continuationsAfter(rows: readonly string[], last: number): number {
  const column = parseEntries(rows[last] ?? '')[0]?.column ?? 0;
  const after = rows.slice(last + 1);
  const end = after.findIndex(
    (row) => row.trim() === '' || row.length - row.trimStart().length <= column,
  );
  return end === -1 ? after.length : end;
}

function isIndented(row: string): boolean {
  return /^\s{2,}\S/.test(row);
}

/**
 * The numbers must be 1, 2, 3 … without a gap, and perhaps a 0 at the end, so that a digit means
 * the same to the person and to the program.
 */
function toChoices(entries: readonly Entry[]): readonly Choice[] | undefined {
  const zero = entries.at(-1)?.number === 0 ? entries.slice(-1) : [];
  const counted = entries
    .slice(0, entries.length - zero.length)
    .toSorted((a, b) => a.number - b.number);
  if (counted.length < 2 || counted.some(({number}, index) => number !== index + 1))
    return undefined;
  return [...counted.slice(0, maxChoices - zero.length), ...zero].map(({number, label}) => ({
    key: String(number),
    label: clean(label, maxLabel),
  }));
}

/**
 * Whether the text after a list asks for one of its numbers: a sign alone (`>`, `#?`), a question,
 * or a word for choosing. `Your name:` below a list of steps does not.
 */
function asksToChoose(text: string): boolean {
  return (
    !hasLetters(text) ||
    /\?\s*(?:[([][^)\]]*[)\]]\s*)?[>:]?\s*$/u.test(text) ||
    /\b(?:choos|choice|select|option|number|pick|which|answer|enter)|[([]\s*1\s*(?:-|–|\.\.|,|\/)/iu.test(
      text,
    )
  );
}

/** The paragraph right above the list, if it ends like a question; not all output before it. */
function paragraphAbove(rows: readonly string[]): string | undefined {
  const end = rows.findLastIndex((row) => row.trim() !== '');
  // More than one empty row apart, it is not about the list.
  if (end === -1 || rows.length - 1 - end > 1 || !/[?:]\s*$/u.test(rows[end] ?? ''))
    return undefined;
  const lines = [(rows[end] ?? '').trim()];
  for (let at = end - 1; at >= 0 && lines.length < 4; at -= 1) {
    const line = (rows[at] ?? '').trim();
    const isSentence = /^\p{Ll}/u.test(lines[0] ?? '') || line.length >= minWrapped;
    if (!hasLetters(line) || /[.?!:;…]$/u.test(line) || !isSentence) break;
    lines.unshift(line);
  }

  return lines.join(' ');
}

/** A row that a longer sentence was wrapped in. */
const minWrapped = 60;

function hasLetters(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

/** Foreign text on one line, cut, with nothing in it that hides or reorders. */
function clean(text: string, max: number): string {
  const line = text.trim().replaceAll(/\s+/gu, ' ');
  return sanitizeText(line.length > max ? `${line.slice(0, max - 1)}…` : line);
}
