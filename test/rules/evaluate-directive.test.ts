import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import type {AddedLine, UnreadFile} from '../../source/domain/index.ts';
import {findForbidden} from '../../source/rules/evaluate-directive.ts';
import {evaluateChange, parseRules} from '../../source/rules/index.ts';

function added(...texts: readonly string[]): AddedLine[] {
  return texts.map((text, index) => ({path: 'a.ts', line: index + 1, text}));
}

/** Long enough for several windows. */
const long = 'x'.repeat(4990);

const found: readonly (readonly [pattern: string, flags: string, text: string])[] = [
  ['console\\.log', '', '  console.log(1)'],
  ['TODO', 'i', '// todo'],
  ['^\\s*debugger', '', '\tdebugger'],
  ['end$', '', 'the end'],
  ['\\p{Emoji_Presentation}', 'u', 'fine 😀'],
  ['secret', '', `${long}secret${long}`],
  ['secret', '', `${long}secret`],
  ['secret$', '', `${long}secret`],
  ['^x+$', '', 'x'.repeat(1999)],
  ['^first', '', `first${long}`],
  ['a{3}b', '', `${'x'.repeat(1998)}aaab${long}`],
  ['x', 'g', 'x'],
];

describe('is found:', () => {
  for (const [pattern, flags, text] of found) {
    test(`/${pattern}/${flags} in ${text.length} characters`, () => {
      assert.deepEqual(findForbidden(pattern, flags, added('fine', text)), {
        found: {path: 'a.ts', line: 2, text},
        unread: 0,
      });
    });
  }

  test('at every place of a long line, whatever the windows', () => {
    for (let place = 0; place <= 6000; place += 1) {
      const text = `${'x'.repeat(place)}secret${'y'.repeat(6000 - place)}`;
      assert.deepEqual(
        findForbidden('secret', '', added(text)),
        {found: {path: 'a.ts', line: 1, text}, unread: 0},
        String(place),
      );
    }
  });
});

const absent: readonly (readonly [pattern: string, text: string])[] = [
  ['secret', 'nothing'],
  ['^x', `y${long}`],
  ['^y', `x${'y'.repeat(5000)}`],
  ['x$', `${long}y`],
  ['\\bx', `y${long}`],
  ['a.b', 'a\nb'],
];

describe('is not found, because the edge of a window is no edge of the line:', () => {
  for (const [pattern, text] of absent) {
    test(`/${pattern}/ in ${text.length} characters`, () => {
      assert.deepEqual(findForbidden(pattern, '', added(text)), {found: undefined, unread: 0});
    });
  }
});

test('a pattern that could take for ever, or is none, is not tried', () => {
  for (const [pattern, flags] of [
    ['(a+)+$', ''],
    ['(', ''],
    ['a', 'q'],
  ] as const)
    assert.ok('rejected' in findForbidden(pattern, flags, added('a'.repeat(100))), pattern);
});

test('what was not looked at is not called kept, and what was found counts all the same', () => {
  const {value: rules} = parseRules('# A\n- a `forbid: /b/`');
  const judge = (addedLines: readonly AddedLine[], unread: readonly UnreadFile[] = []): unknown =>
    evaluateChange({
      change: {tree: 't', files: []},
      planned: [],
      rules,
      addedLines,
      unread,
      links: [],
      required: [],
    }).rules[0];
  const huge = Array.from({length: 6}, (_, index) => ({
    path: 'a.txt',
    line: index + 1,
    text: 'a'.repeat(4_000_000),
  }));
  assert.deepEqual(findForbidden('b', '', huge), {found: undefined, unread: 1});
  assert.deepEqual(judge(huge), {
    number: '1.1',
    verdict: 'not-checkable',
    detail: '1 added line was not searched, because the change is too large',
  });
  const unread: readonly UnreadFile[] = [
    {path: 'logo.png', why: 'binary'},
    {path: 'dist/a.js', why: 'too large'},
  ];
  assert.deepEqual(judge(added('a'), unread), {
    number: '1.1',
    verdict: 'not-checkable',
    detail: 'logo.png and 1 more could not be searched: binary',
  });
  assert.deepEqual(judge(added('ab'), unread), {
    number: '1.1',
    verdict: 'broken',
    detail: 'a.ts:1: ab',
  });
});

test('the place is named, the line is shown short, and no secret with it', () => {
  const {value: rules} = parseRules('# A\n- a `forbid: /key/`');
  const text = `  const key = "hunter2hunter2"; \u001B[31m // AKIA${'A1'.repeat(8)} ${'z'.repeat(300)}`;
  const {rules: verdicts} = evaluateChange({
    change: {tree: 't', files: []},
    planned: [],
    rules,
    addedLines: [{path: 'src/ä\n.ts', line: 12, text}],
    links: [],
    required: [],
    secrets: ['hunter2hunter2'],
  });
  const detail = verdicts[0]?.detail ?? '';
  assert.match(
    detail,
    /^src\/ä\\n\.ts:12: const key = "\[redacted]"; \\u\{1b}\[31m \/\/ \[redacted] z+…$/,
  );
});
