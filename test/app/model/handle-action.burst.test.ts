import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {createInputReader} from '../../../source/app/input/create-input-reader.ts';
import type {Key} from '../../../source/app/input/key.ts';
import {resolveAction} from '../../../source/app/keymap/resolve.ts';
import {update} from '../../../source/app/model/update.ts';
import {createClock} from '../support/clock.ts';
import {done, type Fixture, open, planned, press} from '../screens/fixtures.ts';
import {tokenStory} from '../../reports/runs/token-story.ts';

/**
 * What a terminal sends in one piece: a paste without brackets, or keys that were typed ahead over
 * a slow line.
 */
function send(fixture: Fixture, text: string): void {
  const keys: Key[] = [];
  const {after} = createClock();
  const reader = createInputReader({
    after,
    onTokens: (tokens) => {
      for (const token of tokens) if (token.type === 'key') keys.push(token.key);
    },
  });
  reader.read(new TextEncoder().encode(text));
  reader.close();
  fixture.now += 5000;
  for (const key of keys) {
    const action = resolveAction(fixture.model, key, fixture.state);
    if (action === undefined) continue;
    const {model, commands} = update(fixture.model, action, fixture.state, fixture.now);
    fixture.model = model;
    fixture.commands.push(...commands);
  }
}

describe('keys that come in one piece', () => {
  test('approve no plan, comment on nothing, and say why; the key by itself does', () => {
    for (const text of ['AAAA\r', 'A\ry', 'yyyyA', 'Approve it\r', '\rA comment\r']) {
      const harness = planned();
      const fixture = open(harness.state, harness.time);
      press(fixture, 'p');
      send(fixture, text);
      assert.deepEqual(fixture.commands, [], text);
    }

    const harness = planned();
    const loopFixture = open(harness.state, harness.time);
    press(loopFixture, 'p');
    send(loopFixture, 'AA');
    assert.match(
      loopFixture.model.notice?.text ?? '',
      /^That looked pasted, so nothing was decided/,
    );
    send(loopFixture, 'A');
    assert.deepEqual(
      loopFixture.commands.map((one) => (one as {readonly type: string}).type),
      ['approve-plan'],
    );
  });

  test('accept, discard, grant and answer nothing', () => {
    const accepting = open(done().state, done().time);
    press(accepting, 'n');
    send(accepting, 'AyAyDy');
    assert.deepEqual([accepting.commands, accepting.model.confirmation], [[], undefined]);

    const {harness, now} = tokenStory();
    const fixture = open(harness.state, now);
    press(fixture, 'enter', 'n');
    send(fixture, 'Go on, please\r');
    assert.deepEqual([fixture.commands, fixture.model.field], [[], undefined]);
    press(fixture, 'n', 'n');
    send(fixture, '111\r');
    assert.deepEqual(fixture.commands, []);
  });

  test('still move, and are still text where text is written', () => {
    const {harness, now} = tokenStory();
    const fixture = open(harness.state, now);
    press(fixture, 'enter', 'g');
    send(fixture, 'jj');
    assert.equal(fixture.model.selected, 'r1.t2');
    press(fixture, 'o');
    send(fixture, 'An objective');
    assert.equal(fixture.model.field?.text, 'An objective');
  });
});
