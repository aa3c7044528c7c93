import assert from 'node:assert/strict';
import {test} from 'node:test';
import {ReviewDecision} from '../../../../source/app/components/review/ReviewDecision.tsx';
import {press, type} from '../../screens/fixtures.ts';
import {reviewed} from '../../screens/review-fixture.ts';
import {aBell, aNotice, aSecond, atStart} from '../app-fixtures.ts';
import {
  assertAscii,
  assertFits,
  paintText,
  rendersAfter,
  rowsOf,
  targetsOf,
  withKey,
} from '../render.tsx';

const textOf = (fixture = reviewed(), columns = 100): string =>
  paintText(<ReviewDecision />, {fixture, columns});

test('has the ways on, and what follows', () => {
  assert.match(
    textOf(),
    /^ A accept into main {5}P pull request {5}D discard\n main moves to merge-r, one merge per task\.$/,
  );
  assert.deepEqual(targetsOf(<ReviewDecision />, {fixture: reviewed(), columns: 90})[0], {
    type: 'action',
    action: 'accept',
  });
});

test('shows the keys that are bound', () => {
  assert.match(textOf(withKey(reviewed(), 'accept', 'f5')), /F5 accept into main/);
});

test('comments can be sent once there are some', () => {
  const fixture = reviewed();
  press(fixture, 'c');
  type(fixture, 'Why?');
  press(fixture, 'enter');
  assert.match(textOf(fixture), /S send 1 comment back/);
});

test('says how it will be accepted, and what the project wants', () => {
  const fixture = reviewed();
  const {project} = fixture.state;
  fixture.state = {...fixture.state, project: {...project, accept: 'squash'}};
  assert.match(textOf(fixture), /as one commit\./);
  fixture.state = {...fixture.state, project: {...project, sign: 'accept'}};
  assert.match(textOf(fixture), /wants your signature: orchestra accept r1 --commit/);
});

test('a small window has only the keys; without a run there is nothing', () => {
  assert.doesNotMatch(textOf(reviewed({columns: 60, rows: 15}), 60), /moves to/);
  assert.equal(
    rowsOf(<ReviewDecision />, {fixture: atStart()})
      .join('')
      .trim(),
    '',
  );
  assertFits(<ReviewDecision />, {fixture: reviewed(), widths: [60, 100]});
  assertAscii(<ReviewDecision />, {fixture: reviewed()});
});

for (const [what, change] of Object.entries({aSecond, aNotice, aBell}))
  test(`is not drawn again after ${what}`, async () => {
    assert.equal(await rendersAfter(<ReviewDecision />, change, {fixture: reviewed()}), 0);
  });
