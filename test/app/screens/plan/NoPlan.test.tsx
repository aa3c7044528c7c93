import assert from 'node:assert/strict';
import {test} from 'node:test';
import {NoPlan} from '../../../../source/app/screens/plan/NoPlan.tsx';
import {aBell, aSecond, atNeed, atStart} from '../../components/app-fixtures.ts';
import {
  assertAscii,
  assertFits,
  assertSafe,
  hostile,
  rendersAfter,
  replaceText,
  rowsOf,
  targetsOf,
  withKey,
} from '../../components/render.tsx';
import {type Fixture, open, planning} from '../fixtures.ts';

function ofRun(fixture: Fixture): Fixture {
  fixture.model = {...fixture.model, run: 'r1'};
  return fixture;
}

test('without a run: the key that says what should be different', () => {
  const fixture = withKey(atStart(), 'new-objective', 'f2');
  assert.match(
    rowsOf(<NoPlan />, {fixture, columns: 80}).join('\n'),
    /No plan yet\. {2}F2 says what should be different/,
  );
  assert.deepEqual(targetsOf(<NoPlan />, {fixture}), [{type: 'action', action: 'new-objective'}]);
});

test('while it is planned, and after it failed: the objective and what is known', () => {
  const harness = planning();
  const busy = ofRun(open(harness.state, harness.time));
  assert.match(
    rowsOf(<NoPlan />, {fixture: busy, columns: 90}).join('\n'),
    /\S\n {2}The planner reads the repository/,
  );
  const failed = ofRun(atNeed('planless'));
  assert.match(
    rowsOf(<NoPlan />, {fixture: failed, columns: 90}).join('\n'),
    /Planning failed\. .*shows why/,
  );
});

test('the objective is foreign', () => {
  const fixture = ofRun(atNeed('planless'));
  const foreign = {
    ...fixture,
    state: replaceText(fixture.state, 'Stop refreshing tokens twice', hostile),
  };
  assertSafe(<NoPlan />, {fixture: foreign, columns: 70});
  assertFits(<NoPlan />, {fixture: foreign});
  assertAscii(<NoPlan />, {fixture});
});

for (const [what, change] of Object.entries({aSecond, aBell}))
  test(`is not drawn again after ${what}`, async () => {
    assert.equal(await rendersAfter(<NoPlan />, change, {fixture: atStart()}), 0);
  });
