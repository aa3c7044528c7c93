import {type Event, type RunId, selectRun, type State} from '../../domain/index.ts';
import type {Result} from './action.ts';
import type {Model} from './model.ts';
import {openScreen} from './open-screen.ts';

/**
 * Opens a plan that has just become ready, for a person who waits for it: at the pane of its
 * planner, or on the start screen or the brief after they asked for it. Elsewhere, and while they
 * write, scroll or confirm, the screen stays as it is.
 */
export function followPlan(result: Result, event: Event, state: State): Result {
  if (event.type !== 'plan-received') return result;
  const {run} = event;
  const {model, commands, effects} = result;
  if (selectRun(state, run)?.stage.at !== 'reviewing' || !isAwaited(model, run)) return result;
  const opened = openScreen({...model, selected: run}, 'plan', state);
  return {
    model: {...opened.model, run, awaitedPlan: undefined},
    commands: [...commands, ...opened.commands],
    effects: [...effects, ...opened.effects],
  };
}

function isAwaited(model: Model, run: RunId): boolean {
  const {mode, field, confirmation, rebinding, opening, screen} = model;
  const isWriting = field !== undefined && (field.for.what !== 'objective' || field.text !== '');
  if (mode !== 'command' || isWriting || confirmation !== undefined) return false;
  if (rebinding !== undefined || opening !== undefined) return false;
  if (screen === 'workers') return model.selected === run && (model.scrolled[run] ?? 0) === 0;
  return (screen === 'start' || screen === 'brief') && model.awaitedPlan === run;
}
