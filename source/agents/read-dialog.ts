import type {ScreenPatterns} from './driver.ts';

/** A dialog of an agent that stands on its screen and waits for a person. */
export type Dialog = {
  /** Its question, with what it is about. */
  readonly question: string;
  /** What it offers, in order; empty where it takes free words. */
  readonly options: readonly string[];
  /** The row with the options, where they stand side by side. */
  readonly row?: number;
  /** The option that Enter would take, in a menu without numbers: the way to another goes from there. Counted from 0. */
  readonly marked?: number;
};

/**
 * A dialog takes the place where the agent takes prompts: it ends at the bottom of what is drawn, with its options, and nothing
 * that takes a prompt stands below it. So neither scrollback nor words that an agent merely prints are taken for one.
 */
export function readDialog(
  rows: readonly string[],
  {question, ready, options: offers}: ScreenPatterns,
): Dialog | undefined {
  if (question === undefined) return undefined;
  const lines = rows.map(bare);
  const asked = new RegExp(question);
  const menu = offers === 'row' ? undefined : readMenu(rows, lines, asked);
  if (menu !== undefined) return menu;
  const at = lines.findLastIndex((line) => asked.test(line));
  if (at === -1) return undefined;
  const offer = offers === 'row' ? offerInRow(lines, at) : offerInList(lines, at);
  const end = offer?.end ?? at;
  // Those that are known to offer options are not asking without them.
  if (offer === undefined && offers !== undefined) return undefined;
  const below = rows.slice(end + 1);
  if (
    below.filter((line) => bare(line) !== '').length > mostBelow ||
    (ready !== undefined && below.some((line) => new RegExp(ready).test(line)))
  )
    return undefined;
  return {
    question: wordsOf(rows, lines, at, offer?.begin ?? at + 1),
    options: offer?.options ?? [],
    ...(offers === 'row' && offer !== undefined && {row: offer.begin}),
  };
}

/** Hints on keys, and the rest of a frame. */
const mostBelow = 4;
const longestWords = 300;

type Offer = {readonly begin: number; readonly end: number; readonly options: readonly string[]};

/** `❯ 1. Yes` and the lines that follow it; one of them is marked as the one that Enter takes. */
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
        lines.slice(index).find(isTelling) ?? '',
      )
    )
      continue;
    else if (!isTelling(line) || options.length === 0) break;
    // A text that is too long for its line goes on in the next.
    else options.push(`${options.pop() ?? ''} ${line}`);
    end = index;
  }

  return options.length >= 2 && marked === 1 ? {begin, end, options} : undefined;
}

/**
 * A menu without numbers, right above a line that says what Enter does: how agents ask at their first start whether a folder is
 * trusted, a key or a server used. What it asks need not be known: no line that takes a prompt has such a line below it.
 */
function readMenu(
  rows: readonly string[],
  lines: readonly string[],
  asked: RegExp,
): Dialog | undefined {
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
    // A text that is too long for its line goes on, further in, in the next.
    if (place.column === column) options.push({text: place.text, isMarked: place.isMarked});
    else if (before !== undefined && column !== undefined && place.column > column)
      before.text = `${before.text} ${place.text}`;
    else return undefined;
  }

  const marked = options.findIndex(({isMarked}) => isMarked);
  // Numbers have keys of their own.
  if (
    options.length < 2 ||
    options.filter(({isMarked}) => isMarked).length !== 1 ||
    options.some(({text}) => /^\d{1,2}[.)]\s/.test(text))
  )
    return undefined;
  const at = lines.findLastIndex((line, index) => index < first && asked.test(line));
  const words = at === -1 ? paragraphAbove(lines, first) : wordsOf(rows, lines, at, first);
  return {question: words, options: options.map(({text}) => text), marked};
}

/** What is said right above it, where nobody knows how it asks. */
function paragraphAbove(lines: readonly string[], end: number): string {
  return lines
    .slice(0, end)
    .filter(isTelling)
    .slice(-mostFramed)
    .join(' · ')
    .slice(0, longestWords);
}

/** `Allow once   Allow always   Reject   ⇆ select  enter confirm` */
function offerInRow(lines: readonly string[], after: number): Offer | undefined {
  const begin = lines.findIndex((line, index) => index > after && line.includes('⇆ select'));
  const words = (lines[begin] ?? '').split(/\s{2,}/);
  const hints = words.findIndex((word) => /^(?:ctrl\+|⇆ )/u.test(word));
  return begin === -1 || hints < 2
    ? undefined
    : {begin, end: begin, options: words.slice(0, hints)};
}

/** The question, what is framed right above it, and what stands between it and the options. */
function wordsOf(
  rows: readonly string[],
  lines: readonly string[],
  at: number,
  options: number,
): string {
  const above = lines.slice(0, at).filter((line) => line !== '');
  // At the top of its own frame nothing above belongs to it.
  const isTop =
    rows
      .slice(0, at)
      .findLast((row) => bare(row) !== '')
      ?.trimStart()
      .startsWith('╭') === true;
  const isFramed = above.length > 0 && !isTop && !isTelling(above.at(-1) ?? '');
  const framed = isFramed
    ? above.slice(
        above.findLastIndex((line, index) => !isTelling(line) && index < above.length - 1) + 1,
        -1,
      )
    : [];
  return [
    lines[at] ?? '',
    ...framed.slice(-mostFramed),
    ...lines.slice(at + 1, options).filter(isTelling),
  ]
    .join(' · ')
    .slice(0, longestWords);
}

const mostFramed = 6;

function isTelling(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line);
}

/** Without the frame that is drawn around it. */
function bare(line: string): string {
  return line.replaceAll(/^[\s│┃|╭╰]+|[\s│┃|╮╯]+$/gu, '');
}
