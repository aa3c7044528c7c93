import type {Plan} from '../../../source/domain/index.ts';
import type {Size} from '../../../source/app/render/frame.ts';
import type {Harness} from '../../domain/support/harness.ts';
import {type Drawn, drawCells, type DrawOptions} from './draw.tsx';
import {type Fixture, open, planned, plannedAgain, press, richPlan} from './fixtures.ts';

export const sizes: readonly Size[] = [
  {columns: 60, rows: 15},
  {columns: 80, rows: 24},
  {columns: 120, rows: 35},
  {columns: 160, rows: 45},
  {columns: 220, rows: 60},
];

export function atPlan(
  size: Size = {columns: 120, rows: 40},
  harness: Harness = planned(),
): Fixture {
  const fixture = open(harness.state, harness.time + 60_000, size);
  press(fixture, 'enter', 'p');
  return fixture;
}

export function atPlanOf(plan: Partial<Plan>, size?: Size): Fixture {
  const harness = planned();
  plannedAgain(harness, {...richPlan, ...plan});
  return atPlan(size, harness);
}

export function drawn({model, state, now}: Fixture, options?: DrawOptions): Drawn {
  return drawCells(model, state, now, options);
}

export function text(fixture: Fixture, options?: DrawOptions): string {
  return drawn(fixture, options).rows.join('\n');
}
