import assert from 'node:assert/strict';
import {test} from 'node:test';
import {PlanAlerts} from '../../../../source/app/screens/plan/PlanAlerts.tsx';
import type {ShownPlan} from '../../../../source/app/select/plan-screen.ts';
import {aSecond} from '../../components/app-fixtures.ts';
import {
  assertFits,
  assertSafe,
  hostile,
  rendersAfter,
  rowsOf,
  targetsOf,
  withKey,
} from '../../components/render.tsx';
import {atPlan} from '../plan-fixtures.ts';
import {shownPlan} from './shown.ts';

function planWith(change: {readonly why?: string; readonly notes?: readonly string[]}): ShownPlan {
  const plan = shownPlan(atPlan());
  return {
    ...plan,
    view: {
      ...plan.view,
      baseline: {...plan.view.baseline, ...(change.why !== undefined && {why: change.why})},
      notes: change.notes ?? [],
    },
  };
}

test('is nothing where nothing is special, and after the decision', () => {
  assert.equal(
    rowsOf(<PlanAlerts plan={planWith({})} />, {fixture: atPlan()})
      .join('')
      .trim(),
    '',
  );
  const over = {...planWith({why: 'it was stopped'}), isWaiting: false};
  assert.equal(
    rowsOf(<PlanAlerts plan={over} />, {fixture: atPlan()})
      .join('')
      .trim(),
    '',
  );
});

test('says that nothing is known of the base, and the key that checks it again', () => {
  const fixture = withKey(atPlan(), 'baseline-again', 'f5');
  const element = <PlanAlerts plan={planWith({why: 'it was stopped'})} />;
  assert.match(
    rowsOf(element, {fixture, columns: 90}).join('\n'),
    /^ ! Nothing is known of the base: it was stopped\. {2}F5 check it again$/,
  );
  assert.deepEqual(targetsOf(element, {fixture}), [{type: 'action', action: 'baseline-again'}]);
});

test('counts the notes about the repository', () => {
  const text = (count: number): string =>
    rowsOf(<PlanAlerts plan={planWith({notes: Array(count).fill('note') as string[]})} />, {
      fixture: atPlan(),
      columns: 96,
    }).join(' ');
  assert.match(text(1), /1 note about .*read it before you approve/);
  assert.match(text(3), /3 notes about .*read them before you approve/);
});

test('reasons are foreign', () => {
  const element = <PlanAlerts plan={planWith({why: hostile})} />;
  assertSafe(element, {fixture: atPlan(), columns: 60});
  assertFits(element, {fixture: atPlan(), rows: 40});
});

test('is not drawn again after a second', async () => {
  const element = <PlanAlerts plan={planWith({why: 'it was stopped'})} />;
  assert.equal(await rendersAfter(element, aSecond, {fixture: atPlan()}), 0);
});
