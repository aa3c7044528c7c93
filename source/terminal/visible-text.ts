/**
 * Whether a UTF-16 unit is drawn or moves the cursor by itself. Characters that only reorder text
 * are excluded.
 */
export function isTextCode(code: number): boolean {
  if (code < 0x7f)
    return (
      code >= 0x20 ||
      code === lineFeed ||
      code === carriageReturn ||
      code === tab ||
      code === backspace
    );
  return (
    code >= 0xa0 && (code < firstBidiControl || code > lastBidiControl || !isBidiControl(code))
  );
}

const backspace = 0x08;
const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

const firstBidiControl = 0x61c;
const lastBidiControl = 0x2069;

function isBidiControl(code: number): boolean {
  return (
    code === firstBidiControl ||
    code === 0x200e ||
    code === 0x200f ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2066 && code <= lastBidiControl)
  );
}

/**
 * Removes invisible characters, which a person would copy unknowingly, and characters that reorder
 * text.
 */
export type VisibleText = {
  /**
   * The part of this text that may be shown, with held characters that it completes. The result
   * does not depend on where the stream was cut.
   */
  readonly pass: (text: string) => string;
  /** Starts a new stream. */
  readonly reset: () => void;
};

/**
 * Invisible characters can carry hidden text into whatever a person copies. Retained are those that
 * change the look of the character before: a joiner between two emoji or between two letters of a
 * joining script, VS15 and VS16 after an emoji, and the tags of the three flags that Unicode
 * recommends. Letters that look blank become blanks; a soft hyphen becomes visible.
 */
export function createVisibleText(): VisibleText {
  /** The last character that passed; empty at the beginning. */
  let before = '';
  /** Held; it passes if the next character justifies it. */
  let waiting = '';
  /** Number of characters of the emoji that ends with the last one. */
  let parts = 0;

  const take = (character: string): string => {
    const held = waiting;
    if (held.startsWith(blackFlag)) return takeTag(held, character);
    waiting = '';
    if (!invisible.test(character)) {
      const joined = held !== '' && mayJoin(before, held, character, parts) ? held : '';
      return see(character, joined);
    }

    if (isJoiner(character)) {
      // Only a single joiner has a meaning; of several, the first is held.
      if (held === '') waiting = character;
      return '';
    }

    if ((character === textStyle || character === emojiStyle) && held === '' && emoji.test(before))
      return see(character, '');
    const blank = replacements.get(character);
    return blank === undefined ? '' : see(blank, '');
  };

  /** The flag itself has passed; its tags pass as a whole or not at all. */
  const takeTag = (held: string, character: string): string => {
    if (!isTag(character)) {
      waiting = '';
      return take(character);
    }

    const tags = held.slice(blackFlag.length) + character;
    const isWhole = flags.has(tags);
    waiting = isWhole || tags.length > maxTagsLength ? '' : held + character;
    if (isWhole) before = character;
    return isWhole ? tags : '';
  };

  const see = (character: string, joined: string): string => {
    parts = joined !== '' || isPart(character) ? parts + joined.length + 1 : 1;
    before = character;
    waiting = character === blackFlag ? blackFlag : '';
    return joined + character;
  };

  /** Characters of which none is unusual: all but the first pass at once. */
  const takeUsual = (text: string): string => {
    const first = waiting === '' ? '' : take(text.slice(0, 1));
    const rest = first === '' ? text : text.slice(1);
    if (rest !== '') [before, parts] = [rest.slice(-1), 1];
    return first + rest;
  };

  return {
    pass(text) {
      if (!unusual.test(text)) return text === '' ? '' : takeUsual(text);
      let shown = '';
      for (const [piece] of text.matchAll(pieces))
        shown += unusual.test(piece) ? take(piece) : takeUsual(piece);
      return shown;
    },
    reset() {
      before = '';
      waiting = '';
      parts = 0;
    },
  };
}

/** Invisible characters. A few of Unicode's format characters are visible: signs before numbers. */
const invisible =
  /(?![\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}])[\p{Default_Ignorable_Code_Point}\p{Cf}\u2028\u2029]/u;

/**
 * A quick check: no character below the soft hyphen is invisible or begins a sequence that contains
 * an invisible one.
 */
const unusual = /[^\0-\u00AC]/;
/** What passes at once, and single characters that are looked at. */
const pieces = /[\0-\u00AC]+|[^\0-\u00AC]/gu;

const blackFlag = '\u{1F3F4}';
const textStyle = '\uFE0E';
const emojiStyle = '\uFE0F';

const modifier = /\p{Emoji_Modifier}/u;
const emoji = /(?!\p{Regional_Indicator})\p{Emoji}/u;
const picture = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F\u20E3]/u;

/** Scripts in which a joiner decides which form of a letter is drawn. */
const joining =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Mandaic}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;

/** England, Scotland and Wales as tags, with the cancel tag. */
const flags = new Set(
  ['gbeng', 'gbsct', 'gbwls'].map(
    (code) =>
      `${Array.from(code, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')}\u{E007F}`,
  ),
);
const maxTagsLength = 12;

/** As wide as they are drawn, because programs count them. */
const replacements = new Map([
  ['\u00AD', '-'],
  ['\u115F', '  '],
  ['\u3164', '  '],
  ['\uFFA0', ' '],
]);

function isJoiner(character: string): boolean {
  return character === '\u200C' || character === '\u200D';
}

function isTag(character: string): boolean {
  const codePoint = character.codePointAt(0) ?? 0;
  return codePoint >= 0xe0020 && codePoint <= 0xe007f;
}

/**
 * A cell holds a bounded number of characters (see `clusterRules`), and none ends with a joiner.
 * Unicode's own emoji have at most ten.
 */
const maxParts = 12;

function isPart(character: string): boolean {
  return (
    character === textStyle ||
    character === emojiStyle ||
    (character.length === 2 && modifier.test(character))
  );
}

function mayJoin(before: string, joiner: string, after: string, parts: number): boolean {
  if (joining.test(before) && joining.test(after)) return true;
  return (
    parts <= maxParts &&
    joiner === '\u200D' &&
    picture.test(before) &&
    /\p{Extended_Pictographic}/u.test(after)
  );
}
