import {initialModes, type Modes, modesSequence, softReset, withPrivateMode} from './modes.ts';
import type {ProgramStatus} from './program-status.ts';

/**
 * What a stream has set so far, besides what it has drawn. Plain data: it can be stored, and
 * reading can continue from it.
 */
export type TrackedState = {
  readonly modes: Modes;
  readonly title: string;
  readonly statuses: readonly ProgramStatus[];
  /** Number of bells. */
  readonly bells: number;
  readonly charset: Charset;
  readonly normal: BufferState;
  readonly alternate: BufferState;
  /** The SGR sequences since the last reset. */
  readonly style: string;
  /** See `Reader.inside`. */
  readonly inside: string;
};

/**
 * What SO, SI and `ESC ( 0` select: whether G0 and G1 hold line drawing characters, and which of
 * the two is in use.
 */
export type Charset = {
  readonly graphics: readonly [boolean, boolean];
  readonly shift: 0 | 1;
};

type BufferState = {
  /** The numbers of the last `CSI r`. */
  readonly region: string;
  readonly savedCharset: Charset;
  readonly savedStyle: string;
};

const plainCharset: Charset = {graphics: [false, false], shift: 0};
const freshBuffer: BufferState = {region: '', savedCharset: plainCharset, savedStyle: ''};

export const initialState: TrackedState = {
  modes: initialModes,
  title: '',
  statuses: [],
  bells: 0,
  charset: plainCharset,
  normal: freshBuffer,
  alternate: freshBuffer,
  style: '',
  inside: '',
};

export function drawsGraphics({charset}: TrackedState): boolean {
  return charset.graphics[charset.shift];
}

/**
 * Whether a sequence changes the state. SGR does too, but is so frequent that it has `styleAfter`.
 */
export function isTracked(name: string): boolean {
  return tracked.has(name);
}

const tracked = new Set(['h', 'l', '?h', '?l', ' q', 'r', 's', 'u', '!p']);

/** The state after a control sequence that the allow-list lets through. */
export function afterSequence(state: TrackedState, name: string, numbers: string): TrackedState {
  switch (name) {
    case 'h':
    case 'l':
      return withModes(state, {insert: name === 'h'});
    case '?h':
    case '?l':
      return numbers.includes(';')
        ? numbers
            .split(';')
            .reduce((before, number) => afterPrivateMode(before, number, name === '?h'), state)
        : afterPrivateMode(state, numbers, name === '?h');
    case ' q':
      return withModes(state, {cursorShape: Number(numbers)});
    case 'r':
      return withBuffer(state, {region: numbers});
    case 's':
      return afterEscape(state, '7');
    case 'u':
      return afterEscape(state, '8');
    case '!p':
      return withBuffer(
        {...state, modes: softReset(state.modes), charset: plainCharset, style: ''},
        freshBuffer,
      );
    default:
      return state;
  }
}

/** The state after an escape sequence that the allow-list lets through. */
export function afterEscape(state: TrackedState, body: string): TrackedState {
  switch (body) {
    case '7':
      return withBuffer(state, {savedCharset: state.charset, savedStyle: state.style});
    case '8':
      return {
        ...state,
        charset: activeBuffer(state).savedCharset,
        style: activeBuffer(state).savedStyle,
      };
    case '=':
    case '>':
      return withModes(state, {applicationKeypad: body === '='});
    case 'c':
      return {...initialState, title: state.title, bells: state.bells};
    case '(0':
    case '(B':
      return {
        ...state,
        charset: {...state.charset, graphics: [body === '(0', state.charset.graphics[1]]},
      };
    case ')0':
    case ')B':
      return {
        ...state,
        charset: {...state.charset, graphics: [state.charset.graphics[0], body === ')0']},
      };
    default:
      return state;
  }
}

/** Resizing resets the scroll regions. */
export function afterResize(state: TrackedState): TrackedState {
  return {
    ...state,
    normal: {...state.normal, region: ''},
    alternate: {...state.alternate, region: ''},
  };
}

/**
 * The sequence that brings a new emulator into this state, except for the cursor. `fill` is drawn
 * on each screen first.
 */
export function stateSequence(state: TrackedState, fill: string): string {
  const {modes, normal, alternate, style} = state;
  const alternateScreen = modes.alternateScreen
    ? `\u001B[?1049h${fill}\u001B[${alternate.region}r`
    : '';
  return `${fill}\u001B[${normal.region}r${alternateScreen}${modes.origin ? '\u001B[?6h' : ''}${modesSequence(modes)}${style}`;
}

/** The style after `CSI numbers m`. If it is never reset, the latest sequences are retained. */
export function styleAfter(style: string, numbers: string): string {
  if (numbers === '' || numbers === '0') return '';
  const all = `${numbers.startsWith('0;') ? '' : style}\u001B[${numbers}m`;
  return all.length > maxStyleLength
    ? all.slice(all.indexOf('\u001B', all.length - maxStyleLength / 2))
    : all;
}

const maxStyleLength = 1024;

function afterPrivateMode(state: TrackedState, number: string, isOn: boolean): TrackedState {
  const next = {...state, modes: withPrivateMode(state.modes, number, isOn)};
  switch (number) {
    case '1048':
      return afterEscape(state, isOn ? '7' : '8');
    case '1049':
      return isOn
        ? {...enterAlternateScreen(afterEscape(state, '7')), modes: next.modes}
        : afterEscape(next, '8');
    case '47':
    case '1047':
      return isOn ? {...enterAlternateScreen(state), modes: next.modes} : next;
    default:
      return next;
  }
}

/** The alternate screen is new each time it is entered. */
function enterAlternateScreen(state: TrackedState): TrackedState {
  return state.modes.alternateScreen
    ? state
    : {...state, alternate: {...state.alternate, region: ''}};
}

function withModes(state: TrackedState, change: Partial<Modes>): TrackedState {
  return {...state, modes: {...state.modes, ...change}};
}

function activeBuffer(state: TrackedState): BufferState {
  return state.modes.alternateScreen ? state.alternate : state.normal;
}

function withBuffer(state: TrackedState, change: Partial<BufferState>): TrackedState {
  const changed = {...activeBuffer(state), ...change};
  return state.modes.alternateScreen ? {...state, alternate: changed} : {...state, normal: changed};
}
