import assert from 'node:assert/strict';
import {test} from 'node:test';
import {PlanNeed} from '../../../../source/app/components/needs/PlanNeed.tsx';
import {selectNeeds} from '../../../../source/domain/index.ts';
import {plannedTask} from '../../../domain/support/samples.ts';
import {atPlan, atPlanOf} from '../../screens/plan-fixtures.ts';
import {aBell, aNotice, aSecond} from '../app-fixtures.ts';
import {
  assertAscii,
  assertFits,
  assertSafe,
  paintText,
  rendersAfter,
  rowsOf,
  withText,
} from '../render.tsx';

const fixture = () => atPlan();
const need = selectNeeds(fixture().state).find((one) => one.kind === 'plan')!;
const element = <PlanNeed need={need} />;

test('has facts, tasks in their order, reasons, checks and rules', () => {
  const text = paintText(element, {fixture: fixture(), columns: 100, rows: 60});
  assert.match(text, /4 tasks in 3 waves · \d+ files, none twice · \d checks?, \d+ rules?/);
  assert.match(text, /Tasks +1 2 → 3 → 4/);
  assert.match(text, / 1 {2}Share the refresh in flight/);
  assert.match(text, /Count refreshes .*● web {2}after 1/);
  assert.match(text, /problem {2}When two requests fail/);
  assert.match(text, /rejected {2}A mutex around every request: It would serialise/);
  assert.match(text, /checks {2}test npm test {3}build npm run build\n +rules {2}2 enforced/);
});

test('nothing of what is approved is cut', () => {
  const title = 'word '.repeat(60).trim();
  const one = atPlanOf({tasks: [plannedTask('t1', {title, files: ['src/a.ts']})]});
  const [own] = selectNeeds(one.state);
  assert.ok(own?.kind === 'plan');
  const text = paintText(<PlanNeed need={own} />, {fixture: one, columns: 60, rows: 80});
  assert.equal(text.match(/\bword\b/g)?.length, 60);
});

test('a run that is gone has its sentence', () => {
  const gone = <PlanNeed need={{...need, run: 'r9'}} />;
  assert.match(rowsOf(gone, {fixture: fixture(), columns: 80}).join(' '), /\S/);
});

test('plans are foreign', () => {
  const hostilePlan = withText(fixture(), 'Share the refresh in flight');
  assertSafe(element, {fixture: hostilePlan, columns: 80});
  assertFits(element, {fixture: hostilePlan, rows: 120});
  assertAscii(element, {fixture: fixture(), rows: 60});
});

for (const [what, change] of Object.entries({aSecond, aNotice, aBell}))
  test(`is not drawn again after ${what}`, async () => {
    assert.equal(await rendersAfter(element, change, {fixture: fixture(), columns: 90}), 0);
  });
