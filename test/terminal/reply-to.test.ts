import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {createScreen, createTracker} from '../../source/terminal/index.ts';
import {createRandom} from '../support/random.ts';
import {corpus} from './corpus.ts';
import {hostileBytes} from './hostile.ts';

const escape = '\u001B';

function repliesTo(...texts: readonly string[]): string[] {
  const replies: string[] = [];
  const screen = createScreen({
    columns: 80,
    rows: 24,
    onReply: (reply) => replies.push(Buffer.from(reply).toString()),
  });
  for (const text of texts) screen.write(Buffer.from(text));
  screen.close();
  return replies;
}

/** Everything that is ever answered. */
const constants = new Set([
  `${escape}[?62;22c`,
  `${escape}[>0;276;0c`,
  `${escape}P>|orchestra${escape}\\`,
  `${escape}[0n`,
  `${escape}P0$r${escape}\\`,
  `${escape}]7501;?${escape}\\`,
  `${escape}]10;rgb:d0d0/d0d0/d0d0${escape}\\`,
  `${escape}]11;rgb:1010/1010/1010${escape}\\`,
  `${escape}[4;1$y`,
  `${escape}[4;2$y`,
  ...[
    1, 6, 7, 12, 25, 47, 1000, 1002, 1003, 1004, 1005, 1006, 1015, 1047, 1049, 2004, 2026,
  ].flatMap((mode) => [`${escape}[?${mode};1$y`, `${escape}[?${mode};2$y`]),
]);

function isConstant(reply: string): boolean {
  return (
    constants.has(reply) || /^\u001B\[\??(?:[1-9]|1\d|2[0-4]);(?:[1-9]|[1-7]\d|80)R$/.test(reply)
  );
}

describe('a program that asks its terminal gets', () => {
  const cases: readonly [name: string, asked: string, reply: string][] = [
    ['what kind of terminal it is', '[c', '[?62;22c'],
    ['what kind, asked with a zero', '[0c', '[?62;22c'],
    ['its version', '[>c', '[>0;276;0c'],
    ['its name', '[>0q', `P>|orchestra${escape}\\`],
    ['that all is well', '[5n', '[0n'],
    ['where the cursor is', '[3;7H\u001B[6n', '[3;7R'],
    ['where the cursor is, privately', '[24;80Hx\u001B[?6n', '[?24;80R'],
    ['that a mode is off', '[?2026$p', '[?2026;2$y'],
    ['that a mode is on', '[?2004h\u001B[?2004$p', '[?2004;1$y'],
    ['that insert mode is off', '[4$p', '[4;2$y'],
    ['the colour of text', ']10;?\u0007', `]10;rgb:d0d0/d0d0/d0d0${escape}\\`],
    ['the colour behind it', `]11;?${escape}\\`, `]11;rgb:1010/1010/1010${escape}\\`],
    ['that statuses are understood', ']7501;?\u0007', `]7501;?${escape}\\`],
    ['that a setting is not known', `P$qm${escape}\\`, `P0$r${escape}\\`],
  ];
  for (const [name, asked, reply] of cases) {
    test(name, () => {
      assert.deepEqual(repliesTo(`${escape}${asked}`), [`${escape}${reply}`]);
      assert.deepEqual(
        repliesTo(...Array.from(`${escape}${asked}`)),
        [`${escape}${reply}`],
        'character by character',
      );
    });
  }

  test('the colours of the theme that was given', () => {
    const replies: string[] = [];
    const tracker = createTracker({
      theme: {foreground: [0, 1, 2], background: [250, 255, 16]},
      onReply: (reply) => replies.push(Buffer.from(reply).toString()),
    });
    tracker.write(Buffer.from(`${escape}]10;?\u0007${escape}]11;?\u0007`));
    assert.deepEqual(replies, [
      `${escape}]10;rgb:0000/0101/0202${escape}\\`,
      `${escape}]11;rgb:fafa/ffff/1010${escape}\\`,
    ]);
  });
});

test('title, window, keyboard, clipboard, answerback and unknown modes are never answered', () => {
  const asked = [
    '[21t',
    '[20t',
    '[18t',
    '[14t',
    '[11t',
    '[13t',
    '[19t',
    '[x',
    '[=c',
    '[?u',
    '[?9999$p',
    '[20$p',
    '[?1$r',
    '[?15n',
    '[?996n',
    '[1$w',
    ']52;c;?\u0007',
    ']4;1;?\u0007',
    ']12;?\u0007',
    ']0;?\u0007',
    ']60;?\u0007',
    ']1337;ReportCellSize\u0007',
    'P+q544e\u001B\\',
    '_Gi=1,a=q;AAAA\u001B\\',
    'Z',
  ];
  assert.deepEqual(
    repliesTo(`${escape}]0;secret\u0007`, ...asked.map((query) => `${escape}${query}`), '\u0005'),
    [],
  );
});

test('whatever the corpus asks, the answer is one of the constants', () => {
  for (const {name, bytes} of corpus) {
    const replies: string[] = [];
    const screen = createScreen({
      columns: 80,
      rows: 24,
      onReply: (reply) => replies.push(Buffer.from(reply).toString()),
    });
    screen.write(bytes);
    screen.close();
    assert.deepEqual(
      replies.filter((reply) => !isConstant(reply)),
      [],
      name,
    );
  }
});

test('and so it is for 5,000 hostile streams', () => {
  const random = createRandom('replies');
  const replies = new Set<string>();
  const screen = createScreen({
    columns: 80,
    rows: 24,
    onReply: (reply) => replies.add(Buffer.from(reply).toString()),
  });
  for (let round = 0; round < 5000; round++) screen.write(hostileBytes(random, 8));
  screen.close();
  assert.deepEqual(
    [...replies].filter((reply) => !isConstant(reply)),
    [],
  );
  assert.ok(replies.size > 20, 'the streams do ask');
});

test('a session that is only listened to answers all but where the cursor is', () => {
  const replies: string[] = [];
  const tracker = createTracker({onReply: (reply) => replies.push(Buffer.from(reply).toString())});
  tracker.write(Buffer.from(`${escape}[c${escape}[6n${escape}]7501;?\u0007`));
  assert.deepEqual(replies, [`${escape}[?62;22c`, `${escape}]7501;?${escape}\\`]);
});
