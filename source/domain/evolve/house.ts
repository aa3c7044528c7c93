import {without} from '../../base/index.ts';
import {isRunId, isTaskId} from '../ids.ts';
import type {ServiceSpec} from '../service.ts';
import type {State} from '../state.ts';
import {wantedForRun} from '../wanted/wanted.ts';
import {changeRun, changeTask, type Handlers} from './change.ts';

type HouseEvent =
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

export const house: Handlers<HouseEvent> = {
  'daemon-started': (state, {journal}) => {
    const counted = countCrashes(state);
    return journal === undefined || counted.journal !== undefined ? counted : {...counted, journal};
  },

  'daemon-stopping': (state) => ({...state, begun: [], crashes: []}),

  'project-read': (state, {project}) => ({
    ...state,
    project,
    services: declare(state, project.services),
  }),

  'journal-truncated': (state) => state,

  'disk-full': (state) => state,

  // What has ended since is forgotten here: the list holds what is under way.
  'effect-begun': (state, {effect}) => ({
    ...state,
    begun: [...stillWanted(state, state.begun).filter((other) => other !== effect), effect],
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

/** The daemon began without having ended: whatever was begun and is still wanted crashed under it. */
function countCrashes(state: State): State {
  const crashes = stillWanted(state, [
    ...new Set([...state.crashes.map(({effect}) => effect), ...state.begun]),
  ]).map((effect) => ({
    effect,
    times:
      (state.crashes.find((crash) => crash.effect === effect)?.times ?? 0) +
      (state.begun.includes(effect) ? 1 : 0),
  }));
  return {...state, begun: [], crashes};
}

/** Only what is done for a run is ever begun, and its key begins with the run: a journal is full of these. */
function stillWanted(state: State, effects: readonly string[]): string[] {
  const runs = new Set(effects.map((effect) => /^r\d+/.exec(effect)?.[0] ?? '').filter(isRunId));
  const open = new Set([...runs].flatMap((run) => wantedForRun(state, run)).map(({key}) => key));
  return effects.filter((effect) => open.has(effect));
}

/** New declarations replace old ones of the same name; a service that is up keeps running until it is started anew. */
export function declare(state: State, specs: readonly ServiceSpec[]): State['services'] {
  const kept = state.services.map((service) => {
    const spec = specs.find(({name}) => name === service.spec.name);
    return spec === undefined ? service : {...service, spec};
  });
  const added = specs.filter(({name}) => !state.services.some(({spec}) => spec.name === name));
  return [
    ...kept,
    ...added.map((spec) => ({
      spec,
      desire: 'none' as const,
      stage: {at: 'down' as const},
      starts: [],
    })),
  ];
}

/** Parts of a run or task that a person's resume lifts. */
export function lifted<T extends {readonly hold?: unknown; readonly trouble?: unknown}>(
  halted: T,
): Omit<T, 'hold' | 'trouble'> {
  return without(halted, 'hold', 'trouble');
}
