import type {Token} from './tokens.ts';

export type SignsSetting = 'auto' | 'ascii';

/** What a sign means. Each sign is one cell wide. */
export type SignName =
  | 'work'
  | 'wait'
  | 'asks'
  | 'needs'
  | 'plan'
  | 'failed'
  | 'passed'
  | 'held'
  | 'yours'
  | 'discarded'
  | 'cursor'
  | 'option'
  | 'complete';

/** How far a task is in one of its four stages: work, rules, checks, merge. */
export type StageState = 'done' | 'current' | 'pending' | 'failed' | 'asks' | 'yours';

type Piece = {readonly text: string; readonly token: Token};

export type Signs = {
  readonly isAscii: boolean;
  readonly sign: Readonly<Record<SignName, string>>;
  /** A segment of the stage track: three cells, or one cell. */
  readonly segment: (state: StageState, size: 'wide' | 'narrow') => Piece;
  /** A bar of so many cells: what is done with its tip, and the rest. */
  readonly bar: (cells: number, share: number) => {readonly done: string; readonly rest: string};
  /** Several shares of one bar, each in a sign of its own, and the rest. They add up to 1 or less. */
  readonly stack: (
    cells: number,
    shares: readonly number[],
  ) => {readonly parts: readonly string[]; readonly rest: string};
  /** The latest eight intervals of output, the newest on the right, on a logarithmic scale. */
  readonly pulse: (bytes: readonly number[]) => string;
  readonly frames: {readonly rounded: FrameLines; readonly heavy: FrameLines};
  /** Ends a text that was cut, and stands between facts. */
  readonly ellipsis: string;
  readonly separator: string;
};

type SignsOptions = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly setting: SignsSetting;
};

/** The lines of a frame, in the form that Ink's `borderStyle` takes. */
type FrameLines = {
  readonly topLeft: string;
  readonly top: string;
  readonly topRight: string;
  readonly left: string;
  readonly right: string;
  readonly bottomLeft: string;
  readonly bottom: string;
  readonly bottomRight: string;
};

const roundedFrame = toFrame('╭─╮│╰╯');
/** Around the pane that is typed into; with few colours also around the focus. */
const heavyFrame = toFrame('┏━┓┃┗┛');
const asciiFrame = toFrame('+-+|++');
/** ASCII has no heavy line: a frame of other characters stands for it. */
const heavyAsciiFrame = toFrame('#=#|##');

/** The signs for a locale. ASCII where it is not UTF-8, or where the person wants it. */
export function signsFor({env, setting}: SignsOptions): Signs {
  return setting === 'ascii' || !isUtf8(env) ? asciiSigns : unicodeSigns;
}

/**
 * As in POSIX, the first variable that is set decides. No variable at all is usual in containers,
 * whose terminals are UTF-8 all the same.
 */
function isUtf8(env: SignsOptions['env']): boolean {
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find(
    (one) => one !== undefined && one !== '',
  );
  return locale === undefined || /utf-?8/i.test(locale);
}

export const signTokens: Readonly<Record<SignName, Token>> = {
  work: 'run',
  wait: 'faint',
  asks: 'warn',
  needs: 'warn',
  plan: 'accent',
  failed: 'bad',
  passed: 'good',
  held: 'dim',
  yours: 'mode',
  discarded: 'faint',
  cursor: 'accent',
  option: 'accent',
  complete: 'good',
};

const stageTokens: Readonly<Record<StageState, Token>> = {
  done: 'good',
  current: 'run',
  pending: 'faint',
  failed: 'bad',
  asks: 'warn',
  yours: 'mode',
};

type Table = Pick<Signs, 'isAscii' | 'sign' | 'frames' | 'ellipsis' | 'separator'> & {
  readonly stages: Readonly<Record<StageState, readonly [wide: string, narrow: string]>>;
  readonly bar: readonly [done: string, tip: string, rest: string];
  readonly stack: readonly string[];
  readonly stackRest: string;
  /** From nothing to a flood. */
  readonly pulse: readonly string[];
};

function createSigns({stages, bar, stack, stackRest, pulse, ...data}: Table): Signs {
  return {
    ...data,
    segment: (state, size) => ({
      text: stages[state][size === 'wide' ? 0 : 1],
      token: stageTokens[state],
    }),
    bar(cells, share) {
      const [done, tip, rest] = bar;
      const full = Math.floor(cells * clamp(share) + rounding);
      const hasTip = share > 0 && full < cells;
      return {
        done: `${done.repeat(full)}${hasTip ? tip : ''}`,
        rest: rest.repeat(cells - full - (hasTip ? 1 : 0)),
      };
    },
    stack(cells, shares) {
      let [sum, used] = [0, 0];
      const parts = shares.map((share, index) => {
        sum += clamp(share);
        const end = Math.round(cells * clamp(sum));
        const text = (stack[index % stack.length] ?? '').repeat(end - used);
        used = end;
        return text;
      });
      return {parts, rest: stackRest.repeat(cells - used)};
    },
    pulse(bytes) {
      const latest = bytes.slice(-pulseCells);
      const missing = Array.from({length: pulseCells - latest.length}, () => 0);
      return [...missing, ...latest].map((count) => pulse[levelOf(count, pulse.length)]).join('');
    },
  };
}

const pulseCells = 8;
/** As much output in one interval has the highest step; a screen full of text has about 4 KB. */
const floodBytes = 65_536;

/** Silence is the lowest step, and any output at all is above it. */
function levelOf(bytes: number, levels: number): number {
  const share = Math.log2(1 + Math.max(0, bytes)) / Math.log2(1 + floodBytes);
  return Math.min(levels - 1, Math.ceil(clamp(share) * (levels - 1)));
}

/** A sixth of twelve cells is two of them, whatever the last bit of the product is. */
const rounding = 1e-9;

function clamp(share: number): number {
  return Number.isNaN(share) ? 0 : Math.min(1, Math.max(0, share));
}

const unicodeSigns = createSigns({
  isAscii: false,
  sign: {
    work: '●',
    wait: '○',
    asks: '?',
    needs: '▲',
    plan: '≡',
    failed: '✗',
    passed: '✓',
    held: '‖',
    yours: '◆',
    discarded: '–',
    cursor: '▌',
    option: '▸',
    complete: '★',
  },
  stages: {
    done: ['━━━', '━'],
    current: ['━╸─', '╸'],
    pending: ['───', '─'],
    failed: ['━━✗', '✗'],
    asks: ['━━?', '?'],
    yours: ['━━◆', '◆'],
  },
  bar: ['━', '╸', '─'],
  stack: ['█', '▓', '▒', '░'],
  stackRest: '·',
  pulse: ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
  frames: {rounded: roundedFrame, heavy: heavyFrame},
  ellipsis: '…',
  separator: '·',
});

const asciiSigns = createSigns({
  isAscii: true,
  sign: {
    work: 'o',
    wait: '.',
    asks: '?',
    needs: '!',
    plan: '#',
    failed: 'x',
    passed: '*',
    held: '=',
    yours: '@',
    discarded: '-',
    cursor: '>',
    option: '>',
    complete: '*',
  },
  stages: {
    done: ['===', '='],
    current: ['=>-', '>'],
    pending: ['---', '-'],
    failed: ['==x', 'x'],
    asks: ['==?', '?'],
    yours: ['==@', '@'],
  },
  bar: ['=', '>', '-'],
  stack: ['#', '=', '+', '~'],
  stackRest: '.',
  pulse: ['_', '.', '-', '=', '#'],
  frames: {rounded: asciiFrame, heavy: heavyAsciiFrame},
  ellipsis: '~',
  separator: '-',
});

/** Corner, line, corner, wall, and the two corners below. */
function toFrame(signs: string): FrameLines {
  const [topLeft = '', top = '', topRight = '', left = '', bottomLeft = '', bottomRight = ''] =
    signs;
  return {topLeft, top, topRight, left, right: left, bottomLeft, bottom: top, bottomRight};
}
