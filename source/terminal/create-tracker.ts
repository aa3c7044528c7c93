import {allowSequence} from './allow-sequence.ts';
import {createReader} from './create-reader.ts';
import {withoutUnfinished, withReport} from './program-status.ts';
import {type Cursor, replyToSequence, replyToString, type ThemeColours} from './reply-to.ts';
import {sanitizeLine} from './sanitize.ts';
import {
  afterEscape,
  afterResize,
  afterSequence,
  drawsGraphics,
  initialState,
  isTracked,
  styleAfter,
  type TrackedState,
} from './tracked-state.ts';

export type Decoder = {
  /** The text that is complete by now; invalid UTF-8 becomes U+FFFD. */
  readonly read: (bytes: Uint8Array) => string;
  /** Bytes that wait for the rest of their character: at most 3. */
  readonly waiting: () => number;
};

/**
 * Decodes UTF-8 that may be cut anywhere. (TextDecoder can do this too, but does not report how
 * many bytes it holds back.)
 */
export function createDecoder(): Decoder {
  const decoder = new TextDecoder('utf-8', {ignoreBOM: true});
  let waiting = new Uint8Array(0);
  return {
    read(bytes) {
      // The echo of a key is a few letters; this is faster than starting the decoder.
      if (waiting.length === 0 && bytes.length <= maxShortBytes && isAscii(bytes))
        return String.fromCharCode(...bytes);
      const whole = waiting.length === 0 ? bytes : concatBytes(waiting, bytes);
      const end = whole.length - cutOff(whole);
      // A copy: the slice of a Buffer is a view, and whoever reads may use it again.
      waiting = Uint8Array.from(whole.subarray(end));
      return decoder.decode(whole.subarray(0, end));
    },
    waiting: () => waiting.length,
  };
}

const maxShortBytes = 32;

function isAscii(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte >= 0x80) return false;
  return true;
}

/** How many bytes at the end begin an incomplete character. */
function cutOff(bytes: Uint8Array): number {
  for (let count = 1; count <= Math.min(3, bytes.length); count++) {
    const byte = bytes[bytes.length - count] ?? 0;
    if (byte >= 0xc0) return count < sequenceLength(byte) ? count : 0;
    if (byte < 0x80) return 0;
  }

  return 0;
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf8) return 1;
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}

function concatBytes(head: Uint8Array, tail: Uint8Array): Uint8Array {
  const whole = new Uint8Array(head.length + tail.length);
  whole.set(head);
  whole.set(tail, head.length);
  return whole;
}

/** An offset in a stream, and the state there. */
export type Mark = {readonly offset: number; readonly state: TrackedState};

export type TrackerOptions = {
  /** Where reading begins. @default the start of the stream */
  readonly from?: Mark;
  /** Replies to the program's queries, to be typed into the session. */
  readonly onReply?: (reply: Uint8Array) => void;
  /**
   * Called when the program asks for the cursor position. @default such a query stays unanswered
   */
  readonly cursor?: () => Cursor;
  /** The colours that a program gets when it asks. @default light on dark */
  readonly theme?: ThemeColours;
  /** Draws the stream. @default it is only tracked */
  readonly target?: DrawTarget;
};

/** Draws a stream. A returned text is drawn instead of the sequence. */
type DrawTarget = {
  /** `isGraphics`: the characters mean line drawing. */
  readonly draw: (text: string, isGraphics: boolean) => void;
  readonly control?: (code: number) => string | undefined;
  readonly escape?: (body: string) => string | undefined;
  readonly sequence?: (name: string, numbers: string) => string | undefined;
  /** The highest useful number of repetitions. @default 9999 */
  readonly max?: () => number;
};

export type Tracker = {
  /** Reads the next bytes. `at` is their offset in the stream, if earlier ones are missing. */
  readonly write: (bytes: Uint8Array, at?: number) => void;
  readonly state: () => TrackedState;
  /** Draws everything before the current part. */
  readonly flush: () => void;
  /** Where reading may resume: before anything that was cut off at the end. */
  readonly mark: () => Mark;
  /** The latest marks, oldest first; `catchUp` starts from them. */
  readonly marks: () => readonly Mark[];
  /** The size has changed, which resets the scroll regions. */
  readonly resized: () => void;
  /** Continues from this offset and state. */
  readonly adopt: (mark: Mark) => void;
};

/**
 * Tracks a session: its modes, title, program statuses and bells, and queries that need an answer.
 * Without a target it costs at most a fifth of drawing, so every session can have one, shown or
 * not.
 */
export function createTracker({
  from,
  onReply,
  cursor,
  theme,
  target,
}: TrackerOptions = {}): Tracker {
  let state = initialState;
  /** Separate from the state, because it changes with every other sequence. */
  let style = '';
  let offset = 0;
  let marks: readonly Mark[] = [];
  const decoder = createDecoder();
  const encoder = new TextEncoder();

  /** A state with a new style is made once, not for each reader of a mode or a title. */
  const stateNow = (): TrackedState => {
    if (style !== state.style) state = {...state, style};
    return state;
  };

  const become = (next: TrackedState): void => {
    // Earlier text is drawn in the character set that it was written in.
    if (drawsGraphics(next) !== drawsGraphics(state)) reader.flush();
    state = next;
    ({style} = next);
  };

  const answer = (reply: string | undefined): void => {
    if (reply !== undefined) onReply?.(encoder.encode(reply));
  };

  const reader = createReader({
    ...(target !== undefined && {
      draw: (text) => {
        target.draw(text, drawsGraphics(state));
      },
    }),
    control(code) {
      if (code === verticalTab || code === formFeed) return '\n';
      if (code === bell) state = {...state, bells: state.bells + 1};
      if (code !== shiftOut && code !== shiftIn) return '';
      const drawn = target?.control?.(code);
      become({...stateNow(), charset: {...state.charset, shift: code === shiftOut ? 1 : 0}});
      return drawn;
    },
    escape(given) {
      const body = /^[()][^0B]$/.test(given) ? `${given.charAt(0)}B` : given;
      if (!escapes.has(body)) return '';
      const drawn = target?.escape?.(body);
      become(afterEscape(stateNow(), body));
      return drawn ?? (body === given ? undefined : `\u001B${body}`);
    },
    sequence(name, numbers) {
      if (name === 'm') {
        style = styleAfter(style, numbers);
        return undefined;
      }

      const allowed = allowSequence(name, numbers, target?.max?.() ?? 9999);
      if (allowed === '') {
        if (queries.has(name)) answer(replyToSequence(name, numbers, state, cursor));
        return '';
      }

      const drawn = target?.sequence?.(name, numbers);
      if (isTracked(name)) become(afterSequence(stateNow(), name, numbers));
      return drawn ?? allowed;
    },
    string(introducer, payload) {
      answer(replyToString(introducer, payload, theme));
      if (introducer === ']') state = afterCommand(state, payload);
    },
  });

  const mark = (): Mark => ({
    offset: offset - decoder.waiting() - encoder.encode(reader.unfinished()).length,
    state: {...stateNow(), inside: reader.inside()},
  });

  const adopt = (other: Mark): void => {
    ({state, offset} = other);
    ({style} = state);
    marks = [other];
    reader.resume(state.inside);
  };

  if (from !== undefined) adopt(from);

  return {
    write(bytes, at = offset) {
      offset = at + bytes.length;
      reader.read(decoder.read(bytes));
      if (offset - (marks.at(-1)?.offset ?? 0) >= betweenMarks)
        marks = [...marks, mark()].slice(-maxMarks);
    },
    state: stateNow,
    flush: reader.flush,
    mark,
    marks: () => marks,
    resized() {
      state = afterResize(state);
    },
    adopt,
  };
}

const betweenMarks = 256 * 1024;
const maxMarks = 64;

const bell = 0x07;
const verticalTab = 0x0b;
const formFeed = 0x0c;
const shiftOut = 0x0e;
const shiftIn = 0x0f;

/**
 * Deliberately absent: DECALN, character sets but line drawing, `ESC % @` (leaves UTF-8), `ESC SP
 * G` (8-bit replies), `ESC Z` (a query).
 */
const escapes = new Set(['7', '8', '=', '>', 'D', 'E', 'H', 'M', 'c', '(0', '(B', ')0', ')B']);
const queries = new Set(['c', '>c', '>q', 'n', '?n', '$p', '?$p']);

function afterCommand(state: TrackedState, payload: string): TrackedState {
  const [, code, rest = ''] = /^(\d{1,5})(?:;(.*))?$/s.exec(payload) ?? [];
  switch (code) {
    case '0':
    case '2':
      return {...state, title: sanitizeLine(rest)};
    case '133':
      return rest.startsWith('A') ? {...state, statuses: withoutUnfinished(state.statuses)} : state;
    case '7501':
      return {...state, statuses: withReport(state.statuses, rest)};
    default:
      return state;
  }
}
