import assert from 'node:assert/strict';
import {test} from 'node:test';
import {createInputReader} from '../../../source/app/input/create-input-reader.ts';
import type {Key, Token} from '../../../source/app/input/key.ts';
import {hostileBytes} from '../../terminal/hostile.ts';
import {createRandom} from '../../support/random.ts';
import {createClock} from '../support/clock.ts';

function read(...chunks: readonly (string | Uint8Array)[]): Token[] {
  const clock = createClock();
  const received: Token[] = [];
  const reader = createInputReader({
    after: clock.after,
    onTokens: (tokens) => received.push(...tokens),
  });
  for (const chunk of chunks)
    reader.read(typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk);
  clock.pass(5000);
  assert.equal(clock.waiting(), 0);
  return received;
}

/** A key in few words: `ctrl+a`, `shift+tab`, `G`. */
function getName({name, ctrl, alt, shift}: Key): string {
  return `${ctrl ? 'ctrl+' : ''}${alt ? 'alt+' : ''}${shift ? 'shift+' : ''}${name}`;
}

function notified(tokens: readonly Token[]): string[] {
  return tokens.map((token) => {
    if (token.type === 'key') return getName(token.key);
    if (token.type === 'paste') return `paste ${token.text}`;
    if (token.type === 'mouse')
      return `${token.mouse.action} ${token.mouse.button} ${token.mouse.row},${token.mouse.column}`;
    if (token.type === 'focus') return token.isFocused ? 'focus' : 'blur';
    return token.type === 'answer' ? `answer ${token.about}` : 'unknown';
  });
}

const sequences: readonly [string, readonly string[]][] = [
  ['aG?', ['a', 'G', '?']],
  [' é日🦀', ['space', 'é', '日', '🦀']],
  ['\r\n\t\u007F\b', ['enter', 'enter', 'tab', 'backspace', 'backspace']],
  ['\u0001\u001A\u001D\u0000\u001F', ['ctrl+a', 'ctrl+z', 'ctrl+]', 'ctrl+space', 'ctrl+_']],
  [
    '\u001B[A\u001B[B\u001B[C\u001B[D\u001BOA\u001BOH',
    ['up', 'down', 'right', 'left', 'up', 'home'],
  ],
  [
    '\u001B[H\u001B[F\u001B[1~\u001B[4~\u001B[2~\u001B[3~\u001B[5~\u001B[6~',
    ['home', 'end', 'home', 'end', 'insert', 'delete', 'page-up', 'page-down'],
  ],
  ['\u001BOP\u001B[15~\u001B[24~\u001B[1;5P', ['f1', 'f5', 'f12', 'ctrl+f1']],
  [
    '\u001B[1;2A\u001B[1;3B\u001B[1;6C\u001B[3;5~',
    ['shift+up', 'alt+down', 'ctrl+shift+right', 'ctrl+delete'],
  ],
  ['\u001B[Z', ['shift+tab']],
  ['\u001Ba\u001BG\u001B\r\u001B\u007F', ['alt+a', 'alt+G', 'alt+enter', 'alt+backspace']],
  [
    '\u001B[13;2u\u001B[27u\u001B[99;5u\u001B[97;3u\u001B[9;5u',
    ['shift+enter', 'escape', 'ctrl+c', 'alt+a', 'ctrl+tab'],
  ],
  ['\u001B[27;2;13~\u001B[27;5;105~', ['shift+enter', 'ctrl+i']],
  ['\u001B[97;1:3u', ['answer other']],
  ['\u001B[200~one\r\u001B[A two\u001B[201~x', ['paste one\r\u001B[A two', 'x']],
  [
    '\u001B[<0;10;5M\u001B[<0;10;5m\u001B[<35;1;1M\u001B[<32;2;2M\u001B[<64;3;3M\u001B[<65;3;3M',
    [
      'press left 4,9',
      'release left 4,9',
      'move none 0,0',
      'move left 1,1',
      'wheel-up other 2,2',
      'wheel-down other 2,2',
    ],
  ],
  ['\u001B[I\u001B[O', ['focus', 'blur']],
  [
    '\u001B[?1u\u001B[?62;22c\u001B]11;rgb:00/00/00\u001B\\\u001BP>|x\u001B\\',
    ['answer keyboard', 'answer attributes', 'answer colour', 'answer other'],
  ],
  [
    '\u001B]10;rgb:d0d0/cfcf/cccc\u0007\u001B]4;15;rgb:ff/ff/ff\u001B\\\u001B]4;300;rgb:1/2/3\u0007a',
    ['answer colour', 'answer colour', 'answer other', 'a'],
  ],
  [
    '\u001B[?997;1n\u001B[?997;2n\u001B[?997;3n',
    ['answer scheme', 'answer scheme', 'answer other'],
  ],
  [
    '\u001B]11;rgb:zz/\u001B\\\u001B]11;\u0007\u001B];;;\u0007',
    ['answer other', 'answer other', 'answer other'],
  ],
  // A reply without its end is no keys, and takes no keys with it.
  ['\u001B]11;rgb:00', ['answer other']],
  ['\u001B]11;rgb:00\u001B[A', ['answer other', 'up']],
  ['\u001B]11;rgb:00\u001B]10;rgb:0/0/0\u0007', ['answer other', 'answer colour']],
  ['\u001B[?62', ['answer other']],
  ['\u001B[99~\u001B[M !!', ['unknown', 'unknown']],
  ['\u001B', ['escape']],
  ['\u001B\u001B', ['escape', 'escape']],
  ['\u001B[', ['alt+[']],
  ['\u001BO', ['alt+O']],
  ['\u001B]', ['alt+]']],
];

for (const [sent, keys] of sequences) {
  test(`${JSON.stringify(sent)} is ${keys.join(', ')}, and every byte of it is in some token`, () => {
    const tokens = read(sent);
    assert.deepEqual(notified(tokens), keys);
    assert.deepEqual(
      tokens.flatMap(({bytes}) => [...bytes]),
      [...new TextEncoder().encode(sent)],
    );
  });
}

test('it does not matter where what is sent is torn', () => {
  for (const [sent, keys] of sequences) {
    const bytes = new TextEncoder().encode(sent);
    for (let cut = 1; cut < bytes.length; cut++)
      assert.deepEqual(
        notified(read(bytes.subarray(0, cut), bytes.subarray(cut))),
        keys,
        `${JSON.stringify(sent)} cut at ${cut}`,
      );
  }
});

test('what a key writes is known, and with Ctrl or Alt it writes nothing', () => {
  assert.deepEqual(
    read('a\u001Ba\u0001 \u001B[97;5u').flatMap((token) =>
      token.type === 'key' ? [token.key.text] : [],
    ),
    ['a', '', '', ' ', ''],
  );
});

test('Escape alone is heard after a moment, and what comes later is no part of it', () => {
  const clock = createClock();
  const received: Token[] = [];
  const reader = createInputReader({
    after: clock.after,
    onTokens: (tokens) => received.push(...tokens),
    escapeMs: 25,
  });
  reader.read(Uint8Array.of(0x1b));
  clock.pass(24);
  assert.deepEqual(notified(received), []);
  clock.pass(1);
  assert.deepEqual(notified(received), ['escape']);
  reader.read(Uint8Array.of(0x5b, 0x41));
  assert.deepEqual(notified(received), ['escape', '[', 'A']);
});

test('a reply in pieces is no keys, however slowly the pieces come', () => {
  const replies = '\u001B]10;rgb:ffff/ffff/ffff\u001B\\\u001B]4;1;rgb:cd/31/31\u0007\u001B[?62;22c';
  for (let cut = 1; cut < replies.length; cut++) {
    const clock = createClock();
    const received: Token[] = [];
    const reader = createInputReader({
      after: clock.after,
      onTokens: (tokens) => received.push(...tokens),
      expectsReply: () => true,
    });
    reader.read(new TextEncoder().encode(replies.slice(0, cut)));
    clock.pass(150);
    reader.read(new TextEncoder().encode(replies.slice(cut)));
    clock.pass(5000);
    assert.deepEqual(
      notified(received),
      ['answer colour', 'answer colour', 'answer attributes'],
      `cut at ${cut}`,
    );
  }
});

test('a paste whose end never comes ends by itself', () => {
  assert.deepEqual(notified(read('\u001B[200~half')), ['paste half']);
});

test('a paste of a megabyte in small pieces is one paste', () => {
  const text = 'x'.repeat(1024 * 1024);
  const bytes = new TextEncoder().encode(`\u001B[200~${text}\u001B[201~`);
  const chunks = Array.from({length: Math.ceil(bytes.length / 4096)}, (_, index) =>
    bytes.subarray(index * 4096, (index + 1) * 4096),
  );
  assert.deepEqual(
    read(...chunks).map((token) => (token.type === 'paste' ? token.text.length : token.type)),
    [text.length],
  );
});

test('bytes that mean nothing are still all there, in their order', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const random = createRandom(seed);
    const bytes = hostileBytes(random, 8);
    const at = random.below(bytes.length);
    assert.deepEqual(
      read(bytes.subarray(0, at), bytes.subarray(at)).flatMap((token) => [...token.bytes]),
      [...bytes],
      `seed ${seed}`,
    );
  }
});
