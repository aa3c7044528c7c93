import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import type {Step} from '../../source/playbook/index.ts';
import {findBegin, type StepProgress} from '../../source/playbook-agent/progress.ts';

const steps: readonly Step[] = [
  {line: 1, do: 'write', path: 'a', text: '1'},
  {line: 2, do: 'write', path: 'b', text: '2'},
  {line: 3, do: 'run', command: 'x', mayFail: false},
];
const start = {from: 0, answer: '', files: []};
const changed = {path: 'a', first: null, last: 'A'};
const untouched = {path: 'b', first: 'B', last: 'B'};

type Hashes = Readonly<Record<string, string | null>>;

describe('where to begin after a crash:', () => {
  const cases: readonly (readonly [
    name: string,
    noted: Partial<StepProgress> | undefined,
    now: Hashes,
    from: number,
  ])[] = [
    ['nothing was noted', undefined, {}, 0],
    ['another attempt was noted', {of: 'other', done: 1, files: [changed]}, {a: 'A'}, 0],
    ['more steps were noted than there are', {done: 4, files: [changed]}, {a: 'A'}, 0],
    ['the first was done', {done: 1, files: [changed]}, {a: 'A'}, 1],
    ['nothing was changed that could bear it out', {done: 1, files: [untouched]}, {b: 'B'}, 0],
    ['its file is as before all', {done: 1, files: [changed]}, {a: null}, 0],
    ['its file is as nobody left it', {done: 1, files: [changed]}, {a: 'C'}, 0],
    [
      'the second was about to be made, and was not',
      {done: 1, files: [changed, untouched], underWay: {path: 'b', after: 'B2'}},
      {a: 'A', b: 'B'},
      1,
    ],
    [
      'the second was about to be made, and was',
      {done: 1, files: [changed, untouched], underWay: {path: 'b', after: 'B2'}},
      {a: 'A', b: 'B2'},
      2,
    ],
    [
      'the second was about to be made, and is something else',
      {done: 1, files: [changed, untouched], underWay: {path: 'b', after: 'B2'}},
      {a: 'A', b: '?'},
      0,
    ],
    [
      'the first was about to be made, and was',
      {done: 0, files: [{path: 'a', first: null, last: null}], underWay: {path: 'a', after: 'A'}},
      {a: 'A'},
      1,
    ],
    [
      'the first was about to be made, and was not',
      {done: 0, files: [{path: 'a', first: null, last: null}], underWay: {path: 'a', after: 'A'}},
      {a: null},
      0,
    ],
    ['a command was cut off that changed a file', {done: 2, files: [changed]}, {a: 'formatted'}, 2],
    ['a command was cut off, and then everything reset', {done: 2, files: [changed]}, {a: null}, 0],
    ['all was done', {done: 3, files: [changed]}, {a: 'A'}, 3],
  ];
  for (const [name, noted, now, from] of cases) {
    test(name, () => {
      const begin = findBegin(
        noted && {of: 'this', done: 0, answer: 'x', files: [], ...noted},
        'this',
        steps,
        (path) => now[path] ?? null,
      );
      assert.equal(begin.from, from);
      assert.equal(begin.answer, from === 0 ? '' : 'x');
      if (from === 0) assert.deepEqual(begin, start);
    });
  }
});
