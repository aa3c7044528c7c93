export type XmlHandler = {
  readonly onOpen: (name: string, attribute: (name: string) => string | undefined) => void;
  /** Also called after `onOpen` of an element without content. */
  readonly onClose: (name: string) => void;
  /** Decoded text between tags. */
  readonly onText: (text: string) => void;
};

/**
 * Scans XML in linear time and never throws. Returns whether the document is whole: every element
 * is closed. Declares no entities: a DOCTYPE is skipped. Names lose their prefix.
 */
export function scanXml(text: string, {onOpen, onClose, onText}: XmlHandler): boolean {
  const open: string[] = [];
  let hasRoot = false;
  for (let at = 0; at < text.length;) {
    const start = text.indexOf('<', at);
    const textEnd = start === -1 ? text.length : start;
    if (textEnd > at && open.length > 0) onText(decodeXml(text.slice(at, textEnd)));
    if (start === -1) break;
    const skipped = skipMarkup(text, start);
    if (skipped !== undefined) {
      if (skipped.content !== undefined && open.length > 0) onText(skipped.content);
      if (skipped.end === -1) return false;
      at = skipped.end;
      continue;
    }

    const end = findTagEnd(text, start + 1);
    if (end === -1) return false;
    at = end + 1;
    const isClosing = text[start + 1] === '/';
    const name = parseName(text, start + (isClosing ? 2 : 1), end);
    if (isClosing) {
      if (open.at(-1) !== name) return false;
      open.pop();
      onClose(name);
      continue;
    }

    if (name === '' || open.length === maxDepth) return false;
    hasRoot = true;
    const tag = text.slice(start + 1, end);
    onOpen(name, (wanted) => findAttribute(tag, wanted));
    if (tag.endsWith('/')) onClose(name);
    else open.push(name);
  }

  return hasRoot && open.length === 0;
}

const maxDepth = 200;

/** Declarations, comments and CDATA. `end` is -1 if the markup is not closed. */
function skipMarkup(
  text: string,
  start: number,
): {readonly end: number; readonly content?: string} | undefined {
  for (const {opening, closing} of markup) {
    if (!text.startsWith(opening, start)) continue;
    const end = text.indexOf(closing, start + opening.length);
    const content =
      opening === cdata
        ? text.slice(start + cdata.length, end === -1 ? text.length : end)
        : undefined;
    return {
      end: end === -1 ? -1 : end + closing.length,
      ...(content !== undefined && {content}),
    };
  }

  if (!text.startsWith('<!', start)) return undefined;
  // The declarations inside a DOCTYPE stand in brackets.
  const end = text.indexOf('>', start);
  if (end === -1) return {end};
  const bracket = text.slice(start, end).indexOf('[') + start;
  if (bracket < start) return {end: end + 1};
  const close = text.indexOf(']', bracket);
  const after = close === -1 ? -1 : text.indexOf('>', close);
  return {end: after === -1 ? -1 : after + 1};
}

const cdata = '<![CDATA[';
const markup = [
  {opening: '<?', closing: '?>'},
  {opening: '<!--', closing: '-->'},
  {opening: cdata, closing: ']]>'},
];

/** The `>` of a tag; one inside quotes is part of a value. */
function findTagEnd(text: string, from: number): number {
  let quote = '';
  for (let at = from; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '>') return at;
    else if (character === '<') return -1;
  }

  return -1;
}

const nameEnd = /[\s/>]/;

function parseName(text: string, from: number, tagEnd: number): string {
  let end = from;
  while (end < tagEnd && end - from < maxNameLength && !nameEnd.test(text[end] ?? '')) end += 1;
  const name = text.slice(from, end);
  return name.slice(name.indexOf(':') + 1);
}

const maxNameLength = 200;

/** Moves from one `=` to the next; a pattern that begins with the name would be quadratic. */
function findAttribute(tag: string, wanted: string): string | undefined {
  for (let at = 0; ;) {
    const equals = tag.indexOf('=', at);
    if (equals === -1) return undefined;
    let start = equals + 1;
    while (/\s/.test(tag[start] ?? '')) start += 1;
    const quote = tag[start];
    if (quote !== '"' && quote !== "'") {
      at = start;
      continue;
    }

    const end = tag.indexOf(quote, start + 1);
    if (end === -1) return undefined;
    const name = tag.slice(Math.max(at, equals - maxNameLength), equals).trim();
    if (name === wanted || name.endsWith(` ${wanted}`) || name.endsWith(`\n${wanted}`))
      return decodeXml(tag.slice(start + 1, end));
    at = end + 1;
  }
}

/** The entities that every XML document has. Others stay as they are. */
function decodeXml(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(
    /&(?:(lt|gt|quot|apos|amp)|#(\d{1,7})|#x([\dA-Fa-f]{1,6}));/g,
    (whole, name: string | undefined, decimal: string | undefined, hex: string | undefined) => {
      if (name !== undefined) return entities[name] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
    },
  );
}

const entities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  amp: '&',
};
