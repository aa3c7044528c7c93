import assert from 'node:assert/strict';
import {Buffer} from 'node:buffer';
import {test} from 'node:test';
import {createKeysAhead, routeInput} from '../../../source/app/runtime/route-input.ts';
import type {Token} from '../../../source/app/input/key.ts';
import type {Layout} from '../../../source/app/app-contract.ts';

const key = (name: string, code = name.charCodeAt(0)): Exclude<Token, {type: 'answer'}> => ({
  type: 'key',
  key: {name, ctrl: code < 32, alt: false, shift: false, text: code < 32 ? '' : name},
  bytes: Buffer.from([code]),
  isModern: false,
});
const paste: Exclude<Token, {type: 'answer'}> = {
  type: 'paste',
  text: 'ls\r',
  bytes: Buffer.from('ls\r'),
};

/** Where a token went: to the app as a command or an event, or into the queue. */
function routed(token: Exclude<Token, {type: 'answer'}>, layout: Layout): readonly string[] {
  const went: string[] = [];
  routeInput(token, {
    layout,
    panes: {
      arrange: () => undefined,
      get: () => undefined,
      retry: () => undefined,
      close: () => undefined,
    },
    keymap: ({name}) => ({type: 'command' as const, name}),
    apply: (action) => {
      went.push(action.type);
    },
    hold: () => {
      went.push('held');
    },
  });
  return went;
}

test('keys and pasted text wait while a pane is opened that they are meant for; the key that leaves does not', () => {
  assert.deepEqual(
    [
      routed(key('q'), {panes: [], holdsKeys: true}),
      routed(paste, {panes: [], holdsKeys: true}),
      routed(key(']', 0x1d), {panes: [], holdsKeys: true}),
    ],
    [['held'], ['held'], ['typing-left']],
  );
  assert.deepEqual(
    [routed(key('q'), {panes: []}), routed(paste, {panes: []})],
    [['command'], ['pasted']],
  );
});

test('what waited is given out once, in its order, when there is a pane to type into; and forgotten when there is none', () => {
  const ahead = createKeysAhead();
  ahead.hold(key('a'));
  ahead.hold(paste);
  assert.deepEqual(ahead.take({panes: [], holdsKeys: true}), []);
  assert.deepEqual(
    ahead.take({panes: [], typing: 's1'}).map(({type}) => type),
    ['key', 'paste'],
  );
  assert.deepEqual(ahead.take({panes: [], typing: 's1'}), []);
  ahead.hold(key('A'));
  assert.deepEqual(
    [ahead.take({panes: []}), ahead.take({panes: [], typing: 's1'})],
    [[], []],
    'a key that was meant for a shell never is a command',
  );
});

test('somebody who leans on a key fills no memory', () => {
  const ahead = createKeysAhead();
  for (let count = 0; count < 100_000; count++) ahead.hold(key('a'));
  assert.equal(ahead.take({panes: [], typing: 's1'}).length, 256);
});
