import {Buffer} from 'node:buffer';
import {closeSync, openSync, writeSync} from 'node:fs';
import {createRandom, type Random} from '../../../test/support/random.ts';

const blockSize = 4 * 1024 * 1024;
const terms =
  'the worker reads a file and writes what it found into source/daemon/serve.ts because every test of journal replay fails on line expected undefined got'.split(
    ' ',
  );
const spinner = '⠋ ⠙ ⠹ ⠸ ⠼ ⠴ ⠦ ⠧ ⠇ ⠏'.split(' ');
const signs = '✓ ✗ ● ○ → ⎿ │ ╭ ╰ ─ … ✻ 🚀 🔧 世界'.split(' ');

/**
 * A file of what agents write to their terminals: the same bytes in every run. Its last line is
 * whole.
 */
export function writeAgentOutput(file: string, size: number): number {
  const random = createRandom('agent output');
  const block = getBlock(random, Math.min(size, blockSize));
  const fd = openSync(file, 'w', 0o600);
  let written = 0;
  while (written < size) {
    const piece = block.subarray(0, size - written);
    written += writeSync(
      fd,
      piece.length === block.length ? piece : piece.subarray(0, piece.lastIndexOf('\n') + 1),
    );
    if (piece.length < block.length) break;
  }

  closeSync(fd);
  return written;
}

function getBlock(random: Random, size: number): Buffer {
  const pieces: Buffer[] = [];
  for (let length = 0; length < size;) {
    const piece = Buffer.from(
      random.pick([getProse, computeDiff, getSpinner, getBox, getRedraw])(random),
    );
    pieces.push(piece);
    length += piece.length;
  }

  const all = Buffer.concat(pieces).subarray(0, size);
  return all.subarray(0, all.lastIndexOf('\n') + 1);
}

function getSentence(random: Random, length: number): string {
  return Array.from({length}, () => random.pick(terms)).join(' ');
}

function getProse(random: Random): string {
  return `\u001B[38;5;${random.below(256)}m${random.pick(signs)}\u001B[0m ${getSentence(random, 4 + random.below(14))} \u001B[1m${random.pick(terms)}\u001B[22m.\n`;
}

function computeDiff(random: Random): string {
  const lines = Array.from({length: 3 + random.below(6)}, () => {
    const [sign, colour] = random.pick([
      ['+', '48;2;20;60;30'],
      ['-', '48;2;70;20;25'],
      [' ', '0'],
    ] as const);
    return `\u001B[2m${String(random.below(999)).padStart(4)}\u001B[22m \u001B[${colour}m${sign} \u001B[34mconst\u001B[39m ${random.pick(terms)} = \u001B[32m'${getSentence(random, 3)}'\u001B[39m;\u001B[K\u001B[0m\n`;
  });
  return lines.join('');
}

function getSpinner(random: Random): string {
  const what = getSentence(random, 2);
  const turns = Array.from(
    {length: 6},
    (_, turn) =>
      `\r\u001B[2K\u001B[35m${spinner[(turn + random.below(10)) % 10]!}\u001B[39m ${what}… \u001B[2m(${turn}s · ${random.below(9000)} tokens)\u001B[0m`,
  );
  return `${turns.join('')}\n`;
}

function getBox(random: Random): string {
  const wide = 60 + random.below(40);
  const rows = Array.from(
    {length: 3},
    () =>
      `│ ${getSentence(random, 6)
        .slice(0, wide - 4)
        .padEnd(wide - 4)} │\n`,
  );
  return `\u001B[36m╭${'─'.repeat(wide - 2)}╮\n${rows.join('')}╰${'─'.repeat(wide - 2)}╯\u001B[39m\n`;
}

/** Redraws as Ink does: moves up over the last lines, erases each and writes it again. */
function getRedraw(random: Random): string {
  const height = 2 + random.below(6);
  const rows = Array.from(
    {length: height},
    () => `\u001B[2K${random.pick(signs)} ${getSentence(random, 5 + random.below(6))}\n`,
  );
  return `\u001B[?25l\u001B[${height}A\r${rows.join('')}\u001B[?25h`;
}
