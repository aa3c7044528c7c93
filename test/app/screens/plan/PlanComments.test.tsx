import assert from 'node:assert/strict';
import {test} from 'node:test';
import {PlanComments, PlanField} from '../../../../source/app/screens/plan/PlanComments.tsx';
import {selectPlanCursor} from '../../../../source/app/select/plan-screen.ts';
import {aBell, aSecond} from '../../components/app-fixtures.ts';
import {
  assertAscii,
  assertFits,
  assertSafe,
  evil,
  paintText,
  rendersAfter,
  replaceText,
  rowsOf,
  show,
} from '../../components/render.tsx';
import {type Fixture, press, type} from '../fixtures.ts';
import {atPlan} from '../plan-fixtures.ts';
import {shownPlan} from './shown.ts';

function commented(text = 'Why so?'): Fixture {
  const fixture = atPlan();
  press(fixture, 'j', 'c');
  type(fixture, 'Why so?');
  press(fixture, 'enter');
  fixture.model = {
    ...fixture.model,
    planComments: replaceText(fixture.model.planComments, 'Why so?', text),
  };
  return fixture;
}

function commentsOf(fixture: Fixture) {
  const plan = shownPlan(fixture);
  const entry = plan.entries[selectPlanCursor(fixture.model, plan)]!;
  return <PlanComments plan={plan} entry={entry} />;
}

test('a comment stands in a frame below its entry', () => {
  const fixture = commented();
  assert.match(
    paintText(commentsOf(fixture), {fixture, columns: 80}),
    /╭─ you ─+╮\n.*│ Why so\? +│\n.*╰─+╯/,
  );
});

test('other entries have none', () => {
  const fixture = commented();
  const plan = shownPlan(fixture);
  const element = <PlanComments plan={plan} entry={plan.entries.at(-1)!} />;
  assert.equal(rowsOf(element, {fixture}).join('').trim(), '');
});

test('is written where it will stand; what is edited is not shown twice', async () => {
  const fixture = atPlan();
  press(fixture, 'j', 'c');
  const plan = shownPlan(fixture);
  const entry = plan.entries[selectPlanCursor(fixture.model, plan)]!;
  const shown = show(<PlanField entry={entry} />, {fixture, columns: 80});
  await shown.write('Why');
  assert.match(shown.text(), /│ Why/);
  assert.ok(shown.regions().some((region) => region.kind === 'item' && region.isCursor));
  shown.close();
  const edited = commented();
  press(edited, 'c');
  assert.equal(rowsOf(commentsOf(edited), {fixture: edited}).join('').trim(), '');
});

test('is nothing while nothing is written', () => {
  const fixture = atPlan();
  const [entry] = shownPlan(fixture).entries;
  assert.equal(
    rowsOf(<PlanField entry={entry!} />, {fixture})
      .join('')
      .trim(),
    '',
  );
});

test('comments are foreign after a restart', () => {
  const fixture = commented(`Foreign${evil}${'W'.repeat(200)}`);
  assertSafe(commentsOf(fixture), {fixture, columns: 70});
  assertFits(commentsOf(fixture), {fixture});
  assertAscii(commentsOf(commented()), {fixture: commented()});
});

for (const [what, change] of Object.entries({aSecond, aBell}))
  test(`is not drawn again after ${what}`, async () => {
    const fixture = commented();
    assert.equal(await rendersAfter(commentsOf(fixture), change, {fixture}), 0);
  });
