import {selectRun, type State} from '../../domain/index.ts';
import type {Model, OpenField} from './model.ts';

/**
 * Whether the open field stands in the plan itself, where its words will be. Once the plan is
 * another one, that place is gone, and the field is in the last row.
 */
export function isPlanFieldInPlace(
  {field, screen, run: shown}: Pick<Model, 'field' | 'screen' | 'run'>,
  state: State,
): boolean {
  if (screen !== 'plan' || field === undefined) return false;
  const purpose = field.for;
  if (purpose.what !== 'comment-plan' && purpose.what !== 'reject') return false;
  const run = selectRun(state, purpose.run);
  return (
    purpose.run === shown &&
    run?.stage.at === 'reviewing' &&
    run.stage.proposal.hash === purpose.plan
  );
}

/**
 * The field that its screen shows where the words will be; the last row then has only its keys.
 * Other fields are written in the last row.
 */
export function selectScreenField({screen, field}: Model): OpenField | undefined {
  return screen === 'needs' && field?.for.what !== 'palette' ? field : undefined;
}
