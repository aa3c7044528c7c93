import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {selectRun, type UserCommand} from '../../../source/domain/index.ts';
import {sendComments} from '../../../source/app/model/comment-line.ts';
import {toUiState} from '../../../source/app/model/create-model.ts';
import type {Model} from '../../../source/app/model/model.ts';
import {withSettings} from '../../../source/app/model/settings.ts';
import {selectDiffComments} from '../../../source/app/review/select-review.ts';
import {type Harness, userCommand} from '../../domain/support/harness.ts';
import {tokenStory} from '../../reports/runs/token-story.ts';
import {draw} from '../screens/draw.tsx';
import {answer, done, type Fixture, happen, open, press, type} from '../screens/fixtures.ts';

describe('a comment on a line of a diff', () => {
  test('is opened with its text, changed, and taken back by submitting nothing; each is said', () => {
    const {fixture} = atDiff();
    assert.match(screen(fixture, 10_000), / c edit /);
    press(fixture, 'c');
    assert.deepEqual(
      [fixture.model.field?.text, fixture.model.field?.label],
      ['Why?', 'Edit, on line 6'],
    );
    type(fixture, ' Really?');
    press(fixture, 'enter');
    assert.deepEqual(
      fixture.model.comments.map(({text}) => text),
      ['Why? Really?'],
    );
    press(fixture, 'c', 'ctrl-u');
    assert.match(screen(fixture), /Enter delete it/);
    press(fixture, 'enter');
    assert.deepEqual(
      [fixture.model.comments, fixture.model.notice?.text],
      [[], 'The comment is taken back.'],
    );
  });

  test('is edited and taken back on its card as on its line', () => {
    const {fixture} = atDiff();
    press(fixture, 'down', 'c');
    assert.equal(fixture.model.field?.text, 'Why?');
    press(fixture, 'escape', 'down', 'x');
    assert.deepEqual(fixture.model.comments, []);
  });

  test('is there again after the app was left, on its line', () => {
    const {fixture, harness} = atDiff();
    const later = open(
      harness.state,
      harness.time,
      undefined,
      JSON.parse(JSON.stringify(toUiState(fixture.model))),
    );
    press(later, 'enter', 'r');
    answer(later, harness);
    press(later, '}');
    assert.deepEqual(later.model.comments, fixture.model.comments);
    assert.match(screen(later), /6 \+ export async[^]*you, not sent[^]*│ Why\?/);
    assert.match(screen(later), / S send 1 comment back/);
  });

  test("is the daemon's once it has it, and till then it is neither shown nor lost", () => {
    const {fixture} = atDiff();
    const before = fixture.model.comments;
    press(fixture, 'S');
    const sent = fixture.commands.at(-1) as UserCommand;
    assert.deepEqual([sent.type, toUiState(fixture.model).comments], ['add-note', []]);
    assert.doesNotMatch(screen(fixture), /Why\?/);
    press(fixture, 'S');
    assert.equal(fixture.commands.length, 1, 'it is not sent twice');
    happen(fixture, {type: 'wish-refused', wish: sent, text: 'not connected'});
    assert.deepEqual(
      [fixture.model.comments, fixture.model.notice?.text],
      [before, 'not connected'],
    );
    press(fixture, 'S');
    // Another note of the same person is not this one.
    happen(fixture, {
      type: 'wish-granted',
      wish: {type: 'add-note', on: 'r1', text: 'something else'},
      answer: {},
    });
    assert.equal(fixture.model.comments.length, 1);
    happen(fixture, {
      type: 'wish-granted',
      wish: fixture.commands.at(-1) as UserCommand,
      answer: {},
    });
    assert.deepEqual(fixture.model.comments, []);
  });

  test('whose line has changed since stands at the end of its file, and can be edited and taken back there', () => {
    const {fixture} = atDiff();
    const [own] = fixture.model.comments;
    const moved: Fixture = {
      ...fixture,
      model: {...fixture.model, comments: [{...own!, source: 'what it was before'}]},
    };
    press(moved, 'G');
    assert.match(screen(moved), /Line 6 was: what it was before[^]*you, not sent[^]*│ Why\?/);
    press(moved, 'c');
    assert.equal(moved.model.field?.text, 'Why?');
    press(moved, 'escape', 'G', 'x');
    assert.deepEqual(moved.model.comments, []);
  });

  test('on what is over is given up, and that is said', () => {
    const {fixture, harness} = atDiff();
    userCommand(harness, {type: 'discard', what: 'r1'});
    fixture.state = harness.state;
    happen(fixture, {type: 'event-heard', event: harness.events.at(-1)!});
    assert.deepEqual(
      [fixture.model.comments, fixture.model.notice?.text],
      [[], 'Your comment on r1 was not sent: it is over.'],
    );
  });

  test('that is remembered is read with care', () => {
    const whole = {of: 'r1.t1', path: 'a', line: 2, source: 'y', text: 'z'};
    const {comments} = open(done().state, 0, undefined, {
      comments: [
        whole,
        {...whole, sentAs: 'w', text: 'later'},
        null,
        7,
        {...whole, of: 'x'},
        {...whole, line: 0},
        {...whole, path: 1},
        {...whole, text: ' '},
      ],
    }).model;
    assert.deepEqual(comments, [whole, {...whole, text: 'later'}]);
    assert.deepEqual(open(done().state, 0, undefined, {comments: 'x'}).model.comments, []);
  });

  test('is not written on what is no line of code', () => {
    const {fixture} = atDiff();
    press(fixture, '}', 'g', 'c');
    assert.deepEqual(
      [fixture.model.field, fixture.model.notice?.text],
      [undefined, 'Choose a line of code to comment on.'],
    );
  });
});

test('comments go as one batch; where no task is known to have changed the file, as a note', () => {
  const {fixture} = atDiff();
  press(fixture, 'down', 'down', 'down', 'c');
  type(fixture, 'Name it');
  press(fixture, 'enter');
  assert.deepEqual([fixture.model.comments.length, fixture.commands], [2, []]);
  press(fixture, 'S');
  assert.deepEqual(selectDiffComments(fixture.model), []);
  const [sent, ...more] = fixture.commands as {type: string; text?: string}[];
  assert.deepEqual([sent?.type, more], ['add-note', []]);
  assert.match(
    sent?.text ?? '',
    /^Comments on your change:\n- src\/token\.ts:6 `.+`: Why\?\n- src\/token\.ts:\d+ `.+`: Name it$/,
  );
});

test('comments on a merged task are the hint of a new attempt', () => {
  const harness = done();
  const fixture = open(harness.state, harness.time);
  press(fixture, 'enter', 'r', 'v');
  answer(fixture, harness);
  assert.equal(fixture.model.subject, 'r1.t1');
  press(fixture, 'c');
  type(fixture, 'Simpler');
  press(fixture, 'enter', 'S');
  assert.deepEqual(
    fixture.commands.map((one) => (one as {type: string}).type),
    ['grant-attempt'],
  );
});

test('a comment on a file that the change has no longer stands behind the others, and can be read, edited and sent', () => {
  const {fixture} = atDiff();
  const [own] = fixture.model.comments;
  assert.ok(own !== undefined);
  const other =
    'diff --git a/other.js b/other.js\n--- a/other.js\n+++ b/other.js\n@@ -1 +1 @@\n-one\n+two\n';
  happen(fixture, {
    type: 'answered',
    name: 'diff/r1',
    value: {from: 'a', to: 'b', files: [], text: other},
  });
  // The file that was in view stays there.
  assert.match(
    screen(fixture),
    new RegExp(
      `${own.path} +file 2 of 2[^]*no longer part of the change[^]*Line ${own.line} was[^]*Why\\?`,
    ),
  );
  press(fixture, 'end', 'c');
  assert.equal(fixture.model.field?.text, 'Why?');
  type(fixture, ' Really');
  press(fixture, 'enter');
  assert.deepEqual(
    fixture.model.comments.map(({text, path}) => [text, path]),
    [['Why? Really', own.path]],
  );
  happen(fixture, {
    type: 'answered',
    name: 'diff/r1',
    value: {from: 'a', to: 'b', files: [], text: ''},
  });
  assert.match(screen(fixture), /Why\? Really/);
  press(fixture, 'S');
  assert.match(JSON.stringify(fixture.commands), /Why\? Really/);
});

test('sending without a comment names the key that writes one, also one that the person chose', () => {
  const {fixture} = atDiff();
  const {settings} = fixture.model;
  const notice = (model: Model): string | undefined =>
    sendComments({...model, comments: []}, fixture.state, fixture.now).model.notice?.text;
  assert.equal(
    notice(fixture.model),
    'There is no comment yet. c writes one on the line under the cursor.',
  );
  assert.equal(
    notice(withSettings(fixture.model, {...settings, keys: {'review.comment-line': 'K'}})),
    'There is no comment yet. K writes one on the line under the cursor.',
  );
});

test('accepting is asked once more, and binds the commit that was shown', () => {
  const harness = done();
  const fixture = open(harness.state, harness.time);
  press(fixture, 'w', 'r', 'A', 'y', 'enter');
  assert.deepEqual(fixture.commands, []);
  assert.notEqual(fixture.model.confirmation, undefined);
  press(fixture, 'A');
  assert.deepEqual(fixture.commands, [
    {type: 'accept-run', run: 'r1', commit: selectRun(harness.state, 'r1')!.head!, way: 'merge'},
  ]);
});

test('a run that is not ready says what is missing', () => {
  const {harness, now} = tokenStory();
  const fixture = open(harness.state, now);
  press(fixture, 'enter', 'g', 'r', 'A');
  assert.equal(
    fixture.model.notice?.text,
    'r1 cannot be accepted yet: t2, t3, t4 are not merged yet.',
  );
});

/** With one comment, on the added line 6 of src/token.ts of a run that is done. */
function atDiff(): {readonly fixture: Fixture; readonly harness: Harness} {
  const harness = done();
  const fixture = open(harness.state, harness.time);
  press(fixture, 'r');
  answer(fixture, harness);
  press(fixture, '}', ...Array.from({length: 6}, () => 'down'), 'c');
  type(fixture, 'Why?');
  press(fixture, 'enter');
  return {fixture, harness};
}

function screen({model, state, now}: Fixture, later = 0): string {
  return draw(model, state, now + later);
}
