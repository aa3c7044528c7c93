import assert from 'node:assert/strict';
import {Buffer} from 'node:buffer';
import {test} from 'node:test';
import {createInputReader} from '../../../source/app/input/create-input-reader.ts';
import type {Token} from '../../../source/app/input/key.ts';

function readAll(text: string, pieces: number): readonly Token[] {
  const tokens: Token[] = [];
  const reader = createInputReader({
    onTokens: (more) => tokens.push(...more),
    after: () => () => undefined,
  });
  const bytes = Buffer.from(text, 'latin1');
  for (let at = 0; at < bytes.length; at += pieces) reader.read(bytes.subarray(at, at + pieces));
  return tokens;
}

const describe = (token: Token): string => {
  if (token.type === 'key') return token.key.name;
  if (token.type !== 'answer' || token.about !== 'clipboard') return token.type;
  const {reply} = token;
  if (reply.from === 'osc-52') return `52 ${reply.data.length}`;
  if (reply.from === 'osc-5522') return `5522 ${reply.status} ${reply.data.length}`;
  return reply.from === 'mode' ? `mode ${String(reply.isSupported)}` : reply.from;
};

test('a reply of any length is one token wherever it is cut, and never becomes keys', () => {
  for (const end of ['\u0007', '\u001B\\'])
    for (const length of [0, 8, 5000, 100_000])
      for (const pieces of [1, 7, 4095, 65_536])
        assert.deepEqual(
          readAll(`a\u001B]52;c;${'A'.repeat(length)}${end}b`, pieces).map(describe),
          ['a', `52 ${length}`, 'b'],
          `${length} in pieces of ${pieces}`,
        );
});

test('the messages of OSC 5522 and the reply about its mode are read', () => {
  const data = 'A'.repeat(5464);
  assert.deepEqual(
    readAll(
      `\u001B[?5522;2$y\u001B]5522;type=read:status=OK\u001B\\\u001B]5522;type=read:status=DATA:mime=aW1hZ2UvcG5n;${data}\u001B\\\u001B]5522;type=read:status=DONE\u001B\\q`,
      1000,
    ).map(describe),
    ['mode true', '5522 OK 0', '5522 DATA 5464', '5522 DONE 0', 'q'],
  );
  assert.deepEqual(readAll('\u001B[?5522;0$y', 99).map(describe), ['mode false']);
});

test('an endless reply is dropped without filling the memory, and keys come after it', () => {
  const long = 'A'.repeat(20 * 1024 * 1024);
  const start = performance.now();
  assert.deepEqual(readAll(`\u001B]52;c;${long}\u0007b`, 65_536).map(describe), ['too-long', 'b']);
  assert.ok(performance.now() - start < 5000);
});

test('what only looks like one is some reply, and nothing for a program', () => {
  for (const text of [
    '\u001B]52;c;not base64!\u0007',
    '\u001B]5522;type=write:status=DONE\u001B\\',
  ])
    assert.deepEqual(
      readAll(text, 99).map(({type}) => type),
      ['answer'],
    );
});
