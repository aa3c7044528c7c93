// Output as real programs send it, made up from a seed. Each stream has at least the wanted number
// of bytes.
import {createRandom, type Random} from '../support/random.ts';

export type Stream = (
  size: {readonly columns: number; readonly rows: number},
  bytes: number,
  seed?: number,
) => Uint8Array;

export const streams: Readonly<Record<string, Stream>> = {
  'an agent with a region that it redraws below what it has said': stream(agent),
  'an editor on the alternate screen, left and entered again': stream(editor),
  'a full-screen monitor that draws its frame once': stream(monitor),
  seq: stream(function* () {
    for (let count = 1; ; count++) yield `${count}\r\n`;
  }),
  'progress bars': stream(progress),
  'coloured listings with tabs and wide characters': stream(listing),
  'a pager that scrolls both ways': stream(pager),
};

/** A screen that is full, and below it a spinner that turns for ever. */
export const spinner = stream(function* (random, {rows}) {
  yield '\u001B]0;✳ Waiting\u0007\u001B[?2004h\u001B[?25l';
  for (let line = 0; line < rows * 3; line++) yield `${styled(random)}\r\n`;
  for (;;)
    yield `\r\u001B[2K\u001B[36m${random.pick(['⠋', '⠙', '⠹', '⠸'])}\u001B[39m Thinking… ${random.below(1000)}s`;
});

type Size = {readonly columns: number; readonly rows: number};

function stream(generate: (random: Random, size: Size) => Generator<string>): Stream {
  return (size, bytes, seed = 1) => {
    const parts: string[] = [];
    let length = 0;
    for (const part of generate(createRandom(seed), size)) {
      parts.push(part);
      length += part.length;
      if (length >= bytes) break;
    }

    return new TextEncoder().encode(parts.join(''));
  };
}

const terms =
  'the agent reads source/token.ts and writes a test because expired tokens were refreshed twice 日本語 naïve ✓ → 👍🏽'.split(
    ' ',
  );

function sentence(random: Random, max: number): string {
  return Array.from({length: 1 + random.below(max)}, () => random.pick(terms)).join(' ');
}

function styled(random: Random): string {
  const colour = random.pick([
    '31',
    '1;32',
    '38;5;208',
    '38;2;120;80;200',
    '2',
    '4',
    '7',
    '48;5;22',
  ]);
  return `\u001B[${colour}m${sentence(random, 6)}\u001B[0m ${sentence(random, 12)}`;
}

function* agent(random: Random, {columns, rows}: Size): Generator<string> {
  yield '\u001B[?2004h\u001B[?1004h\u001B[?25l\u001B]0;✳ Claude\u0007';
  let drawn = 0;
  for (;;) {
    const erase = `\u001B[2K${'\u001B[1A\u001B[2K'.repeat(drawn)}\u001B[G`;
    const text = random.chance(0.3)
      ? Array.from(
          {length: 1 + random.below(6)},
          () => `\u001B[1m⏺\u001B[22m ${styled(random)}\r\n`,
        ).join('')
      : '';
    const region = Array.from(
      {length: 2 + random.below(Math.max(1, Math.min(6, rows - 4)))},
      (_, line) =>
        line === 0
          ? `\u001B[38;2;215;119;87m${random.pick(['✶', '✻', '✳', '·'])} Refactoring… \u001B[2m(${random.below(100)}s · ↑ ${random.below(9999)} tokens)\u001B[22m\u001B[39m`
          : `│ ${sentence(random, 4).slice(0, columns - 4)}`,
    );
    drawn = region.length;
    yield `\u001B[?2026h${erase}${text}${region.join('\r\n')}\r\n\u001B[?2026l`;
    if (random.chance(0.02)) yield '\u001B]7501;state=working:app=claude-code\u001B\\';
  }
}

function* editor(random: Random, {columns, rows}: Size): Generator<string> {
  for (;;) {
    yield `$ vim ${random.pick(terms)}\r\n\u001B[?1049h\u001B[?1h\u001B=\u001B[2J\u001B[H`;
    for (let row = 1; row < rows; row++)
      yield `\u001B[${row};1H\u001B[33m${String(row).padStart(3)} \u001B[m${sentence(random, 8).slice(0, columns - 5)}\u001B[K`;
    for (let edits = 50 + random.below(500); edits > 0; edits--) {
      const row = 1 + random.below(Math.max(1, rows - 1));
      if (random.chance(0.2))
        yield `\u001B[1;${Math.max(2, rows - 1)}r\u001B[${row};1H${random.pick(['\u001B[L', '\u001B[M', '\u001B[2L'])}\u001B[r`;
      yield `\u001B[${row};${1 + random.below(columns)}H${random.pick(['\u001B[K', '\u001B[3P', '\u001B[4@', '\u001B[7m'])}${random.pick(terms)}\u001B[m`;
      yield `\u001B[${rows};1H\u001B[7m-- INSERT -- ${row}\u001B[m\u001B[K`;
    }

    yield `\u001B[${rows};1H\u001B[K\u001B[?1049l\u001B[?1l\u001B>`;
    for (let lines = random.below(rows * 2); lines > 0; lines--) yield `${styled(random)}\r\n`;
  }
}

function* monitor(random: Random, {columns, rows}: Size): Generator<string> {
  yield '\u001B[?1049h\u001B[22;0;0t\u001B[?1h\u001B=\u001B[H\u001B[2J';
  yield `\u001B[${rows};1H\u001B[30;46mF1Help F2Setup F10Quit${' '.repeat(Math.max(0, columns - 22))}\u001B[m`;
  for (;;) {
    for (let row = 1; row < rows; row++)
      yield `\u001B[${row}d\u001B[G${random.below(99999)}\t\u001B[32m${'|'.repeat(random.below(Math.max(1, columns - 30)))}\u001B[39m ${random.below(100)}%\u001B[K`;
  }
}

function* progress(random: Random, {columns}: Size): Generator<string> {
  for (;;) {
    for (let percent = 0; percent <= 100; percent += 1 + random.below(5)) {
      yield `\r\u001B[32m${'█'.repeat(Math.floor((percent * Math.max(1, columns - 10)) / 100))}\u001B[0m ${percent}%\u001B[K`;
    }

    yield `\r\u001B[Kdone: ${sentence(random, 5)}\r\n`;
  }
}

function* listing(random: Random): Generator<string> {
  for (;;) {
    yield `${random.pick(['\u001B[01;34m', '\u001B[01;32m', '\u001B[0m', '\u001B[40;33;01m'])}${random.pick(terms)}\u001B[0m${random.pick(['\t', '  ', '\r\n'])}`;
    if (random.chance(0.05)) yield `\u001B(0${'lqqqk'.repeat(3)}\u001B(B\r\n`;
    if (random.chance(0.02)) yield `${sentence(random, 60)}\r\n`;
  }
}

function* pager(random: Random, {rows}: Size): Generator<string> {
  yield '\u001B[?1049h\u001B[?1h\u001B=\r';
  for (;;) {
    for (let lines = random.below(rows * 3); lines > 0; lines--)
      yield `\r\u001B[K${styled(random)}\r\n:`;
    for (let lines = random.below(rows); lines > 0; lines--)
      yield `\r\u001B[K\u001B[H\u001BM${styled(random)}\r\n\u001B[${rows};1H\r\u001B[K:`;
  }
}
