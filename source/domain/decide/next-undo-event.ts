import type {EventBody} from '../event.ts';
import type {Run} from '../run.ts';
import {isRunRestorable, isTaskRestorable} from '../select/undo.ts';

/** What was discarded is back as soon as its worktrees are. */
export function nextUndoEvent(run: Run): EventBody | undefined {
  if (isRunRestorable(run)) return {type: 'run-restored', run: run.id};
  const task = run.tasks.find((one) => isTaskRestorable(run, one));
  return task === undefined || run.stage.at === 'discarded'
    ? undefined
    : {type: 'task-restored', task: task.id};
}
