import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {selectBindings} from '../../../source/app/keymap/resolve.ts';
import {update} from '../../../source/app/model/update.ts';
import {
  done,
  type Fixture,
  happen,
  nothingYet,
  open,
  press,
  tokenStory,
} from '../screens/fixtures.ts';

/** A task that stopped, on its screen. */
function stopped(settings?: object): Fixture {
  const {harness, now} = tokenStory();
  const fixture = open(
    harness.state,
    now,
    {columns: 120, rows: 35},
    settings === undefined ? undefined : {settings},
  );
  press(fixture, 'n');
  assert.equal(fixture.model.need?.kind, 'stopped');
  return fixture;
}

describe('a question before something is given up', () => {
  test('is confirmed by the key that asked, and by nothing else', () => {
    const fixture = stopped();
    press(fixture, 'D');
    assert.equal(fixture.model.confirmation?.question, 'Discard task 2?');
    press(fixture, 'enter', 'y', 'Y', 'space', 'd', 'A');
    assert.equal(fixture.model.confirmation.question, 'Discard task 2?');
    assert.deepEqual(fixture.commands, []);
    press(fixture, 'D');
    assert.deepEqual(fixture.commands, [{type: 'discard', what: 'r1.t2'}]);
    assert.equal(fixture.model.confirmation, undefined);
  });

  test('is left with Escape and n', () => {
    for (const key of ['escape', 'n']) {
      const fixture = stopped();
      press(fixture, 'D', key);
      assert.deepEqual([fixture.model.confirmation, fixture.commands], [undefined, []]);
      assert.equal(fixture.model.screen, 'needs');
    }
  });

  test('is not confirmed by a key that is held down', () => {
    const fixture = stopped();
    press(fixture, 'D');
    const [binding] = selectBindings(fixture.model, fixture.state);
    assert.equal(binding?.action, 'confirm');
    for (let repeat = 0; repeat < 40; repeat++) {
      fixture.now += repeat === 0 ? 500 : 33;
      const {model, commands} = update(
        fixture.model,
        {type: 'action', action: 'confirm', chord: 'D', isGuarded: true},
        fixture.state,
        fixture.now,
      );
      assert.deepEqual(commands, []);
      fixture.model = model;
    }

    press(fixture, 'D');
    assert.deepEqual(fixture.commands, [{type: 'discard', what: 'r1.t2'}]);
  });

  test('is not confirmed by keys that came together', () => {
    const fixture = stopped();
    press(fixture, 'D');
    const {commands, model} = update(
      fixture.model,
      {type: 'action', action: 'confirm', chord: 'D', isGuarded: true, isBurst: true},
      fixture.state,
      fixture.now + 5000,
    );
    assert.deepEqual(commands, []);
    assert.match(model.notice?.text ?? '', /^That looked pasted/);
  });

  test("follows the person's own key, and falls back where that key cannot confirm", () => {
    const own = stopped({keys: {'need-stopped.discard': 'f8'}});
    press(own, 'f8', 'D');
    assert.deepEqual(own.commands, []);
    press(own, 'f8');
    assert.deepEqual(own.commands, [{type: 'discard', what: 'r1.t2'}]);
    for (const key of ['enter', 'y']) {
      const fixture = stopped({keys: {'need-stopped.discard': key}});
      press(fixture, key);
      assert.notEqual(fixture.model.confirmation, undefined, key);
      press(fixture, key);
      assert.deepEqual(fixture.commands, [], key);
      press(fixture, 'Y');
      assert.deepEqual(fixture.commands, [{type: 'discard', what: 'r1.t2'}], key);
    }
  });
});

test('what is asked names the task by number and title, and says what is kept, lost, and next', () => {
  const fixture = stopped();
  press(fixture, 'D');
  assert.equal(fixture.model.confirmation?.title, 'Say when a token is refreshed');
  assert.deepEqual(
    fixture.model.confirmation.facts.map(({label}) => label),
    ['kept', 'lost', 'then'],
  );
  const accepting = done();
  const review = open(accepting.state, accepting.time);
  press(review, 'n', 'A');
  assert.equal(review.model.confirmation?.question, 'Accept into main?');
  assert.equal(review.model.confirmation.verb, 'accept it');
});

test('a folder without git is made a repository by the key that offered it', () => {
  const {state, now} = nothingYet();
  const fixture = open(state, now, undefined, undefined, {trouble: 'no-git'});
  happen(fixture, {type: 'connected'});
  press(fixture, 'I', 'y');
  assert.match(fixture.model.confirmation?.question ?? '', /a git repository\?/);
  press(fixture, 'I');
  assert.deepEqual(
    fixture.effects.filter(({type}) => type === 'prepare-repository'),
    [{type: 'prepare-repository', what: 'no-git'}],
  );
});
