import type {Observation} from '../command.ts';
import {attemptOf, taskOf} from '../select/find.ts';
import {type State, usualPauses} from '../state.ts';
import type {Answer} from './answer.ts';

type Pause = Extract<Observation, {readonly type: 'attempt-paused'}>;

/**
 * The agent's service asks to wait. What it says is an agent's word: it may name a moment that is past, or one that never comes. So each
 * pause is at least twice as long as the one before, and all of them together are no longer than the project allows; then a person is asked.
 */
export function pauseAttempt(
  state: State,
  {task: id, attempt: number, until, words}: Pause,
  at: number,
): Answer {
  const task = taskOf(state, id);
  const attempt = task === undefined ? undefined : attemptOf(task);
  const {times, total} = attempt?.paused ?? {times: 0, total: 0};
  const {pauseSeconds, pauseMinutes} = {...usualPauses, ...state.project.limits};
  const least = pauseSeconds * 1000 * 2 ** times;
  // Also when there is no telling what is asked for.
  const pause = until - at > least ? until - at : least;
  if (total + pause <= pauseMinutes * 60_000)
    return {type: 'attempt-paused', task: id, attempt: number, until: at + pause, words};
  const pauses = {times, total, next: Math.min(pause, Number.MAX_SAFE_INTEGER)};
  return {type: 'trouble-met', owner: id, why: {kind: 'agent-unavailable', words, pauses}};
}
