import assert from 'node:assert/strict';
import {test} from 'node:test';
import {createScreen, type Modes} from '../../../source/terminal/index.ts';
import {createInputReader} from '../../../source/app/input/create-input-reader.ts';
import {paneBytes} from '../../../source/app/input/pane-bytes.ts';
import {createClock} from '../support/clock.ts';

const rect = {row: 2, column: 10, rows: 20, columns: 60};

/** The modes of a program that wrote this. */
function getModes(setting: string): Modes {
  const screen = createScreen({columns: 60, rows: 20});
  screen.write(new TextEncoder().encode(setting));
  const {modes} = screen;
  screen.close();
  return modes;
}

function arrived(sent: string | Uint8Array, setting = ''): string[] {
  const clock = createClock();
  const came: string[] = [];
  const reader = createInputReader({
    after: clock.after,
    onTokens: (tokens) => {
      for (const token of tokens) {
        const bytes = paneBytes(token, getModes(setting), rect);
        if (bytes !== undefined) came.push(String.fromCharCode(...bytes));
      }
    },
  });
  reader.read(typeof sent === 'string' ? new TextEncoder().encode(sent) : sent);
  clock.pass(100);
  return came;
}

test('every byte but what has a meaning of its own reaches the program as it was sent', () => {
  const every = Uint8Array.from({length: 256}, (_, byte) => byte).filter((byte) => byte !== 0x1b);
  assert.equal(arrived(every).join(''), String.fromCharCode(...every));
  for (const sent of [
    '\u001B',
    '\u001B\u001B',
    '\u001Bx',
    '\u001B[A',
    '\u001BOA',
    '\u001B[1;5C',
    '\u001B[99~',
    '\u0003',
    '\u001B\r',
  ])
    assert.equal(arrived(sent).join(''), sent, JSON.stringify(sent));
});

test('a paste is one paste in brackets if the program asked for it, and plain otherwise', () => {
  assert.deepEqual(arrived('\u001B[200~a\rb\u001B[201~', '\u001B[?2004h'), [
    '\u001B[200~a\rb\u001B[201~',
  ]);
  assert.deepEqual(arrived('\u001B[200~a\rb\u001B[201~'), ['a\rb']);
});

test('the mouse reaches only a program that asked for it, where it is in the pane, in the form that it asked for', () => {
  const click = '\u001B[<0;13;5M';
  assert.deepEqual(arrived(click), []);
  assert.deepEqual(arrived(click, '\u001B[?1000h\u001B[?1006h'), ['\u001B[<0;3;3M']);
  assert.deepEqual(arrived('\u001B[<0;13;5m', '\u001B[?1000h\u001B[?1006h'), ['\u001B[<0;3;3m']);
  assert.deepEqual(arrived('\u001B[<0;13;5m', '\u001B[?1000h'), ['\u001B[M###']);
  assert.deepEqual(arrived(click, '\u001B[?1000h\u001B[?1015h'), ['\u001B[32;3;3M']);
  assert.deepEqual(arrived('\u001B[<0;5;5M', '\u001B[?1003h\u001B[?1006h'), []);
});

test('moves reach only a program that asked for moves', () => {
  const [drag, move] = ['\u001B[<32;13;5M', '\u001B[<35;13;5M'];
  const counts = ['\u001B[?1000h', '\u001B[?1002h', '\u001B[?1003h'].map((setting) => [
    arrived(drag, setting).length,
    arrived(move, setting).length,
  ]);
  assert.deepEqual(counts, [
    [0, 0],
    [1, 0],
    [1, 1],
  ]);
});

test('focus reaches only a program that asked for it, and answers to our own questions reach none', () => {
  assert.deepEqual(
    [
      arrived('\u001B[I'),
      arrived('\u001B[I', '\u001B[?1004h'),
      arrived('\u001B[?1u\u001B]11;rgb:0/0/0\u0007'),
    ],
    [[], ['\u001B[I'], []],
  );
});

test('keys that the terminal sends in the newer form reach the program in the one that it knows', () => {
  const rows: readonly [string, string][] = [
    ['\u001B[27u', '\u001B'],
    ['\u001B[99;5u', '\u0003'],
    ['\u001B[13;2u', '\u001B\r'],
    ['\u001B[97;3u', '\u001Ba'],
    ['\u001B[97;7u', '\u001B\u0001'],
    ['\u001B[9;2u', '\u001B[Z'],
    ['\u001B[32;5u', '\0'],
    ['\u001B[97;4u', '\u001BA'],
    ['\u001B[127;5u', '\b'],
    ['\u001B[13;5u', '\r'],
    ['\u001B[91;5u', '\u001B'],
  ];
  for (const [sent, came] of rows) assert.deepEqual(arrived(sent), [came], JSON.stringify(sent));
});
