import assert from 'node:assert/strict';
import {selectShownPlan, type ShownPlan} from '../../../../source/app/select/plan-screen.ts';
import type {PlanEntry} from '../../../../source/app/select/plan-entries.ts';
import type {Fixture} from '../fixtures.ts';

/** The plan on the screen. */
export function shownPlan({model, state}: Fixture): ShownPlan {
  const plan = selectShownPlan(model, state);
  assert.ok(plan !== undefined, 'expected a plan on the screen');
  return plan;
}

/** The first entry of this kind. */
export function entryOf<Kind extends PlanEntry['kind']>(
  fixture: Fixture,
  kind: Kind,
): Extract<PlanEntry, {kind: Kind}> {
  const entry = shownPlan(fixture).entries.find((one) => one.kind === kind);
  assert.ok(entry !== undefined, `expected an entry of the kind ${kind}`);
  return entry as Extract<PlanEntry, {kind: Kind}>;
}
