import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  withoutUnknownTool,
  describeDiscard,
  describeFailure,
  describeTrouble,
} from '../../../source/reports/messages/describe-reason.ts';

test('a failure of an unknown tool is described by its text alone', () => {
  const failure = {kind: 'check', name: 'test', code: 'TEST_FAILURE', on: 'change'} as const;
  assert.equal(
    describeFailure({
      ...failure,
      firstFailure: 'unknown\nNo line speaks of an error. It ends with:\nFAIL',
    }),
    'test failed: No line speaks of an error. It ends with:\nFAIL',
  );
  assert.equal(
    describeFailure({...failure, firstFailure: 'node:test\na.test.js:9'}),
    'test failed: node:test\na.test.js:9',
  );
});

test('the description of a failed check says how sure the first failure is', () => {
  const failure = {
    kind: 'check',
    name: 'test',
    code: 'TEST_FAILURE',
    on: 'merge',
    firstFailure: 'x',
  } as const;
  assert.deepEqual(
    (['found', 'likely', 'end-of-log'] as const).map((confidence) =>
      describeFailure({...failure, confidence}),
    ),
    [
      'test failed after merging: x',
      'test failed after merging, likely: x',
      'test failed after merging, at the end of its log: x',
    ],
  );
});

test('trouble is described in words, without an effect key or a hash in front', () => {
  const text = 'changed outside of its worktree';
  assert.deepEqual(
    [
      'r1/survey',
      's1/run',
      `r1.t2.a1/judge/${'a'.repeat(40)}`,
      'r1.t1/make',
      'r1/summary-1',
      'r1.t1/build-merge/a/b',
      'r1/constructor',
      '',
    ].map((effect) => describeTrouble({kind: 'effect', effect, words: text})),
    [
      text,
      text,
      text,
      `making its worktree: ${text}`,
      `writing its summary: ${text}`,
      `merging it: ${text}`,
      text,
      text,
    ],
  );
});

test('an unknown tool is left out, and so is a test that the rest names', () => {
  assert.equal(withoutUnknownTool('unknown\nFAIL it'), 'FAIL it');
  assert.equal(withoutUnknownTool('unknown: it\nFAIL it'), 'FAIL it');
  assert.equal(withoutUnknownTool('unknown: it\nexit 1'), 'it\nexit 1');
  for (const text of ['unknown', '', 'node:test: unknown\nx', 'jest: a\nb'])
    assert.equal(withoutUnknownTool(text), text);
});

test('a discard names the task that it follows from; a decision of a person needs no reason', () => {
  assert.deepEqual(
    (
      [
        {kind: 'person'},
        {kind: 'needs', task: 'r1.t1'},
        {kind: 'not-picked', task: 'r1.t3'},
      ] as const
    ).map(describeDiscard),
    ['', ': it needs r1.t1', ': r1.t3 was picked'],
  );
});
