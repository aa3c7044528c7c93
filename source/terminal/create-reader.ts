import {createVisibleText, isTextCode} from './visible-text.ts';

/**
 * Handlers for each part of a stream. The returned text replaces the part; `undefined` lets it
 * through.
 */
export type ReaderHandlers = {
  /**
   * All text that was let through, in order. Without it, text is not looked at: that would be more
   * than half of the time. @default text is dropped
   */
  readonly draw?: (text: string) => void;
  /** A control character other than BS, TAB, LF and CR, which are text. */
  readonly control: (code: number) => string | undefined;
  /** `ESC 7` is `7`, `ESC ( 0` is `(0`. */
  readonly escape: (body: string) => string | undefined;
  /** `CSI ? 25 h` is `?h` with `25`: the name of the sequence, and its numbers, none above 9999. */
  readonly sequence: (name: string, numbers: string) => string | undefined;
  /** A complete OSC `]`, DCS `P`, APC `_`, PM `^` or SOS `X`. None of them is ever let through. */
  readonly string: (introducer: string, payload: string) => void;
};

export type Reader = {
  readonly read: (text: string) => void;
  /** Draws everything that was let through before the current part. */
  readonly flush: () => void;
  /** The beginning of a sequence that continues in the next text. */
  readonly unfinished: () => string;
  /**
   * The introducer of a string or sequence that is being dropped, because it is too long or not
   * text, and has not ended; otherwise empty.
   */
  readonly inside: () => string;
  /** Restarts inside of such a string. */
  readonly resume: (inside: string) => void;
};

/** A longer control sequence is dropped. */
const maxSequenceLength = 256;
/**
 * A longer string is dropped. A line feed ends it too: an unterminated string must not swallow the
 * session.
 */
const maxStringLength = 4096;

/**
 * Splits a stream into text, controls, escape sequences and strings, wherever its chunks were cut.
 */
export function createReader(handlers: ReaderHandlers): Reader {
  let text = '';
  /** Start of the current part. */
  let at = 0;
  /** Everything before this index has been drawn or dropped, or is in `ready`. */
  let done = 0;
  let ready = '';
  let unfinished = '';
  let inside = '';
  const visible = createVisibleText();

  const flush = (): void => {
    const passed = handlers.draw === undefined ? '' : ready + text.slice(done, at);
    ready = '';
    done = at;
    if (passed === '') return;
    const drawn = visible.pass(passed);
    if (drawn !== '') handlers.draw?.(drawn);
  };

  const replace = (end: number, by: string): number => {
    ready += text.slice(done, at) + by;
    done = end;
    return end;
  };

  /** The index after the current part, or `undefined` when its end is still to come. */
  const readPart = (): number | undefined => {
    const code = text.charCodeAt(at);
    if (code === escapeCode)
      return text.charCodeAt(at + 1) === bracket ? readSequence(at + 2) : readEscape();
    if (code < 0x80) {
      const verdict = handlers.control(code);
      return verdict === undefined ? at + 1 : replace(at + 1, verdict);
    }

    if (code >= 0xa0) return replace(at + 1, '');
    // A C1 control equals ESC and a letter.
    const letter = String.fromCharCode(code - 0x40);
    if (letter === '[') return readSequence(at + 1);
    if (introducers.includes(letter)) return readString(letter, at + 1);
    return replace(at + 1, handlers.escape(letter) ?? `\u001B${letter}`);
  };

  const readEscape = (): number | undefined => {
    let end = at + 1;
    while (isIntermediate(text.charCodeAt(end))) end++;
    if (end - at > maxSequenceLength) return skip('[', end);
    if (end === text.length) return undefined;
    const final = text.charCodeAt(end);
    // Any character other than a final one aborts the sequence and is read by itself.
    if (final < 0x30 || final > 0x7e) return replace(end, '');
    const body = text.slice(at + 1, end + 1);
    if (introducers.includes(body)) return readString(body, end + 1);
    const verdict = handlers.escape(body);
    return verdict === undefined ? end + 1 : replace(end + 1, verdict);
  };

  const readSequence = (from: number): number | undefined => {
    const source = text;
    const {length} = source;
    const start = isPrefix(source.charCodeAt(from)) ? from + 1 : from;
    let end = start;
    let digits = 0;
    let isPlain = source.charCodeAt(at) === escapeCode;
    for (; end < length; end++) {
      const code = source.charCodeAt(end);
      if (code >= 0x30 && code <= 0x39) digits++;
      else if (code === semicolon || code === colon) digits = 0;
      else if (code >= 0x40 || code === escapeCode || code === cancel || code === substitute) break;
      else isPlain = false;
      if (digits > 4) isPlain = false;
    }

    if (end - from > maxSequenceLength) return skip('[', end);
    if (end === text.length) return undefined;
    const final = text.charCodeAt(end);
    if (final < 0x40) return replace(final === escapeCode ? end : end + 1, '');
    if (final > 0x7e) return replace(end, '');
    if (!isPlain) return replace(end + 1, readUnusual(text.slice(from, end), text.charAt(end)));
    const name = start === from ? source.charAt(end) : source.charAt(from) + source.charAt(end);
    const verdict = handlers.sequence(name, source.slice(start, end));
    return verdict === undefined ? end + 1 : replace(end + 1, verdict);
  };

  /**
   * A sequence with intermediates, long numbers, or control characters inside, which a terminal
   * executes before the sequence.
   */
  const readUnusual = (body: string, final: string): string => {
    let controls = '';
    const bare = body.replaceAll(/[\0-\u001F]/g, (control) => {
      const code = control.charCodeAt(0);
      controls += (isTextCode(code) ? undefined : handlers.control(code)) ?? control;
      return '';
    });
    const parts = /^([<-?]?)([\d:;]*)([ -/]*)$/.exec(bare);
    if (parts === null) return controls;
    const [, prefix = '', digits = '', intermediates = ''] = parts;
    const numbers = digits.replaceAll(/\d{5,}/g, (number) =>
      String(Math.min(9999, Number(number))),
    );
    const verdict = handlers.sequence(prefix + intermediates + final, numbers);
    return controls + (verdict ?? `\u001B[${prefix}${numbers}${intermediates}${final}`);
  };

  const readString = (introducer: string, from: number): number | undefined => {
    const limit = from + maxStringLength;
    const end = findIndex(endOfString, from);
    if ((end ?? text.length) > limit) return skip(introducer, limit);
    const payload = text.slice(from, end);
    // A payload that is not text is useless. Without it, unfinished text can be counted in bytes.
    if (payload.includes('\uFFFD')) return skip(introducer, from);
    if (end === undefined) return undefined;
    const code = text.charCodeAt(end);
    if (code !== cancel && code !== substitute) handlers.string(introducer, payload);
    return replace(code < escapeCode ? end + 1 : end, '');
  };

  /**
   * Drops everything from `from` to the end of the string or sequence, which may be in a later
   * text.
   */
  const skip = (introducer: string, from: number): number => {
    const end = findIndex(introducer === '[' ? endOfSequence : endOfStringOrLine, from);
    inside = end === undefined ? introducer : '';
    if (end === undefined) return replace(text.length, '');
    const code = text.charCodeAt(end);
    const isItsOwn = code !== lineFeed && code !== escapeCode && code < 0x7f;
    return replace(isItsOwn ? end + 1 : end, '');
  };

  const findIndex = (pattern: RegExp, from: number): number | undefined => {
    const index = text.slice(from).search(pattern);
    return index === -1 ? undefined : from + index;
  };

  return {
    read(more) {
      text = unfinished + more;
      unfinished = '';
      at = 0;
      done = 0;
      let next: number | undefined = inside === '' ? 0 : skip(inside, 0);
      while (next !== undefined) {
        at = endOfText(text, next);
        if (at === text.length) break;
        next = readPart();
      }

      if (next === undefined) unfinished = text.slice(at);
      flush();
      text = '';
      at = 0;
      done = 0;
    },
    flush,
    unfinished: () => unfinished,
    inside: () => inside,
    resume(introducer) {
      inside = introducer;
      unfinished = '';
      visible.reset();
    },
  };
}

const introducers = ']PX^_';
const endOfString = /[\u0007\u0018\u001A\u001B\u0080-\u009F]/;
const endOfStringOrLine = /[\u0007\n\u0018\u001A\u001B\u0080-\u009F]/;
const endOfSequence = /[\u0018\u001A\u001B@-\uFFFF]/;

const escapeCode = 0x1b;
const lineFeed = 0x0a;
const cancel = 0x18;
const substitute = 0x1a;
const bracket = 0x5b;
const semicolon = 0x3b;
const colon = 0x3a;

function endOfText(text: string, from: number): number {
  const {length} = text;
  let end = from;
  while (end < length && isTextCode(text.charCodeAt(end))) end++;
  return end;
}

function isPrefix(code: number): boolean {
  return code >= 0x3c && code <= 0x3f;
}

function isIntermediate(code: number): boolean {
  return code >= 0x20 && code <= 0x2f;
}
