export type MarkdownBlock = HeadingBlock | ItemBlock | Prose;
export type HeadingBlock = {
  readonly kind: 'heading';
  readonly line: number;
  readonly level: number;
  readonly title: string;
};
/** A list item with its own text, lines joined by a space. A nested item is an item of its own. */
export type ItemBlock = {readonly kind: 'item'; readonly line: number; readonly text: string};
/** Anything else: paragraphs, quotations, tables, code. */
export type Prose = {readonly kind: 'prose'; readonly line: number};

export type Blocks = {
  readonly blocks: readonly MarkdownBlock[];
  /** A code fence or comment without an end, which swallows the rest of the file. */
  readonly unclosed?: Pick<Unread, 'what' | 'line'>;
};

/**
 * Parses the subset of markdown that a rules file uses, line by line and in linear time.
 * docs/decisions/0003-rules-file.md explains why no markdown parser is used.
 */
export function parseBlocks(lines: readonly string[]): Blocks {
  const page: Page = {found: [], items: [], paragraph: undefined, unread: undefined};
  for (const [index, text] of lines.entries()) parseLine(page, lineAt(text, index + 1));

  const blocks = page.found
    .map(toBlock)
    .filter((block) => block.kind !== 'item' || block.text !== '');
  // Inside an item a fence ends with the item; only one at the margin swallows the rest.
  return page.unread === undefined || page.unread.column > 0
    ? {blocks}
    : {blocks, unclosed: {what: page.unread.what, line: page.unread.line}};
}

/**
 * A block that may still grow. Only a paragraph at the margin can become the title above an
 * underline.
 */
type Growing = {
  readonly kind: 'item' | 'paragraph' | 'other';
  readonly line: number;
  readonly terms: string[];
};
/** An item, and the column where its text begins: lines that are indented this far belong to it. */
type OpenItem = {readonly block: Growing; readonly column: number};
/** A fence or comment whose lines are skipped until one ends it or is left of its column. */
type Unread = {
  readonly what: 'code fence' | 'comment';
  readonly line: number;
  readonly column: number;
  readonly endsAt: (content: string) => boolean;
};

type Page = {
  readonly found: (HeadingBlock | Growing)[];
  /** The items that the next line may belong to, outermost first. */
  readonly items: OpenItem[];
  /** The block that a line of plain text continues. */
  paragraph: Growing | undefined;
  unread: Unread | undefined;
};

function parseLine(page: Page, line: MarkdownLine): void {
  if (isUnread(page, line)) return;
  if (line.content === '') {
    parseBlank(page);
    return;
  }

  const parsers = [
    parseUnderline,
    parseHeading,
    parseFence,
    parseComment,
    parseBreak,
    parseItems,
    parseQuotation,
    parsePlain,
  ];
  parsers.some((parse) => parse(page, line));
}

/** A blank line ends an item that has no text yet. */
function parseBlank(page: Page): void {
  page.paragraph = undefined;
  if (page.items.at(-1)?.block.terms.length === 0) page.items.pop();
}

function isUnread(page: Page, line: MarkdownLine): boolean {
  if (page.unread === undefined) return false;
  const {column, endsAt} = page.unread;
  const isOutside = line.content !== '' && line.indent < column;
  if (isOutside || endsAt(line.content)) page.unread = undefined;
  return !isOutside;
}

/** `Title` and below it `=====` or `-----`. */
function parseUnderline(page: Page, {content, indent}: MarkdownLine): boolean {
  const title = page.paragraph;
  if (title?.kind !== 'paragraph' || indent > 3 || !/^(?:=+|-+)$/.test(content)) return false;
  page.found.pop();
  endParagraph(page, 0);
  page.found.push({
    kind: 'heading',
    line: title.line,
    level: content.startsWith('=') ? 1 : 2,
    title: title.terms.join(' '),
  });
  return true;
}

function parseHeading(page: Page, {content, indent, number}: MarkdownLine): boolean {
  const [, marks = '', text = ''] = /^(#{1,6})(?:[ \t](.*))?$/.exec(content) ?? [];
  if (marks === '' || indent > 3 || isInItem(page, indent)) return false;
  endParagraph(page, 0);
  page.found.push({
    kind: 'heading',
    line: number,
    level: marks.length,
    title: parseTitle(text.trim()),
  });
  return true;
}

/** A heading inside a list item divides that item, not the file. */
function isInItem({items}: Page, indent: number): boolean {
  return items[0] !== undefined && items[0].column <= indent;
}

/** `# Title ##` is closed by its marks; `# C#` is not. */
function parseTitle(text: string): string {
  const title = withoutTrailing(text, '#');
  return title === '' || /\s/.test(text.charAt(title.length)) ? title : text;
}

function parseFence(page: Page, {content, indent, number}: MarkdownLine): boolean {
  const fence = /^(?:(`{3,})[^`]*|(~{3,}).*)$/.exec(content);
  const mark = fence?.[1] ?? fence?.[2];
  if (mark === undefined || isIndentedCode(page, indent)) return false;
  endParagraph(page, indent);
  page.found.push({kind: 'other', line: number, terms: []});
  const endsAt = (text: string): boolean =>
    text.length >= mark.length && withoutTrailing(text, mark.charAt(0)) === '';
  page.unread = {what: 'code fence', line: number, column: page.items.at(-1)?.column ?? 0, endsAt};
  return true;
}

function parseComment(page: Page, {content, indent, number}: MarkdownLine): boolean {
  if (!content.startsWith('<!--') || isIndentedCode(page, indent)) return false;
  endParagraph(page, indent);
  const endsAt = (text: string): boolean => text.includes('-->');
  if (!endsAt(content))
    page.unread = {what: 'comment', line: number, column: page.items.at(-1)?.column ?? 0, endsAt};
  return true;
}

/** `---`, `* * *`, `___` */
function parseBreak(page: Page, {content, indent}: MarkdownLine): boolean {
  if (
    !/^(?:-{3,}|\*{3,}|_{3,})$/.test(content.replaceAll(/[ \t]/g, '')) ||
    isIndentedCode(page, indent)
  )
    return false;
  endParagraph(page, indent);
  return true;
}

function parseItems(page: Page, line: MarkdownLine): boolean {
  const {columns, text} = parseItemMarkers(line);
  if (columns.length === 0 || isIndentedCode(page, line.indent)) return false;
  // "… since\n2019. Then" is a paragraph that happens to break before a number; a list that follows
  // a paragraph begins with 1.
  if (page.paragraph?.kind === 'paragraph' && /^(?!1[.)])\d/.test(line.content)) return false;
  endParagraph(page, line.indent);
  for (const column of columns) {
    const block: Growing = {kind: 'item', line: line.number, terms: []};
    page.found.push(block);
    page.items.push({block, column});
  }

  return text === '' || parsePlain(page, {...line, indent: columns.at(-1) ?? 0, content: text});
}

function parseQuotation(page: Page, {content, indent, number}: MarkdownLine): boolean {
  if (!content.startsWith('>')) return false;
  endParagraph(page, indent);
  page.paragraph = {kind: 'other', line: number, terms: []};
  page.found.push(page.paragraph);
  return true;
}

function parsePlain(page: Page, {content, indent, number}: MarkdownLine): boolean {
  if (page.paragraph === undefined) {
    endParagraph(page, indent);
    page.paragraph = page.items.at(-1)?.block;
  }

  if (page.paragraph === undefined) {
    const isCode = isIndentedCode(page, indent);
    const block: Growing = {kind: isCode ? 'other' : 'paragraph', line: number, terms: []};
    page.found.push(block);
    if (isCode) return true;
    page.paragraph = block;
  }

  page.paragraph.terms.push(content);
  return true;
}

/** Ends the paragraph, and every item that does not contain a block at this indent. */
function endParagraph(page: Page, indent: number): void {
  page.paragraph = undefined;
  while ((page.items.at(-1)?.column ?? 0) > indent) page.items.pop();
}

/**
 * Text four columns right of the item around it, or of the margin, is code; in a paragraph it is
 * only more text.
 */
function isIndentedCode(page: Page, indent: number): boolean {
  const around = page.items.findLast(({column}) => column <= indent)?.column ?? 0;
  return indent - around > 3;
}

function toBlock(block: HeadingBlock | Growing): MarkdownBlock {
  if (block.kind === 'heading') return block;
  return block.kind === 'item'
    ? {kind: 'item', line: block.line, text: block.terms.join(' ')}
    : {kind: 'prose', line: block.line};
}

/** One line: its number, its indentation in columns, and its text. */
type MarkdownLine = {
  readonly number: number;
  readonly indent: number;
  readonly content: string;
};

export function lineAt(text: string, number: number): MarkdownLine {
  const content = text.trim();
  let indent = 0;
  for (const character of text) {
    if (character !== ' ' && character !== '\t') break;
    indent = columnAfter(indent, character);
  }

  return {number, indent, content};
}

/** A tab advances to the next multiple of four. */
export function columnAfter(column: number, character: string): number {
  return character === '\t' ? column + 4 - (column % 4) : column + 1;
}

/** The text without the run of `mark` at its end. A regular expression `#+$` would be quadratic. */
export function withoutTrailing(text: string, mark: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === mark) end -= 1;
  return text.slice(0, end).trimEnd();
}

export type ItemMarkers = {
  /**
   * The column where the item's text begins, for each marker at the start of the line (`- 1. x` has
   * two).
   */
  readonly columns: readonly number[];
  readonly text: string;
};

export function parseItemMarkers({content, indent}: MarkdownLine): ItemMarkers {
  const marker = /(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)/y;
  const columns: number[] = [];
  let column = indent;
  let at = 0;
  for (let match = marker.exec(content); match !== null; match = marker.exec(content)) {
    at = marker.lastIndex;
    const spaces = match[0].trimEnd().length;
    // An item whose text is far to the right or on the next line still contains lines one column
    // right of its marker.
    const textColumn = columnAfterText(match[0], column);
    const minColumn = column + spaces + 1;
    columns.push(at === content.length || textColumn > minColumn + 3 ? minColumn : textColumn);
    column = textColumn;
  }

  return {columns, text: content.slice(at)};
}

function columnAfterText(text: string, from: number): number {
  let column = from;
  for (const character of text) column = columnAfter(column, character);
  return column;
}
