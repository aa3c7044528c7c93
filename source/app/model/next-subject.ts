import {
  type RunId,
  selectOpenRuns,
  selectRun,
  type State,
  type TaskId,
} from '../../domain/index.ts';
import {noChange, type Result, withEffects} from './action.ts';
import type {Model} from './model.ts';
import {askDaemon, openReview} from './open-screen.ts';

/** In the review: the run, then each of its tasks with an attempt. In the audit: the next run. */
export function nextSubject(model: Model, state: State): Result {
  if (model.screen === 'audit') {
    const runs = selectOpenRuns(state).map(({id}) => id);
    const run = runs[(runs.indexOf(model.run ?? 'r0') + 1) % Math.max(1, runs.length)];
    return run === undefined
      ? noChange(model)
      : withEffects({...model, run}, askDaemon('audit', {about: 'audit', run}));
  }

  const run = model.run === undefined ? undefined : selectRun(state, model.run);
  if (run === undefined) return noChange(model);
  const all: (RunId | TaskId)[] = [
    run.id,
    ...run.tasks.filter(({attempts}) => attempts.length > 0).map(({id}) => id),
  ];
  return openReview(model, all[(all.indexOf(model.subject ?? run.id) + 1) % all.length]);
}
