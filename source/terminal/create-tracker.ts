import {allowSequence} from './allow-sequence.ts';
import {createDecoder} from './create-decoder.ts';
import {createReader} from './create-reader.ts';
import {withReport, withoutUnfinished} from './program-status.ts';
import {type Cursor, type Theme, replyToSequence, replyToString} from './reply-to.ts';
import {sanitizeLine} from './sanitize-line.ts';
import {
  type TrackedState,
  afterEscape,
  afterResize,
  afterSequence,
  drawsGraphics,
  initialState,
  isTracked,
  styleAfter,
} from './tracked-state.ts';

/** A place in a stream, and what the stream had said up to there. */
export type Mark = {readonly offset: number; readonly state: TrackedState};

export type TrackerOptions = {
  /** Where reading begins. @default the start of the stream */
  readonly from?: Mark;
  /** The answers to the program's queries, to be typed into the session. */
  readonly onReply?: (reply: Uint8Array) => void;
  /** Asked when the program asks where the cursor is. @default such a query stays unanswered */
  readonly cursor?: () => Cursor;
  /** The colours that a program is told when it asks. @default light on dark */
  readonly theme?: Theme;
  /** Draws what the stream may draw. @default it is only listened to */
  readonly target?: Target;
};

/** What draws a stream. Where it returns a text, that is drawn instead of the sequence. */
export type Target = {
  /** `isGraphics` says that the characters mean line drawing. */
  readonly draw: (text: string, isGraphics: boolean) => void;
  readonly control?: (code: number) => string | undefined;
  readonly escape?: (body: string) => string | undefined;
  readonly sequence?: (name: string, numbers: string) => string | undefined;
  /** The highest number of repetitions of a sequence that makes sense here. @default 9999 */
  readonly most?: () => number;
};

export type Tracker = {
  /** Reads on. `at` says where in the stream the bytes stand, if something before them is missing. */
  readonly write: (bytes: Uint8Array, at?: number) => void;
  readonly state: () => TrackedState;
  /** Sees to it that everything before the part at hand is drawn. */
  readonly flush: () => void;
  /** Where reading may begin again: before whatever was cut off at the end. */
  readonly mark: () => Mark;
  /** The latest marks on the way here, the oldest first; a screen is caught up from them. */
  readonly marks: () => readonly Mark[];
  /** The size has changed, which makes the scroll regions whole again. */
  readonly resized: () => void;
  /** From now on, this is the place and the state. */
  readonly adopt: (mark: Mark) => void;
};

/**
 * Listens to a session: its modes, title, program statuses and bells, and the queries that wait for an answer. Without a target
 * it costs a fifth of drawing or less, so every session can have one, watched or not.
 */
export function createTracker({
  from,
  onReply,
  cursor,
  theme,
  target,
}: TrackerOptions = {}): Tracker {
  let state = initialState;
  /** Kept apart from the state, because it changes with every other sequence. */
  let style = '';
  let offset = 0;
  let marks: readonly Mark[] = [];
  const decoder = createDecoder();
  const encoder = new TextEncoder();

  const current = (): TrackedState => (style === state.style ? state : {...state, style});

  const become = (next: TrackedState): void => {
    // What came before is drawn in the character set that it was written in.
    if (drawsGraphics(next) !== drawsGraphics(state)) reader.flush();
    state = next;
    ({style} = next);
  };

  const answer = (reply: string | undefined): void => {
    if (reply !== undefined) onReply?.(encoder.encode(reply));
  };

  const reader = createReader({
    draw: (text) => target?.draw(text, drawsGraphics(state)),
    control(code) {
      if (code === verticalTab || code === formFeed) return '\n';
      if (code === bell) state = {...state, bells: state.bells + 1};
      if (code !== shiftOut && code !== shiftIn) return '';
      const drawn = target?.control?.(code);
      become({...current(), charset: {...state.charset, shift: code === shiftOut ? 1 : 0}});
      return drawn;
    },
    escape(given) {
      const body = /^[()][^0B]$/.test(given) ? `${given.charAt(0)}B` : given;
      if (!escapes.has(body)) return '';
      const drawn = target?.escape?.(body);
      become(afterEscape(current(), body));
      return drawn ?? (body === given ? undefined : `\u001B${body}`);
    },
    sequence(name, numbers) {
      if (name === 'm') {
        style = styleAfter(style, numbers);
        return undefined;
      }

      const allowed = allowSequence(name, numbers, target?.most?.() ?? 9999);
      if (allowed === '') {
        if (queries.has(name)) answer(replyToSequence(name, numbers, state, cursor));
        return '';
      }

      const drawn = target?.sequence?.(name, numbers);
      if (isTracked(name)) become(afterSequence(current(), name, numbers));
      return drawn ?? allowed;
    },
    string(introducer, payload) {
      answer(replyToString(introducer, payload, theme));
      if (introducer === ']') state = afterCommand(state, payload);
    },
  });

  const mark = (): Mark => ({
    offset: offset - decoder.waiting() - encoder.encode(reader.unfinished()).length,
    state: {...current(), inside: reader.inside()},
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
        marks = [...marks, mark()].slice(-mostMarks);
    },
    state: current,
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
const mostMarks = 64;

const bell = 0x07;
const verticalTab = 0x0b;
const formFeed = 0x0c;
const shiftOut = 0x0e;
const shiftIn = 0x0f;

/** Deliberately absent: DECALN, character sets but line drawing, `ESC % @` (leaves UTF-8), `ESC SP G` (8-bit replies), `ESC Z` (a query). */
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
