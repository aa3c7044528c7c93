import type {Effect} from '../effect.ts';
import type {RunId} from '../ids.ts';
import {openRunsOf, runOf, runsOf} from '../select/find.ts';
import type {State} from '../state.ts';
import {wantedOfRun} from './wanted-of-run.ts';
import {wantedOfService} from './wanted-of-service.ts';
import {wantedOfSessions} from './wanted-of-sessions.ts';
import {leftOverOfRun} from './left-over-of-run.ts';

/**
 * The effects that should be in flight now. Nothing else runs: what is wanted and missing is started, what is in
 * flight and not wanted is stopped. A restart asks the same question and needs no memory of its own.
 */
export function wanted(state: State): Effect[] {
  return [
    ...wantedOfSessions(state),
    ...openRunsOf(state).flatMap((run) => wantedOfRun(state, run)),
    ...runsOf(state).flatMap((run) => leftOverOfRun(state, run)),
    ...state.services.flatMap((service) => wantedOfService(state, service)),
  ];
}

/** The part of it that is done for one run; the others need not be looked at, of which there may be a thousand. */
export function wantedForRun(state: State, id: RunId): Effect[] {
  const run = runOf(state, id);
  return run === undefined ? [] : [...wantedOfRun(state, run), ...leftOverOfRun(state, run)];
}
