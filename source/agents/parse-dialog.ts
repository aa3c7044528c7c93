import type {ScreenPatterns} from './driver.ts';

/** A dialog on an agent's screen that waits for a person. */
export type AgentDialog = {
  /** The question and its context. */
  readonly question: string;
  /** The options in order; empty if it accepts free text. */
  readonly options: readonly string[];
  /** The screen row of the options, if they are side by side. */
  readonly row?: number;
  /**
   * Index of the option that Enter would select, in a menu without numbers: the arrow keys start
   * there.
   */
  readonly marked?: number;
};

/**
 * Finds a dialog on the screen. A dialog replaces the prompt: its options are at the bottom of the
 * screen, with no prompt below. So neither scrollback nor text that an agent merely prints counts
 * as one.
 */
export function parseDialog(
  rows: readonly string[],
  {question, ready, options: layout}: ScreenPatterns,
): AgentDialog | undefined {
  if (question === undefined) return undefined;
  const lines = rows.map(withoutFrame);
  const asked = new RegExp(question);
  const menu = layout === 'row' ? undefined : parseMenu(rows, lines, asked);
  if (menu !== undefined) return menu;
  const at = lines.findLastIndex((line) => asked.test(line));
  if (at === -1) return undefined;
  const offer = layout === 'row' ? offerInRow(lines, at) : offerInList(lines, at);
  const end = offer?.end ?? at;
  // An agent whose dialogs always have options does not ask without them.
  if (offer === undefined && layout !== undefined) return undefined;
  const below = rows.slice(end + 1);
  if (
    below.filter((line) => withoutFrame(line) !== '').length > maxLinesBelow ||
    (ready !== undefined && below.some((line) => new RegExp(ready).test(line)))
  )
    return undefined;
  return {
    question: questionText(rows, lines, at, offer?.begin ?? at + 1),
    options: offer?.options ?? [],
    ...(layout === 'row' && offer !== undefined && {row: offer.begin}),
  };
}

/** Room for key hints and the rest of a frame. */
const maxLinesBelow = 4;
const maxTextLength = 300;

type Offer = {readonly begin: number; readonly end: number; readonly options: readonly string[]};

/**
 * `❯ 1. Yes` and the lines that follow. Exactly one option is marked as the one that Enter selects.
 */
function offerInList(lines: readonly string[], after: number): Offer | undefined {
  const begin = lines.findIndex(
    (line, index) => index > after && /^(?:[❯›●>]\s*)?1[.)]\s+\S/u.test(line),
  );
  if (begin === -1) return undefined;
  const options: string[] = [];
  let [end, marked] = [begin, 0];
  for (const [index, line] of lines.entries()) {
    if (index < begin) continue;
    const [, mark, number, text] = /^([❯›●>]\s*)?(\d{1,2})[.)]\s+(\S.*)$/u.exec(line) ?? [];
    if (text !== undefined && Number(number) === options.length + 1) {
      options.push(text);
      if (mark !== undefined) marked++;
    } else if (
      line === '' &&
      new RegExp(`^(?:[❯›●>]\\s*)?${options.length + 1}[.)]\\s`, 'u').test(
        lines.slice(index).find(hasLetters) ?? '',
      )
    )
      continue;
    else if (!hasLetters(line) || options.length === 0) break;
    // A text that is too long for its line continues on the next.
    else options.push(`${options.pop() ?? ''} ${line}`);
    end = index;
  }

  return options.length >= 2 && marked === 1 ? {begin, end, options} : undefined;
}

/**
 * A menu right above a line that says what Enter does. Agents use it at their first start, for
 * example to ask whether a folder is trusted. The question need not be known, because no prompt has
 * such a line below it.
 */
function parseMenu(
  rows: readonly string[],
  lines: readonly string[],
  asked: RegExp,
): AgentDialog | undefined {
  const foot = lines.findLastIndex((line) =>
    /^(?:press )?(?:enter|↵|return) (?:to )?(?:confirm|select|continue|choose)\b/iu.test(line),
  );
  const last = lines.findLastIndex((line, index) => index < foot && line !== '');
  if (foot === -1 || last === -1 || lines.slice(foot + 1).some((line) => line !== ''))
    return undefined;
  const first = lines.findLastIndex((line, index) => index < last && line === '') + 1;
  const places = rows.slice(first, last + 1).map((row) => {
    const [, before = '', mark, text = ''] = /^([\s│┃|]*)([❯›]\s+)?(.*?)[\s│┃|]*$/u.exec(row) ?? [];
    return {column: before.length + (mark?.length ?? 0), isMarked: mark !== undefined, text};
  });
  const column = places.find(({isMarked}) => isMarked)?.column;
  const options: {text: string; isMarked: boolean}[] = [];
  for (const place of places) {
    const before = options.at(-1);
    // A text that is too long for its line continues on the next, indented further.
    if (place.column === column) options.push({text: place.text, isMarked: place.isMarked});
    else if (before !== undefined && column !== undefined && place.column > column)
      before.text = `${before.text} ${place.text}`;
    else return undefined;
  }

  const marked = options.findIndex(({isMarked}) => isMarked);
  if (options.length < 2 || options.filter(({isMarked}) => isMarked).length !== 1) return undefined;
  const at = lines.findLastIndex((line, index) => index < first && asked.test(line));
  const message = at === -1 ? paragraphAbove(lines, first) : questionText(rows, lines, at, first);
  if (!options.some(({text}) => /^\d{1,2}[.)]\s/.test(text)))
    return {question: message, options: options.map(({text}) => text), marked};
  // In a numbered list each number is a key.
  const list = offerInList(lines, first - 1);
  return list?.end === last ? {question: message, options: list.options} : undefined;
}

/** The text right above the options, if the question does not match a pattern. */
function paragraphAbove(lines: readonly string[], end: number): string {
  return lines
    .slice(0, end)
    .filter(hasLetters)
    .slice(-maxBoxedLines)
    .join(' · ')
    .slice(0, maxTextLength);
}

/** `Allow once   Allow always   Reject   ⇆ select  enter confirm` */
function offerInRow(lines: readonly string[], after: number): Offer | undefined {
  const begin = lines.findIndex((line, index) => index > after && line.includes('⇆ select'));
  const terms = (lines[begin] ?? '').split(/\s{2,}/);
  const hints = terms.findIndex((word) => /^(?:ctrl\+|⇆ )/u.test(word));
  return begin === -1 || hints < 2
    ? undefined
    : {begin, end: begin, options: terms.slice(0, hints)};
}

/** The question, the framed text right above it, and the text between it and the options. */
function questionText(
  rows: readonly string[],
  lines: readonly string[],
  at: number,
  options: number,
): string {
  const above = lines.slice(0, at).filter((line) => line !== '');
  // Nothing above the question belongs to it if it is at the top of its frame.
  const isTop =
    rows
      .slice(0, at)
      .findLast((row) => withoutFrame(row) !== '')
      ?.trimStart()
      .startsWith('╭') === true;
  const isBoxed = above.length > 0 && !isTop && !hasLetters(above.at(-1) ?? '');
  const boxedLines = isBoxed
    ? above.slice(
        above.findLastIndex((line, index) => !hasLetters(line) && index < above.length - 1) + 1,
        -1,
      )
    : [];
  return [
    lines[at] ?? '',
    ...boxedLines.slice(-maxBoxedLines),
    ...lines.slice(at + 1, options).filter(hasLetters),
  ]
    .join(' · ')
    .slice(0, maxTextLength);
}

const maxBoxedLines = 6;

function hasLetters(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line);
}

/** The line without its frame. */
function withoutFrame(line: string): string {
  return line.replaceAll(/^[\s│┃|╭╰]+|[\s│┃|╮╯]+$/gu, '');
}
