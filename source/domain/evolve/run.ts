import {withEntry, without} from '../../base/index.ts';
import {countOf, isTaskId, runIdIn, type RunId} from '../ids.ts';
import type {EventOf} from '../event.ts';
import type {AcceptOptions, PlanRound, Run} from '../run.ts';
import {attemptOf} from '../select/find.ts';
import type {State} from '../state.ts';
import type {Task} from '../task.ts';
import {withoutBaselineSession} from './baseline.ts';
import {cameTooLate, changeRun, type Handlers, withAttempt} from './change.ts';
import {lifted} from './house.ts';
import {changeWorktree, laidOut, setUp} from './worktree.ts';
import {settleAttempts} from './settle-attempts.ts';

type RunEvent =
  | 'run-created'
  | 'queue-moved'
  | 'run-opened'
  | 'run-surveyed'
  | 'rules-changed'
  | 'base-moved'
  | 'run-held'
  | 'run-resumed'
  | 'run-parked'
  | 'budget-exhausted'
  | 'budget-extended'
  | 'environment-refreshed'
  | 'accept-asked'
  | 'accept-refused'
  | 'run-accepted'
  | 'run-discarded'
  | 'summary-written'
  | 'worktree-made'
  | 'worktree-renewed'
  | 'worktree-set-up'
  | 'worktree-tidied'
  | 'worktree-removed'
  | 'worktree-vanished';

export const run: Handlers<RunEvent> = {
  'run-created': (state, {run: id, request, budget, environment, at}) => {
    if (countOf(id) !== state.runs.size + 1) return `${id} is not the next run`;
    const created: Run = {
      id,
      request,
      budget,
      createdAt: at,
      stage: {at: 'queued'},
      rounds: [],
      tasks: [],
      worktrees: [],
      sessions: [],
      summarised: 0,
      ...(environment === undefined ? {} : {environment: {...environment, at}}),
    };
    return {
      ...state,
      runs: withEntry(state.runs, countOf(id), created),
      queue: [...state.queue, id],
    };
  },

  'queue-moved': (state, {run: id, position}) => {
    if (!state.queue.includes(id)) return `${id} is not in the queue`;
    return {
      ...state,
      queue: state.queue.filter((other) => other !== id).toSpliced(position - 1, 0, id),
    };
  },

  'run-opened': (state, event) =>
    changeRun({...state, queue: unqueued(state, event.run)}, event.run, (opened) =>
      opened.stage.at === 'queued'
        ? {...opened, stage: {at: 'surveying'}}
        : cameTooLate(event, opened.stage.at),
    ),

  'run-surveyed': (state, event) =>
    changeRun(state, event.run, (surveyed) =>
      surveyed.stage.at === 'surveying'
        ? {...surveyed, stage: {at: 'planning', ground: event.ground}, head: event.ground.base}
        : cameTooLate(event, surveyed.stage.at),
    ),

  'rules-changed': (state, event) =>
    changeRun(state, event.run, (changed) => {
      const {stage} = changed;
      if (!('ground' in stage) || stage.at === 'accepting') return cameTooLate(event, stage.at);
      return {...changed, stage: {...stage, ground: {...stage.ground, rules: event.rules}}};
    }),

  'base-moved': (state, event) =>
    changeRun(state, event.run, (moved) => {
      const {stage} = moved;
      if (stage.at !== 'reviewing' || moved.tasks.length > 0) return cameTooLate(event, stage.at);
      return {
        ...withoutBaselineSession(moved),
        head: event.base,
        stage: {...stage, ground: {...stage.ground, base: event.base}, since: event.at},
      };
    }),

  'run-held': (state, {run: id, reason, at}) =>
    changeRun(state, id, (held) => ({
      ...held,
      hold: {at, ...(reason === undefined ? {} : {reason})},
    })),

  'run-resumed': (state, {run: id}) =>
    changeRun(forgetCrashes(state, id), id, (resumed) => {
      const since = haltedSince(resumed);
      return {
        ...withoutBaselineSession(without(lifted(resumed), 'parked')),
        rounds: resumed.rounds.map(unready),
        tasks: resumed.tasks.map((task) => settleAttempts(state, task, since)),
      };
    }),

  'run-parked': (state, {run: id, why, at}) =>
    changeRun(state, id, (parked) => ({...parked, parked: {why, at}})),

  'budget-exhausted': (state, {run: id, budget, used, limit, at}) =>
    changeRun(state, id, (exhausted) => ({...exhausted, exhausted: {budget, used, limit, at}})),

  'environment-refreshed': (state, event) =>
    changeRun(state, event.run, (renewed) =>
      renewed.stage.at === 'accepted' || renewed.stage.at === 'discarded'
        ? cameTooLate(event, renewed.stage.at)
        : {...renewed, environment: {...event.environment, at: event.at}},
    ),

  'budget-extended': (state, {run: id, tokens, wallClock}) =>
    changeRun(state, id, (extended) => {
      const since = haltedSince(extended);
      const budget = {
        ...extended.budget,
        ...(tokens === undefined ? {} : {tokens}),
        ...(wallClock === undefined ? {} : {wallClock}),
      };
      return {
        ...withoutBaselineSession(without(extended, 'exhausted')),
        budget,
        tasks: extended.tasks.map((task) => settleAttempts(state, task, since)),
      };
    }),

  'accept-asked': (state, event) =>
    changeRun(state, event.run, (asked) =>
      asked.stage.at === 'working'
        ? {
            ...asked,
            stage: {
              ...without(asked.stage, 'refusal'),
              at: 'accepting',
              commit: event.commit,
              ...acceptOptionsOf(event),
            },
          }
        : cameTooLate(event, asked.stage.at),
    ),

  'accept-refused': (state, event) =>
    changeRun(state, event.run, (refused) =>
      refused.stage.at === 'accepting'
        ? {
            ...refused,
            stage: {
              ...without(refused.stage, 'commit', 'way', 'into', 'signed'),
              at: 'working',
              refusal: {why: event.why, at: event.at},
            },
          }
        : cameTooLate(event, refused.stage.at),
    ),

  'run-accepted': (state, event) =>
    changeRun(state, event.run, (accepted) =>
      accepted.stage.at === 'accepting'
        ? {...accepted, stage: acceptedAs(event)}
        : cameTooLate(event, accepted.stage.at),
    ),

  'run-discarded': (state, {run: id, at}) =>
    changeRun({...state, queue: unqueued(state, id)}, id, (discarded) => ({
      ...without(lifted(discarded), 'exhausted', 'parked', 'moved'),
      stage: {at: 'discarded'},
      tasks: discarded.tasks.map((task) =>
        task.stage.at === 'merged' || task.stage.at === 'discarded' ? task : discard(task, at),
      ),
    })),

  'summary-written': (state, {run: id, task, endings}) =>
    changeRun(state, id, (summarised) =>
      task === undefined
        ? {...summarised, summarised: endings}
        : {
            ...summarised,
            tasks: summarised.tasks.map((other) =>
              other.id === task ? {...other, summarised: endings} : other,
            ),
          },
    ),

  'worktree-made': (state, event) =>
    changeRun(state, runIdIn(event.owner), (made) => {
      if (made.worktrees.some(({owner}) => owner === event.owner))
        return `${event.owner} has a worktree already`;
      const {owner, path, branch, commit, tree, reads} = event;
      return {
        ...made,
        worktrees: [
          ...made.worktrees,
          {
            owner,
            path,
            branch,
            commit,
            tree,
            ...(reads === undefined ? {} : {reads}),
            isTidied: false,
          },
        ],
      };
    }),

  'worktree-renewed': (state, {owner, commit, tree, reads}) =>
    changeRun(state, runIdIn(owner), (renewed) =>
      changeWorktree(renewed, owner, (worktree) => ({...laidOut(worktree, reads), commit, tree})),
    ),

  'worktree-set-up': (state, {owner}) =>
    changeRun(state, runIdIn(owner), (prepared) => {
      const free =
        prepared.stage.at === 'planning'
          ? {...prepared, rounds: prepared.rounds.map(unready)}
          : withoutBaselineSession(prepared);
      return setUp(state, free, owner);
    }),

  'worktree-tidied': (state, {owner}) =>
    changeRun(state, runIdIn(owner), (tidied) =>
      changeWorktree(tidied, owner, (worktree) => ({...worktree, isTidied: true})),
    ),

  'worktree-removed': (state, {owner}) =>
    changeRun(state, runIdIn(owner), (removed) => withoutWorktree(removed, owner)),

  'worktree-vanished': (state, {owner, at}) =>
    changeRun(state, runIdIn(owner), (vanished) => {
      const poorer = withoutWorktree(vanished, owner);
      if (!isTaskId(owner))
        return owner.endsWith('.merge') ? withoutBaselineSession(poorer) : poorer;
      return {
        ...poorer,
        tasks: poorer.tasks.map((task) => (task.id === owner ? stranded(task, at) : task)),
      };
    }),
};

/** Whoever was at work in it, or set it up, is begun anew. */
function unready(round: PlanRound): PlanRound {
  return round.step.at === 'thinking' || round.step.at === 'preparing'
    ? {...round, step: {at: 'preparing'}}
    : round;
}

function acceptOptionsOf({way, into, signed}: AcceptOptions): AcceptOptions {
  return {
    ...(way === undefined ? {} : {way}),
    ...(into === undefined ? {} : {into}),
    ...(signed === undefined ? {} : {signed}),
  };
}

function acceptedAs({commit, way, into, signed, already}: EventOf<'run-accepted'>): Run['stage'] {
  return {
    at: 'accepted',
    commit,
    ...acceptOptionsOf({
      ...(way === undefined ? {} : {way}),
      ...(into === undefined ? {} : {into}),
    }),
    ...(signed === true ? {isSigned: true} : {}),
    ...(already === true ? {isAlreadyThere: true} : {}),
  };
}

function unqueued(state: State, id: RunId): readonly RunId[] {
  return state.queue.filter((other) => other !== id);
}

function withoutWorktree(run: Run, owner: string): Run {
  return {...run, worktrees: run.worktrees.filter((worktree) => worktree.owner !== owner)};
}

/** Somebody removed the worktree under a task. A task at work waits for a person's word before it gets a new one. */
function stranded(task: Task, at: number): Task {
  const attempt = attemptOf(task);
  const bare: Task = {...task, isSetUp: false};
  if (
    task.stage.at !== 'preparing' &&
    task.stage.at !== 'attempting' &&
    task.stage.at !== 'taken-over'
  )
    return bare;
  const trouble = {why: {kind: 'worktree-gone' as const}, at};
  if (task.stage.at !== 'attempting' || attempt === undefined)
    return {
      ...bare,
      trouble,
      stage: task.stage.at === 'taken-over' ? {at: 'taken-over'} : unprepared,
    };
  return withAttempt({...bare, trouble, stage: unprepared}, {...attempt, step: {at: 'ready'}});
}

const unprepared = {at: 'preparing' as const, setups: 0};

function discard(task: Task, at: number): Task {
  return {
    ...lifted(abandon(task)),
    stage: {at: 'discarded', why: {kind: 'person'}, since: at},
    endings: task.endings + 1,
  };
}

/** Ends the attempt under way, neither red nor green. */
export function abandon(task: Task): Task {
  const attempt = attemptOf(task);
  if (attempt === undefined || attempt.step.at === 'passed' || attempt.step.at === 'failed')
    return without(task, 'setupSession');
  return withAttempt(without(task, 'setupSession'), {...attempt, step: {at: 'abandoned'}});
}

/** When the run, or what is about to go on in it, first came to a halt. */
function haltedSince(run: Run): number {
  const moments = [run.hold?.at, run.trouble?.at, run.exhausted?.at, run.parked?.at].filter(
    (moment) => moment !== undefined,
  );
  return Math.min(...moments);
}

function forgetCrashes(state: State, id: RunId): State {
  return {
    ...state,
    crashes: state.crashes.filter(
      ({effect}) => !effect.startsWith(`${id}/`) && !effect.startsWith(`${id}.`),
    ),
  };
}
