import {type Line, lineAt, withoutTrailing} from './line.ts';
import {readItemMarkers} from './read-item-markers.ts';

export type Block = Heading | Item | Prose;
export type Heading = {
  readonly kind: 'heading';
  readonly line: number;
  readonly level: number;
  readonly title: string;
};
/** A list item and its own words, lines joined by a space; what is nested in it is an item of its own. */
export type Item = {readonly kind: 'item'; readonly line: number; readonly text: string};
/** Whatever is neither heading nor item: paragraphs, quotations, tables, code. */
export type Prose = {readonly kind: 'prose'; readonly line: number};

export type Blocks = {
  readonly blocks: readonly Block[];
  /** A code fence or comment that nothing ends, so that it swallows the rest of the file. */
  readonly unclosed?: Pick<Unread, 'what' | 'line'>;
};

/**
 * Reads the few shapes of markdown that a rules file has, line by line, in time that grows with the text.
 * docs/decisions/0003-rules-file.md says why no markdown parser does this.
 */
export function readBlocks(lines: readonly string[]): Blocks {
  const page: Page = {found: [], items: [], paragraph: undefined, unread: undefined};
  for (const [index, text] of lines.entries()) readLine(page, lineAt(text, index + 1));

  const blocks = page.found
    .map(blockOf)
    .filter((block) => block.kind !== 'item' || block.text !== '');
  // Inside an item a fence ends with the item; only one at the margin swallows everything.
  return page.unread === undefined || page.unread.column > 0
    ? {blocks}
    : {blocks, unclosed: {what: page.unread.what, line: page.unread.line}};
}

/** A block that may still grow. Only a paragraph at the margin can turn out to be the title above an underline. */
type Growing = {
  readonly kind: 'item' | 'paragraph' | 'other';
  readonly line: number;
  readonly words: string[];
};
/** An item, and the column where its text begins: what is indented this far belongs to it. */
type OpenItem = {readonly block: Growing; readonly column: number};
/** A fence or comment whose lines are passed over, until one ends it or stands to the left of its column. */
type Unread = {
  readonly what: 'code fence' | 'comment';
  readonly line: number;
  readonly column: number;
  readonly endsAt: (content: string) => boolean;
};

type Page = {
  readonly found: (Heading | Growing)[];
  /** The items that the next line may belong to, outermost first. */
  readonly items: OpenItem[];
  /** What a line of plain text goes on with. */
  paragraph: Growing | undefined;
  unread: Unread | undefined;
};

function readLine(page: Page, line: Line): void {
  if (isUnread(page, line)) return;
  if (line.content === '') {
    readBlank(page);
    return;
  }

  const read = [
    readUnderline,
    readHeading,
    readFence,
    readComment,
    readBreak,
    readItems,
    readQuotation,
    readPlain,
  ];
  read.some((tryTo) => tryTo(page, line));
}

/** An item whose text has not begun when a blank line comes stays empty. */
function readBlank(page: Page): void {
  page.paragraph = undefined;
  if (page.items.at(-1)?.block.words.length === 0) page.items.pop();
}

function isUnread(page: Page, line: Line): boolean {
  if (page.unread === undefined) return false;
  const {column, endsAt} = page.unread;
  const isOutside = line.content !== '' && line.indent < column;
  if (isOutside || endsAt(line.content)) page.unread = undefined;
  return !isOutside;
}

/** `Title` and below it `=====` or `-----`. */
function readUnderline(page: Page, {content, indent}: Line): boolean {
  const title = page.paragraph;
  if (title?.kind !== 'paragraph' || indent > 3 || !/^(?:=+|-+)$/.test(content)) return false;
  page.found.pop();
  endParagraph(page, 0);
  page.found.push({
    kind: 'heading',
    line: title.line,
    level: content.startsWith('=') ? 1 : 2,
    title: title.words.join(' '),
  });
  return true;
}

function readHeading(page: Page, {content, indent, number}: Line): boolean {
  const [, marks = '', text = ''] = /^(#{1,6})(?:[ \t](.*))?$/.exec(content) ?? [];
  if (marks === '' || indent > 3 || isInItem(page, indent)) return false;
  endParagraph(page, 0);
  page.found.push({
    kind: 'heading',
    line: number,
    level: marks.length,
    title: titleOf(text.trim()),
  });
  return true;
}

/** A heading inside a list item divides that item, not the file. */
function isInItem({items}: Page, indent: number): boolean {
  return items[0] !== undefined && items[0].column <= indent;
}

/** `# Title ##` is closed by its marks; `# C#` is not. */
function titleOf(text: string): string {
  const title = withoutTrailing(text, '#');
  return title === '' || /\s/.test(text.charAt(title.length)) ? title : text;
}

function readFence(page: Page, {content, indent, number}: Line): boolean {
  const fence = /^(?:(`{3,})[^`]*|(~{3,}).*)$/.exec(content);
  const mark = fence?.[1] ?? fence?.[2];
  if (mark === undefined || isIndentedCode(page, indent)) return false;
  endParagraph(page, indent);
  page.found.push({kind: 'other', line: number, words: []});
  const endsAt = (text: string): boolean =>
    text.length >= mark.length && withoutTrailing(text, mark.charAt(0)) === '';
  page.unread = {what: 'code fence', line: number, column: page.items.at(-1)?.column ?? 0, endsAt};
  return true;
}

function readComment(page: Page, {content, indent, number}: Line): boolean {
  if (!content.startsWith('<!--') || isIndentedCode(page, indent)) return false;
  endParagraph(page, indent);
  const endsAt = (text: string): boolean => text.includes('-->');
  if (!endsAt(content))
    page.unread = {what: 'comment', line: number, column: page.items.at(-1)?.column ?? 0, endsAt};
  return true;
}

/** `---`, `* * *`, `___` */
function readBreak(page: Page, {content, indent}: Line): boolean {
  if (
    !/^(?:-{3,}|\*{3,}|_{3,})$/.test(content.replaceAll(/[ \t]/g, '')) ||
    isIndentedCode(page, indent)
  )
    return false;
  endParagraph(page, indent);
  return true;
}

function readItems(page: Page, line: Line): boolean {
  const {columns, text} = readItemMarkers(line);
  if (columns.length === 0 || isIndentedCode(page, line.indent)) return false;
  // "… since\n2019. Then" is a paragraph that happens to break before a number; a list that follows a paragraph begins with 1.
  if (page.paragraph?.kind === 'paragraph' && /^(?!1[.)])\d/.test(line.content)) return false;
  endParagraph(page, line.indent);
  for (const column of columns) {
    const block: Growing = {kind: 'item', line: line.number, words: []};
    page.found.push(block);
    page.items.push({block, column});
  }

  return text === '' || readPlain(page, {...line, indent: columns.at(-1) ?? 0, content: text});
}

function readQuotation(page: Page, {content, indent, number}: Line): boolean {
  if (!content.startsWith('>')) return false;
  endParagraph(page, indent);
  page.paragraph = {kind: 'other', line: number, words: []};
  page.found.push(page.paragraph);
  return true;
}

function readPlain(page: Page, {content, indent, number}: Line): boolean {
  if (page.paragraph === undefined) {
    endParagraph(page, indent);
    page.paragraph = page.items.at(-1)?.block;
  }

  if (page.paragraph === undefined) {
    const isCode = isIndentedCode(page, indent);
    const block: Growing = {kind: isCode ? 'other' : 'paragraph', line: number, words: []};
    page.found.push(block);
    if (isCode) return true;
    page.paragraph = block;
  }

  page.paragraph.words.push(content);
  return true;
}

/** Ends the paragraph, and every item that a block at this indent is not inside of. */
function endParagraph(page: Page, indent: number): void {
  page.paragraph = undefined;
  while ((page.items.at(-1)?.column ?? 0) > indent) page.items.pop();
}

/** Four columns in from the item around it, or from the margin, markdown shows code; in a paragraph it is only more text. */
function isIndentedCode(page: Page, indent: number): boolean {
  const around = page.items.findLast(({column}) => column <= indent)?.column ?? 0;
  return indent - around > 3;
}

function blockOf(block: Heading | Growing): Block {
  if (block.kind === 'heading') return block;
  return block.kind === 'item'
    ? {kind: 'item', line: block.line, text: block.words.join(' ')}
    : {kind: 'prose', line: block.line};
}
