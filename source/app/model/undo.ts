import {selectUndoable, type State} from '../../domain/index.ts';
import {noChange, type Result, withCommands, withNotice} from './action.ts';
import type {Model} from './model.ts';

/** Undoes the newest decision that can still be undone. The daemon checks it once more. */
export function undoLast(model: Model, state: State, now: number): Result {
  const undoable = selectUndoable(state, now);
  return undoable === undefined
    ? noChange(withNotice(model, 'Nothing to undo: no decision of the last ten minutes.', now))
    : withCommands(withNotice(model, `Undoing: ${undoable.text}`, now), {
        type: 'undo',
        what: undoable.task ?? undoable.run,
        kind: undoable.kind,
      });
}
