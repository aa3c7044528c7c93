import {without} from '../../shared/index.ts';
import {toTaskId} from '../ids.ts';
import type {Plan} from '../plan.ts';
import type {PlanRound, Proposal, Run} from '../run.ts';
import {defaultAttempts, type State} from '../state.ts';
import type {Task} from '../task.ts';
import {withoutBaselineSession} from './baseline.ts';
import {readPlannerTurn} from './planner.ts';
import {
  changeRun,
  type EventHandlers,
  formatOutOfOrder,
  settleAttempts,
  type TransitionResult,
} from './change.ts';

type PlanEvent =
  | 'planning-started'
  | 'planning-interrupted'
  | 'plan-received'
  | 'plan-made'
  | 'plan-invalid'
  | 'plan-asked-again'
  | 'planner-wrote'
  | 'planner-failed'
  | 'planning-failed'
  | 'planning-retried'
  | 'plan-commented'
  | 'plan-edited'
  | 'plan-rejected'
  | 'plan-approved'
  | 'approval-voided';

export const planHandlers: EventHandlers<PlanEvent> = {
  'planning-started': (state, event) =>
    changeRun(state, event.run, (run) => {
      if (run.stage.at !== 'planning') return formatOutOfOrder(event, run.stage.at);
      if (event.round !== run.rounds.length + 1) return `round ${event.round} is not the next one`;
      const round: PlanRound = {
        number: event.round,
        asking: 1,
        problems: [],
        interruptions: 0,
        step: {at: 'preparing'},
        ...(event.because === undefined ? {} : {because: event.because}),
        ...(event.anew === undefined ? {} : {isAnew: true}),
      };
      return {...run, rounds: [...run.rounds, round]};
    }),

  'planning-interrupted': (state, event) =>
    changeRound(state, event, (round) => ({
      ...round,
      interruptions: round.interruptions + 1,
      step: {at: 'preparing'},
    })),

  'plan-received': (state, event) => {
    const received = changeRun(state, event.run, (run) => {
      const {stage} = run;
      // A planner in its own interface may hand in another plan while one is proposed.
      const isAnother =
        stage.at === 'reviewing' &&
        run.tasks.length === 0 &&
        event.replaces !== undefined &&
        event.round === run.rounds.at(-1)?.number;
      if (stage.at !== 'planning' && !isAnother) return formatOutOfOrder(event, stage.at);
      const proposal: Proposal = {
        plan: event.plan,
        hash: event.hash,
        tree: event.tree,
        comments: stage.at === 'reviewing' ? stage.proposal.comments : [],
      };
      return {
        ...closeRound(run, []),
        stage: {at: 'reviewing', ground: stage.ground, proposal, since: event.at},
      };
    });
    return readPlannerTurn(received, event.from);
  },

  'plan-made': (state, event) =>
    changeRun(state, event.run, (run) => {
      if (run.stage.at !== 'planning' || run.request.open === undefined || run.rounds.length > 0)
        return formatOutOfOrder(event, run.stage.at);
      const {plan, hash, at} = event;
      return {
        ...run,
        stage: {
          at: 'reviewing',
          ground: run.stage.ground,
          proposal: {plan, hash, comments: []},
          since: at,
        },
      };
    }),

  'plan-invalid': (state, event) => {
    const invalid = changeRound(state, event, (round) => ({
      ...without(round, 'words', 'waitsSince'),
      problems: event.problems,
      ...(event.words === undefined ? {} : {words: event.words}),
      step: {at: 'invalid'},
    }));
    return readPlannerTurn(invalid, event.from);
  },

  'plan-asked-again': (state, event) =>
    changeRound(state, event, (round) =>
      round.asking === 1
        ? {...round, asking: 2, problems: event.problems, step: {at: 'preparing'}}
        : 'the planner is asked for a corrected plan only once',
    ),

  'planner-wrote': (state, event) =>
    failPlanning(state, event, {kind: 'planner-wrote', paths: event.paths}),

  'planner-failed': (state, event) =>
    failPlanning(state, event, {kind: 'planner-failed', words: event.words}),

  'planning-failed': (state, event) => failPlanning(state, event, event.why),

  'planning-retried': (state, event) =>
    changeRun(state, event.run, (run) => {
      if (run.stage.at !== 'planless') return formatOutOfOrder(event, run.stage.at);
      const because =
        event.reason === undefined ? {} : {because: {reason: event.reason, comments: []}};
      return {
        ...run,
        stage: {
          at: 'planning',
          ground: run.stage.ground,
          ...because,
          ...(event.anew === undefined ? {} : {isAnew: true}),
        },
      };
    }),

  'plan-commented': (state, event) =>
    changeRun(state, event.run, (run) => {
      if (run.stage.at !== 'reviewing') return formatOutOfOrder(event, run.stage.at);
      const {proposal} = run.stage;
      const comments = [...proposal.comments, {line: event.line, text: event.text}];
      return {...run, stage: {...run.stage, proposal: {...proposal, comments}}};
    }),

  'plan-edited': (state, event) =>
    changeRun(state, event.run, (run) => {
      if (run.stage.at !== 'reviewing' && run.stage.at !== 'working')
        return formatOutOfOrder(event, run.stage.at);
      return {
        ...run,
        stage: {
          ...run.stage,
          proposal: {...run.stage.proposal, plan: event.plan, hash: event.hash},
        },
      };
    }),

  'plan-rejected': (state, event) =>
    changeRun(state, event.run, (run) => {
      if (run.stage.at !== 'reviewing' || run.tasks.length > 0)
        return formatOutOfOrder(event, run.stage.at);
      const {ground, proposal, voided} = run.stage;
      return {
        ...withoutBaselineSession(run),
        undoable: {
          kind: 'reject',
          at: event.at,
          proposal,
          ...(voided === undefined ? {} : {voided}),
        },
        stage: {
          at: 'planning',
          ground,
          because: {reason: event.reason, comments: proposal.comments},
        },
      };
    }),

  'plan-approved': (state, event) =>
    changeRun(state, event.run, (run) => {
      if (run.stage.at !== 'reviewing') return formatOutOfOrder(event, run.stage.at);
      const {ground, proposal, since} = run.stage;
      if (
        event.plan !== proposal.hash ||
        event.rules !== ground.rules.hash ||
        event.base !== ground.base
      )
        return 'the approval is for another plan, other rules or another base';
      const {plan: planHash, rules, base, client, at} = event;
      const tasks = toTasks(run, proposal.plan).map((task) => settleAttempts(state, task, since));
      return {
        ...run,
        tasks,
        stage: {
          at: 'working',
          ground,
          proposal,
          approval: {plan: planHash, rules, base, client, at},
        },
      };
    }),

  'approval-voided': (state, event) =>
    changeRun(state, event.run, (run) => {
      if (run.stage.at !== 'working') return formatOutOfOrder(event, run.stage.at);
      const {ground, proposal} = run.stage;
      return {
        ...run,
        stage: {at: 'reviewing', ground, proposal, voided: event.why, since: event.at},
      };
    }),
};

/** Existing tasks keep their progress; `decide` makes sure that tasks at work did not change. */
function toTasks(run: Run, {tasks}: Plan): Task[] {
  return tasks.map((planned) => {
    const id = toTaskId(run.id, planned.id);
    const known = run.tasks.find((task) => task.id === id);
    if (known !== undefined) return {...known, planned};
    return {
      id,
      planned,
      stage: {at: 'waiting'},
      attempts: [],
      allowed: defaultAttempts,
      isSetUp: false,
      endings: 0,
      summarised: 0,
    };
  });
}

function changeRound(
  state: State,
  event: {readonly run: Run['id']; readonly round: number},
  change: (round: PlanRound) => TransitionResult<PlanRound>,
): TransitionResult<State> {
  return changeRun(state, event.run, (run) => {
    const round = run.rounds.at(-1);
    if (run.stage.at !== 'planning' || round?.number !== event.round)
      return `planning round ${event.round} is not the current one`;
    const changed = change(round);
    return typeof changed === 'string'
      ? changed
      : {...run, rounds: [...run.rounds.slice(0, -1), changed]};
  });
}

/** Ends the round. A rejection that led to it can no longer be withdrawn. */
export function closeRound(open: Run, problems: readonly string[]): Run {
  const run = without(open, 'undoable');
  const round = run.rounds.at(-1);
  if (round === undefined) return run;
  const closed: PlanRound = {...without(round, 'waitsSince'), problems, step: {at: 'over'}};
  return {...run, rounds: [...run.rounds.slice(0, -1), closed]};
}

function failPlanning(
  state: State,
  event: {readonly run: Run['id']; readonly at: number},
  why: Extract<Run['stage'], {at: 'planless'}>['why'],
): TransitionResult<State> {
  return changeRun(state, event.run, (run) => {
    // The worktree is also compared while the plan of a planner in its own interface is read.
    const isReviewed = why.kind === 'planner-wrote' && run.tasks.length === 0;
    const {stage} = run;
    if (stage.at !== 'planning' && !(stage.at === 'reviewing' && isReviewed))
      return `${run.id} is not planning`;
    const problems = why.kind === 'invalid' ? why.problems : [];
    return {
      ...closeRound(stage.at === 'reviewing' ? withoutBaselineSession(run) : run, problems),
      stage: {at: 'planless', ground: stage.ground, why, since: event.at},
    };
  });
}
