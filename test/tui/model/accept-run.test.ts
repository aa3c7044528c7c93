import assert from 'node:assert/strict';
import {test} from 'node:test';
import {runOf} from '../../../source/domain/index.ts';
import {done, happen, open, press} from '../screens/scenes.ts';

test('another way to accept is chosen where it is asked once more, and goes round', () => {
  const house = done();
  const stage = open(house.state, house.time);
  press(stage, 'enter', 'r', 'A', 'w');
  assert.match(stage.model.asking?.lines.join('\n') ?? '', /squash: one commit for the whole run/);
  press(stage, 'w', 'w', 'w', 'w', 'w', 'y');
  assert.deepEqual(stage.wishes, [
    {type: 'accept-run', run: 'r1', commit: runOf(house.state, 'r1')!.head!, way: 'squash-tasks'},
  ]);
});

test('what is reviewed is read again when the run moves on; it is told, the file stays, and what is old is not accepted', () => {
  const house = done();
  const stage = open(house.state, house.time);
  press(stage, 'enter', 'r');
  const text = (files: readonly string[]): string =>
    files
      .map(
        (file) =>
          `diff --git a/${file} b/${file}\n--- a/${file}\n+++ b/${file}\n@@ -1 +1 @@\n-a\n+b\n`,
      )
      .join('');
  const show = (to: string, files: readonly string[]): void => {
    happen(stage, {
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
  press(stage, ']');
  press(stage, 'A');
  assert.equal(stage.model.asking, undefined);
  assert.match(stage.model.notice?.words ?? '', /r1 has changed since you looked/);
  assert.deepEqual(stage.effects.at(-1), {
    type: 'ask',
    name: 'diff/r1',
    question: {about: 'diff', of: 'r1'},
  });
  const {head} = runOf(house.state, 'r1')!;
  show(head!, ['new.ts', 'a.ts', 'b.ts']);
  assert.equal(stage.model.places.files.cursor, 2, 'still at b.ts');
  assert.match(
    stage.model.notice?.words ?? '',
    /r1 has changed since you looked: this is merge-r1\.t1/,
  );
  press(stage, 'A', 'y');
  assert.deepEqual(stage.wishes, [{type: 'accept-run', run: 'r1', commit: head!, way: 'merge'}]);
});
