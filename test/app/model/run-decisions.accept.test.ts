import assert from 'node:assert/strict';
import {test} from 'node:test';
import {selectRun} from '../../../source/domain/index.ts';
import {done, happen, open, press} from '../screens/fixtures.ts';

test('another way to accept is chosen where it is asked once more, and goes round', () => {
  const harness = done();
  const fixture = open(harness.state, harness.time);
  press(fixture, 'enter', 'r', 'A', 'w');
  assert.match(
    fixture.model.confirmation?.facts.map(({text}) => text).join('\n') ?? '',
    /squash: one commit for the whole run/,
  );
  press(fixture, 'w', 'w', 'w', 'w', 'w', 'A');
  assert.deepEqual(fixture.commands, [
    {
      type: 'accept-run',
      run: 'r1',
      commit: selectRun(harness.state, 'r1')!.head!,
      way: 'squash-tasks',
    },
  ]);
});

test('what is reviewed is read again when the run moves on; it is told, the file stays, and what is old is not accepted', () => {
  const harness = done();
  const fixture = open(harness.state, harness.time);
  press(fixture, 'enter', 'r');
  const text = (files: readonly string[]): string =>
    files
      .map(
        (file) =>
          `diff --git a/${file} b/${file}\n--- a/${file}\n+++ b/${file}\n@@ -1 +1 @@\n-a\n+b\n`,
      )
      .join('');
  const show = (to: string, files: readonly string[]): void => {
    happen(fixture, {
      type: 'answered',
      name: 'diff/r1',
      value: {
        from: 'a',
        to,
        text: text(files),
        files: files.map((path) => ({path, how: 'modified', added: 1, removed: 1})),
      },
    });
  };
  show('older', ['a.ts', 'b.ts']);
  press(fixture, ']');
  press(fixture, 'A');
  assert.equal(fixture.model.confirmation, undefined);
  assert.match(fixture.model.notice?.text ?? '', /r1 has changed since you looked/);
  assert.deepEqual(fixture.effects.at(-1), {
    type: 'ask',
    name: 'diff/r1',
    question: {about: 'diff', of: 'r1', context: 200},
  });
  const {head} = selectRun(harness.state, 'r1')!;
  show(head!, ['a.ts', 'a2.ts', 'b.ts']);
  assert.equal(fixture.model.places.files.cursor, 2, 'still at b.ts');
  assert.match(
    fixture.model.notice?.text ?? '',
    /r1 has changed since you looked: this is merge-r1\.t1/,
  );
  press(fixture, 'A', 'A');
  assert.deepEqual(fixture.commands, [
    {type: 'accept-run', run: 'r1', commit: head!, way: 'merge'},
  ]);
});
