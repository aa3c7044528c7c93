import {without} from '../../shared/index.ts';
import {isRunId, isTaskId} from '../ids.ts';
import type {State} from '../state.ts';
import {wantedForRun} from '../wanted/wanted.ts';
import {changeRun, changeTask, type EventHandlers} from './change.ts';
import {declareServices} from './service.ts';

type DaemonEvent =
  | 'daemon-started'
  | 'daemon-stopping'
  | 'project-read'
  | 'journal-truncated'
  | 'disk-full'
  | 'effect-begun'
  | 'trouble-met'
  | 'note-added'
  | 'intrusion-refused'
  | 'intrusion-seen'
  | 'command-noted';

export const daemonHandlers: EventHandlers<DaemonEvent> = {
  'daemon-started': (state, {journal}) => {
    const counted = countCrashes(state);
    return journal === undefined || counted.journal !== undefined ? counted : {...counted, journal};
  },

  'daemon-stopping': (state) => ({...state, begun: [], crashes: []}),

  'project-read': (state, {project}) => ({
    ...state,
    project,
    services: declareServices(state, project.services),
  }),

  'journal-truncated': (state) => state,

  'disk-full': (state) => state,

  // The list holds only effects in flight; those that have ended are dropped here.
  'effect-begun': (state, {effect}) => ({
    ...state,
    begun: [...selectStillWanted(state, state.begun).filter((other) => other !== effect), effect],
  }),

  'trouble-met': (state, {owner, why, at}) => {
    const trouble = {why, at};
    return isTaskId(owner)
      ? changeTask(state, owner, (task) => ({...without(task, 'setupSession'), trouble}))
      : changeRun(state, owner, (run) => ({...run, trouble}));
  },

  'note-added': (state, {on, text, at}) => ({...state, notes: [...state.notes, {on, text, at}]}),

  'intrusion-refused': (state, {session, intent, words, at}) => ({
    ...state,
    intrusions: [
      ...state.intrusions,
      {
        number: state.intrusions.length + 1,
        session,
        intent,
        at,
        isSeen: false,
        ...(words !== undefined && {words}),
      },
    ],
  }),

  'command-noted': (state) => state,

  'intrusion-seen': (state, {number}) => ({
    ...state,
    intrusions: state.intrusions.map((intrusion) =>
      intrusion.number === number ? {...intrusion, isSeen: true} : intrusion,
    ),
  }),
};

/**
 * The daemon started without a graceful shutdown before: every effect that had begun and is still
 * wanted crashed.
 */
function countCrashes(state: State): State {
  const crashes = selectStillWanted(state, [
    ...new Set([...state.crashes.map(({effect}) => effect), ...state.begun]),
  ]).map((effect) => ({
    effect,
    times:
      (state.crashes.find((crash) => crash.effect === effect)?.times ?? 0) +
      (state.begun.includes(effect) ? 1 : 0),
  }));
  return {...state, begun: [], crashes};
}

/**
 * Only effects of runs are recorded as begun, and their keys start with the run. This avoids
 * computing all wanted effects for each of these frequent events.
 */
function selectStillWanted(state: State, effects: readonly string[]): string[] {
  const runs = new Set(effects.map((effect) => /^r\d+/.exec(effect)?.[0] ?? '').filter(isRunId));
  const open = new Set([...runs].flatMap((run) => wantedForRun(state, run)).map(({key}) => key));
  return effects.filter((effect) => open.has(effect));
}
