import {isTaskId} from '../ids.ts';
import {findUndoProblem} from '../select/undo.ts';
import {type CommandHandlers, refuse} from './answer.ts';

export const undoCommandHandlers: CommandHandlers<'undo'> = {
  /** `kind` is what the person saw: a later decision about the same thing is not undone instead. */
  undo: (state, {what, kind, at}) => {
    const problem = findUndoProblem(state, what, kind, at);
    if (problem !== undefined) return refuse(`${what} cannot be undone: ${problem}`);
    if (kind === 'stop')
      return isTaskId(what) ? {type: 'task-resumed', task: what} : {type: 'run-resumed', run: what};
    if (kind === 'reject' && !isTaskId(what)) return {type: 'rejection-withdrawn', run: what};
    return {type: 'undo-asked', what};
  },
};
