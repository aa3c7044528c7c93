/** Takes out of a stream of text what a person cannot see and would copy, or what reorders what they see. */
export type VisibleText = {
  /** What of this text may be shown, with what waited for it. The result does not depend on where the stream was cut. */
  readonly pass: (text: string) => string;
  /** Begins anew. */
  readonly reset: () => void;
};

/**
 * Characters without a look of their own carry hidden text into whatever a person copies. Kept is what changes the look of the
 * character before: a joiner between two emoji or between two letters of a script that joins, VS15 and VS16 after an emoji, and the tags of
 * the three flags that Unicode recommends. Blanks that count as letters become blanks, a soft hyphen is seen.
 */
export function createVisibleText(): VisibleText {
  /** The last character that was let through; empty at the beginning. */
  let before = '';
  /** Let through if the next character makes sense of it. */
  let waiting = '';
  /** How many characters the picture has that ends with the last one. */
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
      // Of several only the first can mean something, and then only if it stands alone.
      if (held === '') waiting = character;
      return '';
    }

    if ((character === textStyle || character === emojiStyle) && held === '' && emoji.test(before))
      return see(character, '');
    const blank = replacements.get(character);
    return blank === undefined ? '' : see(blank, '');
  };

  /** The flag itself is there already; its tags are let through as a whole or not at all. */
  const takeTag = (held: string, character: string): string => {
    if (!isTag(character)) {
      waiting = '';
      return take(character);
    }

    const tags = held.slice(blackFlag.length) + character;
    const isWhole = flags.has(tags);
    waiting = isWhole || tags.length > longestTags ? '' : held + character;
    if (isWhole) before = character;
    return isWhole ? tags : '';
  };

  const see = (character: string, joined: string): string => {
    parts = joined !== '' || isPart(character) ? parts + joined.length + 1 : 1;
    before = character;
    waiting = character === blackFlag ? blackFlag : '';
    return joined + character;
  };

  return {
    pass(text) {
      if (waiting === '' && !unusual.test(text)) {
        if (text !== '') [before, parts] = [text.slice(-1), 1];
        return text;
      }

      let shown = '';
      for (const character of text) shown += take(character);
      return shown;
    },
    reset() {
      before = '';
      waiting = '';
      parts = 0;
    },
  };
}

/** Whether a character has no look of its own. A few of Unicode's format characters have one: signs before numbers. */
const invisible =
  /(?![\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}])[\p{Default_Ignorable_Code_Point}\p{Cf}\u2028\u2029]/u;

/** A quick look: nothing below the soft hyphen is invisible, or the beginning of what holds something invisible. */
const unusual = /[^\0-\u00AC]/;

const blackFlag = '\u{1F3F4}';
const textStyle = '\uFE0E';
const emojiStyle = '\uFE0F';

const emoji = /(?!\p{Regional_Indicator})\p{Emoji}/u;
const picture = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F\u20E3]/u;

/** Scripts in which a joiner decides which form of a letter is drawn. */
const joining =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Mandaic}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;

/** England, Scotland, Wales, as they are written in tags with their end. */
const flags = new Set(
  ['gbeng', 'gbsct', 'gbwls'].map(
    (code) =>
      `${Array.from(code, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')}\u{E007F}`,
  ),
);
const longestTags = 12;

/** As wide as they are drawn: programs have counted them. */
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

/** A cell holds a bounded number of characters (see `clusterRules`), and none ends with a joiner. Unicode's own pictures have at most ten. */
const mostParts = 12;

function isPart(character: string): boolean {
  return (
    character === textStyle || character === emojiStyle || /\p{Emoji_Modifier}/u.test(character)
  );
}

function mayJoin(before: string, joiner: string, after: string, parts: number): boolean {
  if (joining.test(before) && joining.test(after)) return true;
  return (
    parts <= mostParts &&
    joiner === '\u200D' &&
    picture.test(before) &&
    /\p{Extended_Pictographic}/u.test(after)
  );
}
