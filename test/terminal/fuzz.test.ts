// `FUZZ=1000000` for more of it; `FUZZ_SEED` for other streams.
import assert from 'node:assert/strict';
import process from 'node:process';
import {scaled} from '../support/scale.ts';
import {openSync, readSync, closeSync} from 'node:fs';
import {test} from 'node:test';
import {createOutputFilter, createScreen} from '../../source/terminal/index.ts';
import {createRandom} from '../support/random.ts';
import {corpus} from './corpus.ts';
import {hostileBytes} from './hostile.ts';
import {assertOnlyAllowed} from './recogniser.ts';

const count = Number(process.env['FUZZ'] ?? scaled(200_000));
const seed = process.env['FUZZ_SEED'] ?? 'fuzz';

test(`${count} hostile streams: nothing gets out that is not allowed, and nothing fails`, () => {
  const random = createRandom(seed);
  const short = corpus.filter(({bytes}) => bytes.length < 500);
  const screen = createScreen({columns: 30, rows: 8});
  let filter = createOutputFilter();
  let shown: Uint8Array[] = [];
  for (let round = 1; round <= count; round++) {
    const bytes = random.chance(0.1)
      ? mutated(random.pick(short).bytes, random.below(256), random.below(500))
      : hostileBytes(random, 1 + random.below(3));
    shown.push(filter.write(bytes));
    screen.write(bytes);
    if (round % 100 !== 0) continue;
    assertOnlyAllowed(Buffer.concat(shown), `seed ${seed}, rounds to ${round}`);
    shown = [];
    filter = createOutputFilter();
    if (round % 5000 !== 0) continue;
    assertOnlyAllowed(
      Buffer.from(screen.serialize({history: 200})),
      `serialized, seed ${seed}, rounds to ${round}`,
    );
    assertRecovers(screen, `seed ${seed}, rounds to ${round}`);
  }

  screen.close();
});

test('20,000 strings of any bytes: nothing gets out that is not allowed, and nothing fails', () => {
  const random = createRandom(`${seed} bytes`);
  const filter = createOutputFilter();
  const screen = createScreen({columns: 30, rows: 8});
  for (let round = 0; round < 20_000; round++) {
    // Escapes and introducers more often than chance would have them.
    const bytes = Uint8Array.from({length: 1 + random.below(40)}, () =>
      random.chance(0.2)
        ? random.pick([0x1b, 0x5b, 0x5d, 0x50, 0x9b, 0x9d, 0xc2, 0x07, 0x5c, 0x3b, 0x3f])
        : random.below(256),
    );
    assertOnlyAllowed(filter.write(bytes), `seed ${seed}, round ${round}`);
    screen.write(bytes);
  }

  assertRecovers(screen, `seed ${seed}`);
  screen.close();
});

test('a program as output: the screen survives, and recovers with a reset', () => {
  const random = createRandom('a binary');
  const noise = Uint8Array.from({length: 300_000}, () => random.below(256));
  const screen = createScreen({columns: 80, rows: 24});
  const filter = createOutputFilter();
  for (const bytes of [getProgram(process.execPath), noise]) {
    for (let at = 0; at < bytes.length; at += 4096) {
      screen.write(bytes.subarray(at, at + 4096));
      assertOnlyAllowed(filter.write(bytes.subarray(at, at + 4096)), 'a program');
    }
  }

  assertRecovers(screen, 'a program');
  screen.close();
});

/** The first bytes of a program; `/bin/ls` is not everywhere, Node is. */
function getProgram(file: string): Uint8Array {
  const bytes = Buffer.alloc(1024 * 1024);
  const fd = openSync(file, 'r');
  const length = readSync(fd, bytes);
  closeSync(fd);
  return bytes.subarray(0, length);
}

function mutated(bytes: Uint8Array, byte: number, place: number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy[place % copy.length] = byte;
  return copy;
}

function assertRecovers(screen: ReturnType<typeof createScreen>, what: string): void {
  screen.write(Buffer.from('\u0018\u001Bcok'));
  assert.equal(screen.text()[0], 'ok', what);
  assert.equal(screen.history, 0, what);
}
