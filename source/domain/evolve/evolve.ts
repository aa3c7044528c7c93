import type {Event, EventType} from '../event.ts';
import {isRunId, runIdIn, type RunId, type TaskId} from '../ids.ts';
import {malformationOf} from '../shapes/events.ts';
import type {State} from '../state.ts';
import {attempt} from './attempt.ts';
import {baseline} from './baseline.ts';
import {branch} from './branch.ts';
import {changeRun, type Fit, type Handlers, isMisfit} from './change.ts';
import {house} from './house.ts';
import {merge} from './merge.ts';
import {plan} from './plan.ts';
import {run} from './run.ts';
import {service} from './service.ts';
import {session} from './session.ts';
import {task} from './task.ts';

const handlers: Handlers<EventType> = {
  ...house,
  ...run,
  ...branch,
  ...plan,
  ...baseline,
  ...task,
  ...attempt,
  ...merge,
  ...session,
  ...service,
};

/**
 * What is known after an event. Total: an event that does not fit (a journal written by a program that decided
 * otherwise) is noted and parks the run it speaks of, instead of being guessed at.
 */
export function evolve(state: State, event: Event): State {
  const next = fitSafely(state, event);
  return advance(state, isMisfit(next) ? note(state, event, next) : next, event);
}

/** The state that an event led to, counted and dated. */
export function advance(before: State, after: State, {at}: Event): State {
  return {...after, seq: before.seq + 1, at};
}

/** The state after the event, or why it does not fit. What is malformed fits nowhere: neither is it decided, nor is it believed when a journal holds it. */
export function fit(state: State, event: Event): Fit<State> {
  return (
    malformationOf(event) ??
    (handlers[event.type] as (state: State, event: Event) => Fit<State>)(state, event)
  );
}

/** A journal that cannot be folded in would keep every later daemon from starting. */
function fitSafely(state: State, event: Event): Fit<State> {
  try {
    return fit(state, event);
  } catch (error) {
    return `${event.type} could not be folded in: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Every event of this version. */
export const eventTypes = Object.keys(handlers) as readonly EventType[];

/** Whether this version knows the event; a journal with one it does not know is not written to. */
export function isKnownEvent(type: string): type is EventType {
  return Object.hasOwn(handlers, type);
}

/** The first ones tell the story; a journal full of them must not take for ever to read. */
const misfitsKept = 100;

function note(state: State, event: Event, why: string): State {
  const seq = state.seq + 1;
  const misfits =
    state.misfits.length < misfitsKept
      ? [...state.misfits, {seq, type: event.type, why}]
      : state.misfits;
  const noted: State = {...state, misfits};
  const id = runSpokenOf(event);
  if (id === undefined) return noted;
  const parked = changeRun(noted, id, (spoken) => ({
    ...spoken,
    parked: {why: {kind: 'misfit', event: event.type, seq}, at: event.at},
  }));
  return isMisfit(parked) ? noted : parked;
}

function runSpokenOf(event: Event): RunId | undefined {
  const named = event as {
    readonly run?: RunId;
    readonly task?: TaskId;
    readonly owner?: RunId | TaskId;
  };
  const id = [named.run, named.task, named.owner].find((one) => typeof one === 'string');
  if (id === undefined) return undefined;
  const run = runIdIn(id);
  return isRunId(run) ? run : undefined;
}
