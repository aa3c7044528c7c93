import assert from 'node:assert/strict';
import {test} from 'node:test';
import {PlanEntryRows} from '../../../../source/app/screens/plan/PlanEntryRows.tsx';
import {aBell, aNotice, aSecond} from '../../components/app-fixtures.ts';
import {
  assertAscii,
  assertFits,
  assertSafe,
  paintText,
  rendersAfter,
  rowsOf,
  show,
  withText,
} from '../../components/render.tsx';
import {type Fixture, press} from '../fixtures.ts';
import {atPlan} from '../plan-fixtures.ts';
import {shownPlan} from './shown.ts';

function rowsAt(fixture: Fixture, kind: string, isChosen = false) {
  const plan = shownPlan(fixture);
  const index = plan.entries.findIndex((entry) => entry.kind === kind);
  assert.notEqual(index, -1, kind);
  return (
    <PlanEntryRows
      plan={plan}
      entry={plan.entries[index]!}
      before={plan.entries[index - 1]}
      index={index}
      isChosen={isChosen}
    />
  );
}

const textOf = (kind: string): string =>
  paintText(rowsAt(atPlan(), kind), {fixture: atPlan(), columns: 110});

test('the first of a kind has its heading, the objective its facts', () => {
  assert.match(textOf('task'), /^ Tasks +1 2 → 3 → 4\n/);
  assert.match(textOf('objective'), /Stop refreshing tokens twice\n .*4 tasks.* · /);
});

test('the chosen one has its mark, and can be clicked', () => {
  const fixture = atPlan();
  const shown = show(rowsAt(fixture, 'task', true), {fixture, columns: 90});
  assert.match(shown.text(), /^▌/m);
  assert.ok(shown.targets().some((target) => target.type === 'item' && target.list === 'plan'));
  shown.close();
});

test('a comment is written below the chosen one', async () => {
  const fixture = atPlan();
  press(fixture, 'j', 'c');
  const plan = shownPlan(fixture);
  const index = fixture.model.places.plan.cursor;
  const shown = show(
    <PlanEntryRows
      plan={plan}
      entry={plan.entries[index]!}
      before={plan.entries[index - 1]}
      index={index}
      isChosen
    />,
    {fixture, columns: 90},
  );
  await shown.write('Why so');
  assert.match(shown.text(), /Why so/);
  shown.close();
});

test('a screen reader hears the order of tasks, and the task as a sentence', () => {
  const fixture = atPlan();
  const text = rowsOf(rowsAt(fixture, 'task', true), {fixture, isScreenReader: true}).join(' ');
  assert.match(text, /They start in this order: /);
  assert.match(text, /chosen: Task 1 of 4: Share the refresh in flight\./);
});

test('plans are foreign', () => {
  const fixture = withText(atPlan(), 'Share the refresh in flight');
  assertSafe(rowsAt(fixture, 'task'), {fixture, columns: 80});
  assertFits(rowsAt(fixture, 'task'), {fixture, rows: 40, widths: [60, 100]});
  assertAscii(rowsAt(atPlan(), 'task', true), {fixture: atPlan()});
});

for (const [what, change] of Object.entries({aSecond, aNotice, aBell}))
  test(`is not drawn again after ${what}`, async () => {
    const fixture = atPlan();
    assert.equal(await rendersAfter(rowsAt(fixture, 'task'), change, {fixture}), 0);
  });
