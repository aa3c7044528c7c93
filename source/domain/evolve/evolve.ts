import {errorText} from '../../shared/index.ts';
import type {Event, EventType} from '../event.ts';
import {isRunId, type RunId, runIdIn, type TaskId} from '../ids.ts';
import {findMalformation} from '../shapes/events.ts';
import type {State} from '../state.ts';
import {attemptHandlers} from './attempt.ts';
import {baselineHandlers} from './baseline.ts';
import {branchHandlers, mergeHandlers} from './merge.ts';
import {
  changeRun,
  type EventHandlers,
  isInvalidTransition,
  type TransitionResult,
} from './change.ts';
import {daemonHandlers} from './daemon.ts';
import {inputHandlers} from './input.ts';
import {messageHandlers} from './message.ts';
import {planHandlers} from './plan.ts';
import {plannerHandlers} from './planner.ts';
import {runHandlers} from './run.ts';
import {serviceHandlers} from './service.ts';
import {sessionHandlers} from './session.ts';
import {taskHandlers} from './task.ts';
import {turnHandlers} from './turn.ts';
import {undoHandlers} from './undo.ts';

const eventHandlers: EventHandlers<EventType> = {
  ...daemonHandlers,
  ...runHandlers,
  ...branchHandlers,
  ...planHandlers,
  ...plannerHandlers,
  ...baselineHandlers,
  ...taskHandlers,
  ...messageHandlers,
  ...undoHandlers,
  ...attemptHandlers,
  ...mergeHandlers,
  ...sessionHandlers,
  ...inputHandlers,
  ...turnHandlers,
  ...serviceHandlers,
};

/**
 * The state after an event. Never fails: an event that does not fit (a journal written by a version
 * that decided otherwise) is recorded and parks the run it names.
 */
export function evolve(state: State, event: Event): State {
  const next = applyEventSafely(state, event);
  return advance(
    state,
    isInvalidTransition(next) ? noteInvalidTransition(state, event, next) : next,
    event,
  );
}

/** Sets the event count and the time of the new state. */
export function advance(before: State, after: State, {at}: Event): State {
  return {...after, seq: before.seq + 1, at};
}

/**
 * The state after the event, or why it does not fit. A malformed event fits no state, whether it
 * was just decided or read from a journal.
 */
export function applyEvent(state: State, event: Event): TransitionResult<State> {
  return (
    findMalformation(event) ??
    (eventHandlers[event.type] as (state: State, event: Event) => TransitionResult<State>)(
      state,
      event,
    )
  );
}

/** An exception here would prevent every later daemon from starting with this journal. */
function applyEventSafely(state: State, event: Event): TransitionResult<State> {
  try {
    return applyEvent(state, event);
  } catch (error) {
    return `${event.type} could not be applied: ${errorText(error)}`;
  }
}

/** Every event type of this version. */
export const eventTypes = Object.keys(eventHandlers) as readonly EventType[];

/** Whether this version knows the event type. A journal with an unknown event is not written to. */
export function isKnownEvent(type: string): type is EventType {
  return Object.hasOwn(eventHandlers, type);
}

/**
 * The first ones are enough for a diagnosis, and a journal full of them must stay quick to read.
 */
const maxInvalidTransitions = 100;

function noteInvalidTransition(state: State, event: Event, why: string): State {
  const seq = state.seq + 1;
  const noted: State =
    state.misfits.length < maxInvalidTransitions
      ? {...state, misfits: [...state.misfits, {seq, type: event.type, why}]}
      : state;
  const id = findMentionedRun(event);
  if (id === undefined) return noted;
  const parked = changeRun(noted, id, (run) => ({
    ...run,
    parked: {why: {kind: 'misfit', event: event.type, seq}, at: event.at},
  }));
  return isInvalidTransition(parked) ? noted : parked;
}

function findMentionedRun(event: Event): RunId | undefined {
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
