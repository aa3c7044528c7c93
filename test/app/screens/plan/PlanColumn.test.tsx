import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  CheckRow,
  PlanApproves,
  PlanColumn,
  RuleRow,
} from '../../../../source/app/screens/plan/PlanColumn.tsx';
import {aBell, aSecond} from '../../components/app-fixtures.ts';
import {
  assertAscii,
  assertFits,
  assertSafe,
  hostile,
  paintRows,
  paintText,
  rendersAfter,
} from '../../components/render.tsx';
import {atPlan} from '../plan-fixtures.ts';
import {shownPlan} from './shown.ts';

const plan = shownPlan(atPlan());

test('has the checks, the rules and the hashes of what is approved', () => {
  const text = paintText(<PlanColumn plan={plan} />, {fixture: atPlan(), columns: 120, rows: 40});
  assert.match(text, /─ What proves it ─+ 2 checks ─/);
  assert.match(text, /1 test npm test/);
  assert.match(text, /after each task and each merge/);
  assert.match(text, /─ Rules ─+ the first wins ─/);
  assert.match(text, /─ What you approve ─/);
  assert.match(text, /plan {2}3f2a9c01d4\b/, 'ten characters where something is approved');
});

test('says that nothing proves it, and what was approved', () => {
  const bare = {...plan, isWaiting: false, view: {...plan.view, proof: [], rules: []}};
  const text = paintText(<PlanColumn plan={bare} />, {fixture: atPlan(), columns: 120, rows: 40});
  assert.match(text, /No checks: nothing will/);
  assert.match(text, /0 checks/);
  assert.match(text, /What you approved/);
});

test('below the plan it has the same, without frames', () => {
  const text = paintText(<PlanApproves view={plan.view} isWaiting />, {columns: 80});
  assert.match(text, /What you approve\n {2}plan {2}3f2a9c01d4/);
  assert.doesNotMatch(text, /[╭│]/);
});

test('a rule is read whole beside how it is enforced', () => {
  const rule = {number: '1.1', text: 'word '.repeat(30), directive: 'protect', isEnforced: true};
  const rows = paintRows(<RuleRow rule={rule} />, {columns: 50});
  assert.match(rows[0] ?? '', /^1\.1 word.* protect$/);
  assert.equal(rows.join(' ').match(/word/g)?.length, 30);
});

test('commands and rules are foreign', () => {
  const check = {...plan.view.proof[0]!, name: hostile, command: hostile};
  const rule = {...plan.view.rules[0]!, text: hostile};
  const foreign = {...plan, view: {...plan.view, proof: [check], rules: [rule]}};
  assertSafe(<PlanColumn plan={foreign} />, {fixture: atPlan(), columns: 90});
  assertFits(<PlanColumn plan={foreign} />, {fixture: atPlan(), rows: 90, widths: [120]});
  assertFits(<CheckRow number={1} check={check} />, {rows: 40, widths: [60, 100]});
  assertAscii(<PlanColumn plan={plan} />, {fixture: atPlan(), columns: 120, rows: 40});
});

for (const [what, change] of Object.entries({aSecond, aBell}))
  test(`is not drawn again after ${what}`, async () => {
    assert.equal(await rendersAfter(<PlanColumn plan={plan} />, change, {fixture: atPlan()}), 0);
  });
