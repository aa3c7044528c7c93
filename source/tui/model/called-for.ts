import {isTaskId, needsOf, runIdIn, runOf, taskOf, type State} from '../../domain/index.ts';
import {focusedPane, isLiveSession, selectedRow} from './focus.ts';
import type {Binding} from './keymap.ts';
import type {Model} from './model.ts';
import {terminalsOf} from './terminals-of.ts';

/** Whether a key is worth room in the status line here: `yes` though it is a quiet one, `no` though it works, for it would only say why not. */
export function calledFor(model: Model, {does, in: context}: Binding, state: State): 'yes' | 'no' | 'usual' {
  if (context === 'need' && needsOf(state).length <= 1) return 'no';
  if (context !== 'workers') return 'usual';
  const pane = focusedPane(model, state);
  const task = isTaskId(model.selected) ? taskOf(state, model.selected) : undefined;
  switch (does) {
    case 'type':
      return pane !== undefined && isLiveSession(state, pane.session) ? 'usual' : 'no';
    case 'zoom':
    case 'scroll':
      return pane === undefined ? 'no' : 'usual';
    case 'hand-back':
      return task?.stage.at === 'taken-over' ? 'yes' : 'usual';
    case 'resume':
      return task?.hold !== undefined || (task !== undefined && runOf(state, runIdIn(task.id))?.hold !== undefined) || isHeldRun(model, state) ? 'yes' : 'usual';
    case 'other-terminal':
      return task !== undefined && (task.stage.at === 'merged' || task.stage.at === 'stopped') && terminalsOf(state, task.id).length > 1 ? 'yes' : 'usual';
    default:
      return 'usual';
  }
}

function isHeldRun(model: Model, state: State): boolean {
  const row = selectedRow(model, state);
  return row?.kind === 'run' && runOf(state, row.key as `r${number}`)?.hold !== undefined;
}
