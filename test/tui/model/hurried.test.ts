import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {createInputReader} from '../../../source/tui/input/create-input-reader.ts';
import type {Key} from '../../../source/tui/input/key.ts';
import {actionOf} from '../../../source/tui/model/action-of.ts';
import {update} from '../../../source/tui/model/update.ts';
import {createClock} from '../support/clock.ts';
import {done, open, planned, press, tokenStory, type Stage} from '../screens/scenes.ts';

/** What a terminal sends in one piece: a paste without brackets, or keys that were typed ahead over a slow line. */
function send(stage: Stage, text: string): void {
  const keys: Key[] = [];
  const {after} = createClock();
  const reader = createInputReader({
    after,
    heard: (tokens) => {
      for (const token of tokens) if (token.type === 'key') keys.push(token.key);
    },
  });
  reader.read(new TextEncoder().encode(text));
  reader.close();
  stage.now += 5000;
  for (const key of keys) {
    const action = actionOf(stage.model, key, stage.state);
    if (action === undefined) continue;
    const {model, wishes} = update(stage.model, action, stage.state, stage.now);
    stage.model = model;
    stage.wishes.push(...wishes);
  }
}

describe('keys that come in one piece', () => {
  test('approve no plan, comment on nothing, and say why; the key by itself does', () => {
    for (const text of ['AAAA\r', 'A\ry', 'yyyyA', 'Approve it\r', '\rA comment\r']) {
      const house = planned();
      const stage = open(house.state, house.time);
      press(stage, 'p');
      send(stage, text);
      assert.deepEqual(stage.wishes, [], text);
    }

    const house = planned();
    const stage = open(house.state, house.time);
    press(stage, 'p');
    send(stage, 'AA');
    assert.match(stage.model.notice?.words ?? '', /^Several keys came at once/);
    send(stage, 'A');
    assert.deepEqual(
      stage.wishes.map((one) => (one as {readonly type: string}).type),
      ['approve-plan'],
    );
  });

  test('accept, discard, grant and answer nothing', () => {
    const accepting = open(done().state, done().time);
    press(accepting, 'n');
    send(accepting, 'AyAyDy');
    assert.deepEqual([accepting.wishes, accepting.model.asking], [[], undefined]);

    const {house, now} = tokenStory();
    const stage = open(house.state, now);
    press(stage, 'enter', 'n');
    send(stage, 'Go on, please\r');
    assert.deepEqual([stage.wishes, stage.model.field], [[], undefined]);
    press(stage, 'n', 'n');
    send(stage, '111\r');
    assert.deepEqual(stage.wishes, []);
  });

  test('still move, and are still text where text is written', () => {
    const {house, now} = tokenStory();
    const stage = open(house.state, now);
    press(stage, 'enter', 'g');
    send(stage, 'jj');
    assert.equal(stage.model.selected, 'r1.t2');
    press(stage, 'o');
    send(stage, 'An objective');
    assert.equal(stage.model.field?.text, 'An objective');
  });
});
