import {withLedgerEntry, without} from '../../shared/index.ts';
import {isTaskId, type RunId, runIdIn, toIdNumber} from '../ids.ts';
import type {EventOf} from '../event.ts';
import type {AcceptOptions, PlanRound, Run} from '../run.ts';
import {selectAttempt} from '../select/find.ts';
import type {State} from '../state.ts';
import type {Task} from '../task.ts';
import {withoutBaselineSession} from './baseline.ts';
import {rememberRemoved, toAcceptUndo, toRunBefore, withReturned} from './undo-memory.ts';
import {
  changeRun,
  changeWorktree,
  type EventHandlers,
  formatOutOfOrder,
  markSetUp,
  settleAttempts,
  withAttempt,
  withoutHalt,
  withReads,
} from './change.ts';

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

export const runHandlers: EventHandlers<RunEvent> = {
  'run-created': (state, {run: id, request, budget, environment, client, at}) => {
    if (toIdNumber(id) !== state.runs.size + 1) return `${id} is not the next run`;
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
      ...(client === undefined ? {} : {openedBy: client}),
    };
    return {
      ...state,
      runs: withLedgerEntry(state.runs, toIdNumber(id), created),
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
    changeRun({...state, queue: withoutQueued(state, event.run)}, event.run, (opened) =>
      opened.stage.at === 'queued'
        ? {...opened, stage: {at: 'surveying'}}
        : formatOutOfOrder(event, opened.stage.at),
    ),

  'run-surveyed': (state, event) =>
    changeRun(state, event.run, (surveyed) =>
      surveyed.stage.at === 'surveying'
        ? {...surveyed, stage: {at: 'planning', ground: event.ground}, head: event.ground.base}
        : formatOutOfOrder(event, surveyed.stage.at),
    ),

  'rules-changed': (state, event) =>
    changeRun(state, event.run, (changed) => {
      const {stage} = changed;
      if (!('ground' in stage) || stage.at === 'accepting')
        return formatOutOfOrder(event, stage.at);
      return {...changed, stage: {...stage, ground: {...stage.ground, rules: event.rules}}};
    }),

  'base-moved': (state, event) =>
    changeRun(state, event.run, (moved) => {
      const {stage} = moved;
      if (stage.at !== 'reviewing' || moved.tasks.length > 0)
        return formatOutOfOrder(event, stage.at);
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
        ...withoutBaselineSession(without(withoutHalt(resumed), 'parked')),
        rounds: resumed.rounds.map(restartRound),
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
        ? formatOutOfOrder(event, renewed.stage.at)
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
              ...pickAcceptOptions(event),
            },
          }
        : formatOutOfOrder(event, asked.stage.at),
    ),

  'accept-refused': (state, event) =>
    changeRun(state, event.run, (rejected) =>
      rejected.stage.at === 'accepting'
        ? {
            ...rejected,
            stage: {
              ...without(rejected.stage, 'commit', 'way', 'into', 'signed'),
              at: 'working',
              refusal: {why: event.why, at: event.at},
            },
          }
        : formatOutOfOrder(event, rejected.stage.at),
    ),

  'run-accepted': (state, event) =>
    changeRun(state, event.run, (accepted) =>
      accepted.stage.at === 'accepting'
        ? {...accepted, ...toAcceptUndo(accepted.stage, event), stage: toAcceptedStage(event)}
        : formatOutOfOrder(event, accepted.stage.at),
    ),

  'run-discarded': (state, {run: id, at}) =>
    changeRun({...state, queue: withoutQueued(state, id)}, id, (discarded) => ({
      ...without(withoutHalt(discarded), 'exhausted', 'parked', 'moved'),
      undoable: {kind: 'discard', at, before: toRunBefore(discarded)},
      stage: {at: 'discarded'},
      tasks: discarded.tasks.map((task) =>
        task.stage.at === 'merged' || task.stage.at === 'discarded' ? task : discardTask(task, at),
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
        ...withReturned(made, owner),
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
      changeWorktree(renewed, owner, (worktree) => ({...withReads(worktree, reads), commit, tree})),
    ),

  'worktree-set-up': (state, {owner}) =>
    changeRun(state, runIdIn(owner), (prepared) => {
      const free =
        prepared.stage.at === 'planning'
          ? {...prepared, rounds: prepared.rounds.map(restartRound)}
          : withoutBaselineSession(prepared);
      return markSetUp(state, free, owner);
    }),

  'worktree-tidied': (state, {owner}) =>
    changeRun(state, runIdIn(owner), (tidied) =>
      changeWorktree(tidied, owner, (worktree) => ({...worktree, isTidied: true})),
    ),

  'worktree-removed': (state, event) =>
    changeRun(state, runIdIn(event.owner), (removed) =>
      withoutWorktree(rememberRemoved(removed, event), event.owner),
    ),

  'worktree-vanished': (state, {owner, at}) =>
    changeRun(state, runIdIn(owner), (vanished) => {
      const poorer = withoutWorktree(vanished, owner);
      if (!isTaskId(owner))
        return owner.endsWith('.merge') ? withoutBaselineSession(poorer) : poorer;
      return {
        ...poorer,
        tasks: poorer.tasks.map((task) => (task.id === owner ? strandTask(task, at) : task)),
      };
    }),
};

/** Forgets the round's session; a new one starts. */
function restartRound(round: PlanRound): PlanRound {
  return round.step.at === 'thinking' || round.step.at === 'preparing'
    ? {...round, step: {at: 'preparing'}}
    : round;
}

function pickAcceptOptions({way, into, signed}: AcceptOptions): AcceptOptions {
  return {
    ...(way === undefined ? {} : {way}),
    ...(into === undefined ? {} : {into}),
    ...(signed === undefined ? {} : {signed}),
  };
}

function toAcceptedStage({
  commit,
  way,
  into,
  signed,
  already,
}: EventOf<'run-accepted'>): Run['stage'] {
  return {
    at: 'accepted',
    commit,
    ...pickAcceptOptions({
      ...(way === undefined ? {} : {way}),
      ...(into === undefined ? {} : {into}),
    }),
    ...(signed === true ? {isSigned: true} : {}),
    ...(already === true ? {isAlreadyThere: true} : {}),
  };
}

function withoutQueued(state: State, id: RunId): readonly RunId[] {
  return state.queue.filter((other) => other !== id);
}

function withoutWorktree(run: Run, owner: string): Run {
  return {...run, worktrees: run.worktrees.filter((worktree) => worktree.owner !== owner)};
}

/**
 * Someone removed a task's worktree. A task at work waits for a person before it gets a new one.
 */
export function strandTask(task: Task, at: number): Task {
  const attempt = selectAttempt(task);
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

function discardTask(task: Task, at: number): Task {
  return {
    ...withoutHalt(abandonAttempt(task)),
    stage: {at: 'discarded', why: {kind: 'person'}, since: at},
    endings: task.endings + 1,
  };
}

/** Ends the attempt under way, neither failed nor passed. */
export function abandonAttempt(task: Task): Task {
  const attempt = selectAttempt(task);
  if (attempt === undefined || attempt.step.at === 'passed' || attempt.step.at === 'failed')
    return without(task, 'setupSession');
  return withAttempt(without(task, 'setupSession'), {...attempt, step: {at: 'abandoned'}});
}

/** The earliest time at which the run was halted. */
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
