import assert from 'node:assert/strict';
import {test} from 'node:test';
import {PlanDecisionBar} from '../../../../source/app/screens/plan/PlanDecisionBar.tsx';
import {aBell, aSecond} from '../../components/app-fixtures.ts';
import {
  assertAscii,
  assertFits,
  paintRows,
  rendersAfter,
  show,
  withKey,
} from '../../components/render.tsx';
import {type Fixture, press, type} from '../fixtures.ts';
import {atPlan} from '../plan-fixtures.ts';
import {shownPlan} from './shown.ts';

const barOf = (fixture: Fixture, hasMore = false) => (
  <PlanDecisionBar plan={shownPlan(fixture)} isOnTask hasMore={hasMore} />
);
const rowsAt = (fixture: Fixture, columns = 120): readonly string[] =>
  paintRows(barOf(fixture), {fixture, columns, rows: 35});

test('has the ways on, and what follows', () => {
  const [ways = '', follows = ''] = rowsAt(atPlan());
  assert.match(
    ways,
    /^ A approve and start {5}c comment on this task {5}e edit in \$EDITOR {5}X send back/,
  );
  assert.match(follows, /2 workers start at once, each in its own worktree\. Your branch/);
});

test('a narrow window has short words and the hashes; a phone the two decisions first', () => {
  const [ways = '', hashes = ''] = rowsAt(atPlan(), 80);
  assert.match(ways, /^ A approve {4}c comment {4}e edit {4}X send back$/);
  assert.match(hashes, /^ plan 3f2a9c01d4 on /);
  assert.match(rowsAt(atPlan(), 44)[0] ?? '', /^ A approve {2}X send back/);
});

test('shows the keys that are bound, and each can be clicked', () => {
  const fixture = withKey(atPlan(), 'approve', 'f5');
  const shown = show(barOf(fixture), {fixture, columns: 96});
  assert.match(shown.text(), /^ F5 approve/);
  assert.deepEqual(shown.targets()[0], {type: 'action', action: 'approve'});
  shown.close();
});

test('counts comments, and says what the reason is for', async () => {
  const fixture = atPlan();
  press(fixture, 'j', 'c');
  type(fixture, 'Why?');
  press(fixture, 'enter');
  assert.match(rowsAt(fixture)[1] ?? '', /1 comment · X sends the plan back with it/);
  press(fixture, 'X');
  const shown = show(barOf(fixture), {fixture, columns: 96});
  await shown.write('Too large');
  assert.match(shown.text(), /: Too large/);
  assert.match(shown.text(), /plans again with it and your 1 comment/);
  shown.close();
});

test('says how much is below', () => {
  const fixture = atPlan();
  const plan = {rows: 20, content: 51, top: 0, items: 9};
  fixture.model = {...fixture.model, viewports: {...fixture.model.viewports, plan}};
  assert.match(rowsAt(fixture)[1] ?? '', / 31 lines below$/);
  assert.match(
    paintRows(barOf(fixture, true), {fixture, columns: 120})[1] ?? '',
    /over 31 lines below$/,
  );
});

test('is two rows of any width, in ASCII too', () => {
  assertFits(barOf(atPlan()), {fixture: atPlan(), widths: [44, 60, 80, 100, 120]});
  assertAscii(barOf(atPlan()), {fixture: atPlan(), columns: 80});
  assert.equal(rowsAt(atPlan(), 60)[2], '');
});

for (const [what, change] of Object.entries({aSecond, aBell}))
  test(`is not drawn again after ${what}`, async () => {
    const fixture = atPlan();
    assert.equal(await rendersAfter(barOf(fixture), change, {fixture, columns: 96}), 0);
  });
