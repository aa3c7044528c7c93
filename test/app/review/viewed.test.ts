import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {type DiffFile, parseDiff} from '../../../source/app/review/parse-diff.ts';
import {
  countViewed,
  isViewed,
  nextUnviewed,
  parseViewedMarks,
  toggleViewed,
} from '../../../source/app/review/viewed.ts';

const file = (path: string, more: Partial<DiffFile> = {}): DiffFile => ({
  path,
  how: 'M',
  objects: '1..2',
  notices: [],
  hunks: [],
  ...more,
});

test('marked, and taken back', () => {
  const marks = toggleViewed([], file('a'));
  assert.deepEqual([isViewed(marks, file('a')), isViewed(marks, file('b'))], [true, false]);
  assert.deepEqual(toggleViewed(marks, file('a')), []);
});

describe('a mark is lost when the file changes:', () => {
  const cases: readonly (readonly [name: string, later: Partial<DiffFile>])[] = [
    ['other content, also of a binary file', {objects: '1..3'}],
    ['renamed from another file', {before: 'z', how: 'R'}],
    ['deleted', {how: 'D'}],
    ['its mode', {notices: ['It can be run as a program now.']}],
  ];
  for (const [name, later] of cases)
    test(name, () => {
      assert.equal(isViewed(toggleViewed([], file('a')), file('a', later)), false);
    });

  test('without git’s names of the contents, by its lines', () => {
    const read = (line: string): DiffFile =>
      parseDiff(`diff --git a/a b/a\n@@ -0,0 +1 @@\n+${line}\n`)[0]!;
    const marks = toggleViewed([], read('x'));
    assert.deepEqual([isViewed(marks, read('x')), isViewed(marks, read('y'))], [true, false]);
  });
});

test('the same change counts as viewed however much context it has', () => {
  const one = file('a', {hunks: [{omitted: 3, heading: '', lines: []}]});
  assert.equal(isViewed(toggleViewed([], one), file('a')), true);
});

test('two changes of one path are marked independently: in one task’s diff, and in the run’s', () => {
  const [task, run] = [file('a'), file('a', {objects: '1..9'})];
  const marks = toggleViewed(toggleViewed([], task), run);
  assert.deepEqual([isViewed(marks, task), isViewed(marks, run)], [true, true]);
  assert.equal(isViewed(toggleViewed(marks, run), task), true);
});

describe('the next file that is not viewed:', () => {
  const files = ['a', 'b', 'c', 'd'].map((path) => file(path));
  const cases: readonly (readonly [
    name: string,
    viewed: string,
    from: string | undefined,
    next: string | undefined,
  ])[] = [
    ['the one below', '', 'a', 'b'],
    ['past viewed ones', 'bc', 'a', 'd'],
    ['from the start again', 'd', 'c', 'a'],
    ['from no file', 'a', undefined, 'b'],
    ['none but this one', 'abd', 'c', undefined],
    ['all are viewed', 'abcd', 'c', undefined],
    ['from a file that is gone', '', 'z', 'a'],
  ];
  for (const [name, viewed, from, next] of cases)
    test(name, () => {
      const marks = files
        .filter(({path}) => viewed.includes(path))
        .reduce<ReturnType<typeof toggleViewed>>(toggleViewed, []);
      assert.equal(nextUnviewed(marks, files, from)?.path, next);
      assert.equal(countViewed(marks, files), viewed.length);
    });
});

test('saved and read again; what is no mark is dropped, and the oldest of very many', () => {
  const marks = toggleViewed([], file('a'));
  assert.deepEqual(parseViewedMarks(JSON.parse(JSON.stringify(marks))), marks);
  assert.deepEqual(parseViewedMarks([null, 1, {path: 'a'}, {path: 1, hash: 'x'}, ...marks]), marks);
  assert.deepEqual(parseViewedMarks({}), []);
  const many = Array.from({length: 1200}, (_, index) => ({path: `${index}`, hash: 'x'}));
  assert.equal(parseViewedMarks(many).length, 1000);
  assert.equal(parseViewedMarks(toggleViewed(many, file('new'))).at(-1)?.path, 'new');
});
