import {without} from '../../base/index.ts';
import type {SessionId} from '../ids.ts';
import {attemptOf, sessionOf} from '../select/find.ts';
import type {State} from '../state.ts';
import type {Task} from '../task.ts';
import {withAttempt} from './change.ts';

/**
 * A task goes on after a halt that began at `since`. A process that had ended by itself before the halt keeps its
 * result; one that the halt ended, or that is still being ended, is forgotten and a new one takes its place under
 * the same attempt number.
 */
export function settleAttempts(state: State, halted: Task, since: number): Task {
  const isUsable = (id: SessionId): boolean => {
    const life = sessionOf(state, id)?.life;
    return life?.at === 'exited' && life.when < since;
  };

  const task =
    halted.setupSession === undefined || isUsable(halted.setupSession)
      ? halted
      : without(halted, 'setupSession');
  const {stage} = task;
  if (stage.at === 'preparing') return {...task, stage: {at: 'preparing', setups: 0}};
  if (
    stage.at === 'merging' &&
    stage.step.at === 'checking' &&
    stage.step.session !== undefined &&
    !isUsable(stage.step.session)
  ) {
    return {...task, stage: {...stage, step: without(stage.step, 'session')}};
  }

  const attempt = attemptOf(task);
  if (stage.at !== 'attempting' || attempt === undefined) return task;
  const {step} = attempt;
  if (step.at === 'working' && !isUsable(step.session))
    return withAttempt(task, {...attempt, step: {at: 'ready'}});
  if (step.at === 'checking' && step.session !== undefined && !isUsable(step.session)) {
    return withAttempt(task, {...attempt, step: without(step, 'session')});
  }

  return task;
}
