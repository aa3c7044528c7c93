import assert from 'node:assert/strict';
import {Buffer} from 'node:buffer';
import {test} from 'node:test';
import {createPasteGate, type PasteGate} from '../../source/cli/paste-gate.ts';
import {eventually} from '../support/eventually.ts';

function start(): {
  readonly gate: PasteGate;
  readonly pressed: string[];
  readonly taken: string[];
  readonly settle: () => void;
} {
  const pressed: string[] = [];
  const taken: string[] = [];
  let isPending = false;
  const gate = createPasteGate({
    press: (bytes) => pressed.push(Buffer.from(bytes).toString()),
    take: ({text}) => {
      if (!text.startsWith('/')) return false;
      taken.push(text);
      isPending = true;
      return true;
    },
    isPending: () => isPending,
  });
  return {
    gate,
    pressed,
    taken,
    settle: () => {
      isPending = false;
      gate.settled();
    },
  };
}

const paste = (text: string): string => `\u001B[200~${text}\u001B[201~`;

test('keys and pasted text are passed on at once, as they came', () => {
  const {gate, pressed} = start();
  for (const text of ['a', '\u001B', '[A', paste('hello'), `x${paste('y')}z`])
    gate.press(Buffer.from(text));
  assert.equal(pressed.join(''), `a\u001B[A${paste('hello')}x${paste('y')}z`);
  assert.equal(pressed[0], 'a');
});

test('a paste in pieces is taken whole, and what follows waits until it is typed', async () => {
  const {gate, pressed, taken, settle} = start();
  gate.press(Buffer.from('a\u001B[200~/tmp/sh'));
  gate.press(Buffer.from(`ot.png\u001B[201~b${paste('/c')}`));
  gate.press(Buffer.from('d\r'));
  assert.deepEqual([pressed, taken], [['a'], ['/tmp/shot.png']]);
  let isDrained = false;
  void gate.drained().then(() => {
    isDrained = true;
  });
  settle();
  assert.deepEqual(
    [pressed, taken],
    [
      ['a', 'b'],
      ['/tmp/shot.png', '/c'],
    ],
  );
  settle();
  assert.deepEqual(pressed, ['a', 'b', 'd\r']);
  await eventually('nothing is held', () => isDrained);
  await gate.drained();
});

test('a paste without an end, and a very long one, are passed on', async () => {
  const {gate, pressed} = start();
  gate.press(Buffer.from('\u001B[200~/tmp/never'));
  await eventually('it is passed on', () => pressed.length > 0);
  assert.deepEqual(pressed, ['\u001B[200~/tmp/never']);
  const long = start();
  long.gate.press(Buffer.from(`\u001B[200~/${'x'.repeat(70_000)}`));
  assert.equal(long.pressed.join('').length, 70_007);
  long.gate.close();
});
