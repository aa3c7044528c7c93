import assert from 'node:assert/strict';
import {test} from 'node:test';
import {draw} from './draw.tsx';
import {happen, nothingYet, open, planned, press, repositoryNotes, withNotes} from './fixtures.ts';

test('the start screen asks what there is to know of the repository, and tells it above the objectives of before', () => {
  const {state, now} = nothingYet();
  const fixture = open(state, now, {columns: 100, rows: 40});
  assert.deepEqual(
    fixture.effects.flatMap((effect) =>
      effect.type === 'ask' && effect.name === 'repository' ? [effect.question] : [],
    ),
    [{about: 'repository'}],
  );
  assert.doesNotMatch(draw(fixture.model, fixture.state, fixture.now), /not committed/);
  happen(fixture, {type: 'answered', name: 'repository', value: {notes: repositoryNotes}});
  assert.match(
    draw(fixture.model, fixture.state, fixture.now),
    /rules[^]*▲ Work starts from the commit 0123456789[^]*▲ No branch is checked out[^]*accept RUN --into\s+BRANCH/,
  );
});

test("in a worktree of one's own it is that which is looked at", () => {
  const {state, now} = nothingYet();
  const fixture = open(state, now, undefined, undefined, {checkout: '/work/mine'});
  assert.deepEqual(
    fixture.effects.flatMap((effect) =>
      effect.type === 'ask' && effect.name === 'repository' ? [effect.question] : [],
    ),
    [{about: 'repository', checkout: '/work/mine'}],
  );
});

test('many notes leave room for what is written, nothing in one acts on the terminal, and what is no note is left out', () => {
  const {state, now} = nothingYet();
  const fixture = open(state, now);
  const hostile = {about: 'x', words: `\u001B[2J\u202Eevil\nsecond line ${'long '.repeat(400)}`};
  happen(fixture, {
    type: 'answered',
    name: 'repository',
    value: {notes: [hostile, null, 7, {about: 'y'}, ...Array.from({length: 100}, () => hostile)]},
  });
  const drawn = draw(fixture.model, fixture.state, fixture.now);
  assert.match(drawn, /What should be different\?[^]*20 notes below/);
  assert.doesNotMatch(drawn, /\u001B|\u202E/);
  for (const value of [null, 'x', {}, {notes: 'x'}])
    happen(fixture, {type: 'answered', name: 'repository', value});
  assert.equal(fixture.model.answers.repository?.length, 20);
});

test('the plan says above it that there are notes, and has them whole below it', () => {
  const harness = planned();
  for (const size of [
    {columns: 80, rows: 24},
    {columns: 160, rows: 45},
  ]) {
    const fixture = open(withNotes(harness.state), harness.time, size);
    press(fixture, 'p');
    assert.match(
      draw(fixture.model, fixture.state, fixture.now),
      /! 2 notes about the repository below the plan: read them before you approve/,
    );
    press(fixture, 'end');
    if (size.columns < 130) press(fixture, ...Array.from({length: 4}, () => 'up'));
    assert.match(
      draw(fixture.model, fixture.state, fixture.now),
      /About the repository, when the run began[^]*Work starts from the commit[^]*No branch is checked out/,
    );
    const plain = open(harness.state, harness.time, size);
    press(plain, 'p');
    assert.doesNotMatch(draw(plain.model, plain.state, plain.now), /about the repository/i);
  }
});
