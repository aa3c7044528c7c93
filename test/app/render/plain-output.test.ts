import assert from 'node:assert/strict';
import path from 'node:path';
import {test} from 'node:test';
import {cellsOfText} from '../../../source/terminal/index.ts';
import {
  type InkOutput,
  type InkOutputClass,
  plainOutput,
} from '../../../source/app/render/plain-output.ts';
import {createRandom, type Random} from '../../support/random.ts';

const ink = path.join(import.meta.dirname, '../../../node_modules/ink/build/output.js');
const {default: Whole} = (await import(ink)) as {readonly default: InkOutputClass};
const Plain = plainOutput(Whole);
const size = {columns: 20, rows: 6};

/** What a person would see of it. */
function looks(output: string): unknown {
  const {words, clusters} = cellsOfText(output, size);
  return {words: [...words], clusters: [...clusters]};
}

function getBoth(act: (output: InkOutput) => void): readonly [InkOutput, InkOutput] {
  const both = [
    new Plain({width: size.columns, height: size.rows}),
    new Whole({width: size.columns, height: size.rows}),
  ] as const;
  for (const one of both) act(one);
  return both;
}

const same = {transformers: [(line: string) => line]};

function toText(random: Random, rows: number): string {
  const pieces = [
    'word',
    ' ',
    '日本',
    '👍🏽',
    'e\u0301',
    '\u001B[1mstrong\u001B[0m',
    '\u001B[36;7m ready \u001B[0m',
    '…',
    '│',
    '  ',
  ];
  return Array.from({length: rows}, () =>
    Array.from({length: random.below(4)}, () => random.pick(pieces)).join(''),
  ).join('\n');
}

test('texts in rows of their own look as Ink puts them', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const random = createRandom(`plain ${seed}`);
    const rows = 1 + random.below(3);
    const texts = [toText(random, rows), toText(random, 1 + random.below(3))];
    const isOnly = random.chance(0.5);
    const [plain, whole] = getBoth((output) => {
      output.write(0, 0, texts[0]!, same);
      if (!isOnly) output.write(0, rows, texts[1]!, same);
    });
    assert.deepEqual(
      looks(plain.get().output),
      looks(whole.get().output),
      `seed ${seed}: ${JSON.stringify(texts)}`,
    );
    assert.equal(plain.get().height, whole.get().height);
  }
});

test('what a text is changed to on the way is what stands there', () => {
  const [plain, whole] = getBoth((output) => {
    output.write(0, 1, 'one\ntwo', {
      transformers: [(line, index) => `${index} ${line}`, (line) => line.toUpperCase()],
    });
  });
  assert.deepEqual(looks(plain.get().output), looks(whole.get().output));
});

test('texts that overlap, stand beside each other or are cut are left to Ink', () => {
  const acts: readonly ((output: InkOutput) => void)[] = [
    (output) => {
      output.write(0, 0, 'below', same);
      output.write(0, 0, 'ov', same);
    },
    (output) => {
      output.write(0, 0, 'left', same);
      output.write(10, 0, 'right', same);
    },
    (output) => {
      output.write(0, 0, '日本語', same);
      output.write(1, 0, 'x', same);
    },
    (output) => {
      output.clip({x1: 0, x2: 3, y1: 0, y2: 1});
      output.write(0, 0, 'long\nmore', same);
      output.unclip();
      output.write(0, 3, 'free', same);
    },
    (output) => {
      output.write(0, -1, 'above\nhere', same);
    },
    (output) => {
      output.write(4, 2, 'far', same);
    },
  ];
  for (const act of acts) {
    const [plain, whole] = getBoth(act);
    assert.deepEqual(plain.get(), whole.get());
  }
});
