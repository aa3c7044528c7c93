import {
  type Command,
  type Effect,
  isLive,
  type Observation,
  runIdIn,
  selectChecks,
  selectLiveSessions,
  selectOpenRuns,
  selectRun,
  selectSession,
  selectTask,
  type Session,
  type State,
} from '../../../source/domain/index.ts';
import type {Random} from '../../support/random.ts';
import type {AgentActivity, EffectResponder} from './run-until-idle.ts';
import {change, getPlan, green, plannedTask, rules} from './samples.ts';

let moves = 0;

/** The observation of each effect when everything succeeds. */
export const respondNormally: EffectResponder = (state, effect) => {
  switch (effect.do) {
    case 'survey':
      return {
        type: 'run-surveyed',
        run: effect.run,
        ground: {base: 'base', branch: 'main', rules, baseline: true},
      };
    case 'make-worktree':
      return {
        type: 'worktree-made',
        owner: effect.owner,
        path: `/w/${effect.owner}`,
        branch: null,
        commit: effect.from,
        tree: `tree-${effect.from}`,
      };
    case 'renew-worktree':
      return {
        type: 'worktree-renewed',
        owner: effect.owner,
        commit: effect.from,
        tree: `tree-${effect.from}`,
      };
    case 'remove-worktree':
      return {type: 'worktree-removed', owner: effect.owner, kept: null};
    case 'run-session':
      return advanceSession(selectSession(state, effect.session)!, {
        type: 'session-exited',
        session: effect.session,
        code: 0,
        signal: null,
      });
    case 'stop-session':
      return {type: 'session-exited', session: effect.session, code: null, signal: 'SIGTERM'};
    case 'deliver-message':
      return {
        type: 'message-delivered',
        task: effect.task,
        number: effect.message,
        session: effect.session,
        how: 'restart',
      };
    case 'type-input':
    case 'type-prompt':
      return {type: 'input-typed', session: effect.session, input: effect.input};
    case 'ask-prompt':
      return {
        type: 'input-asked',
        session: effect.session,
        input: selectSession(state, effect.session)!.inputs.length + 1,
        text: 'repair',
        prompt: '/x/prompt-2.md',
      };
    case 'read-plan':
      return {
        type: 'plan-received',
        run: effect.run,
        round: selectRun(state, effect.run)!.rounds.length,
        plan: getPlan(plannedTask('t1'), plannedTask('t2', {services: ['web']})),
        hash: `plan-${moves++}`,
        tree: 'tree-base',
      };
    case 'read-outcome':
      return {type: 'agent-finished', task: effect.task, attempt: effect.attempt, words: 'Done.'};
    case 'capture':
      return {type: 'change-captured', task: effect.task, attempt: effect.attempt, change};
    case 'judge':
      return {type: 'change-judged', task: effect.task, attempt: effect.attempt, judgement: green};
    case 'read-check':
      return toCheckResult(state, effect, 'passed');
    case 'recall-baseline':
      return toRecalledBaseline(state, effect);
    case 'read-baseline':
      return toBaselineResult(state, effect, 'passed');
    case 'commit':
      return {
        type: 'change-committed',
        task: effect.task,
        attempt: effect.attempt,
        commit: `commit-${moves++}`,
      };
    case 'build-merge':
      return {
        type: 'merge-built',
        task: effect.task,
        candidate: `merge-${moves++}`,
        onto: effect.onto,
      };
    case 'publish-merge':
      return {type: 'task-merged', task: effect.task, commit: effect.candidate};
    case 'restore-branch':
      return {type: 'branch-restored', run: effect.run, kept: 'refs/orchestra/keep/moved/x'};
    case 'bring-home':
      return {type: 'run-accepted', run: effect.run, commit: effect.commit, from: 'before'};
    case 'undo-accept':
      return {type: 'accept-undone', run: effect.run, into: effect.branch, commit: effect.to};
    case 'restore-worktree':
      return {
        type: 'worktree-made',
        owner: effect.owner,
        path: `/w/${effect.owner}`,
        branch: `o/${effect.owner}`,
        commit: effect.base,
        tree: 'tree-base',
      };
    case 'write-summary':
      return {
        type: 'summary-written',
        run: effect.run,
        endings: effect.endings,
        path: 'a.md',
        hash: 'h',
        ...(effect.task === undefined ? {} : {task: effect.task}),
      };
    case 'watch-service':
      return {type: 'service-observed', service: effect.service, condition: 'ready'};
    case 'wait':
    case 'prepare-worktrees':
      return undefined;
  }
};

/**
 * Creates and starts the session, then reports `then`. Services and sessions of people keep
 * running.
 */
export function advanceSession(
  {id, life, purpose}: Session,
  then: Observation | undefined,
): Observation | undefined {
  if (life.at === 'asked') return {type: 'session-created', session: id};
  if (life.at === 'created') return {type: 'session-running', session: id};
  return purpose.for === 'service' ||
    purpose.for === 'person' ||
    purpose.for === 'takeover' ||
    purpose.for === 'shell'
    ? undefined
    : then;
}

export function toCheckResult(
  state: State,
  effect: Extract<Effect, {do: 'read-check'}>,
  outcome: 'passed' | 'failed' | 'broken',
): Observation {
  const check = selectChecks(selectRun(state, runIdIn(effect.task))!).find(
    ({name}) => name === effect.check,
  )!;
  return {
    type: 'check-finished',
    task: effect.task,
    attempt: selectTask(state, effect.task)!.attempts.length,
    on: effect.on,
    result: {check, outcome, touched: [], ...(outcome === 'passed' ? {} : {firstFailure: 'no'})},
  };
}

function toRecalledBaseline(
  state: State,
  {run}: Extract<Effect, {do: 'recall-baseline'}>,
): Observation | undefined {
  const {stage} = selectRun(state, run)!;
  if (stage.at !== 'reviewing' && stage.at !== 'working') return undefined;
  const {setup} = state.project;
  return {
    type: 'baseline-recalled',
    run,
    base: stage.ground.base,
    rules: stage.ground.rules.hash,
    plan: stage.proposal.hash,
    ...(setup === undefined ? {} : {setup}),
    results: [],
  };
}

export function toBaselineResult(
  state: State,
  {run, session}: Extract<Effect, {do: 'read-baseline'}>,
  outcome: 'passed' | 'failed' | 'broken',
): Observation | undefined {
  const {purpose} = selectSession(state, session)!;
  const {setup} = state.project;
  return purpose.for === 'baseline'
    ? {
        type: 'baseline-checked',
        run,
        base: selectRun(state, run)!.head!,
        ...(setup === undefined ? {} : {setup}),
        result: {check: {name: purpose.check, command: purpose.command}, outcome, touched: []},
      }
    : undefined;
}

export function toMovedBranch(
  run: `r${number}`,
  expected: string,
  relation: 'ahead' | 'behind' | 'apart',
): Observation {
  return {
    type: 'branch-moved',
    run,
    branch: `orchestra/${run}`,
    expected,
    found: `foreign-${moves++}`,
    relation,
  };
}

/** Picks at random from the observations that keep a run going. */
export function respondRandomly(random: Random): EffectResponder {
  const rarely = (then: Observation): Observation | undefined =>
    random.chance(0.5) ? then : undefined;
  return (state, effect, at) => {
    const bad = ((): Observation | undefined => {
      switch (effect.do) {
        case 'run-session': {
          const session = selectSession(state, effect.session)!;
          return advanceSession(
            session,
            random.pick<Observation | undefined>([
              undefined,
              {type: 'session-lost', session: session.id, why: 'killed'},
              {type: 'session-exited', session: session.id, code: null, signal: 'SIGKILL'},
              {type: 'session-exited', session: session.id, code: 1, signal: null},
              {type: 'conversation-known', session: session.id, conversation: `c-${moves++}`},
            ]),
          );
        }

        case 'stop-session':
          return rarely({type: 'effect-failed', words: 'it does not end'});
        case 'read-plan':
          return random.pick<Observation | undefined>([
            undefined,
            {
              type: 'plan-invalid',
              run: effect.run,
              round: selectRun(state, effect.run)!.rounds.length,
              problems: ['no'],
            },
            {type: 'conversation-lost', session: effect.session, words: 'forgotten'},
            {
              type: 'planning-interrupted',
              run: effect.run,
              round: selectRun(state, effect.run)!.rounds.length,
            },
            {type: 'agent-unavailable', words: 'later'},
          ]);
        case 'read-outcome': {
          const of = {task: effect.task, attempt: effect.attempt};
          return random.pick<Observation | undefined>([
            undefined,
            {type: 'conversation-lost', session: effect.session, words: 'forgotten'},
            {type: 'agent-failed', ...of, words: 'no'},
            {type: 'attempt-interrupted', ...of, session: effect.session, words: 'killed'},
            ...[at, 0, at + 1, at + 30_000, at + 86_400_000 * 400, 1e308, Number.NaN, -5].map(
              (until): Observation => ({type: 'attempt-paused', ...of, until, words: 'later'}),
            ),
          ]);
        }

        case 'read-check':
          return toCheckResult(state, effect, random.pick(['passed', 'failed', 'broken'] as const));
        case 'read-baseline':
          return toBaselineResult(
            state,
            effect,
            random.pick(['passed', 'failed', 'broken'] as const),
          );
        case 'build-merge':
          return random.pick<Observation | undefined>([
            undefined,
            toMovedBranch(
              effect.run!,
              effect.onto,
              random.pick(['ahead', 'behind', 'apart'] as const),
            ),
            {type: 'merge-conflicted', task: effect.task, paths: ['a']},
          ]);
        case 'publish-merge':
          return rarely(toMovedBranch(effect.run!, effect.onto, 'ahead'));
        case 'restore-branch':
          return rarely(toMovedBranch(effect.run, effect.to, 'apart'));
        case 'bring-home':
          return random.pick<Observation | undefined>([
            undefined,
            toMovedBranch(effect.run, effect.commit, 'ahead'),
            {type: 'accept-refused', run: effect.run, why: 'no'},
          ]);
        case 'undo-accept':
          return rarely({type: 'undo-refused', what: effect.run, why: 'no'});
        case 'restore-worktree':
        case 'make-worktree':
        case 'capture':
        case 'commit':
        case 'renew-worktree':
        case 'write-summary':
        case 'remove-worktree':
        case 'watch-service':
          return random.chance(0.2) ? {type: 'effect-failed', words: 'no'} : undefined;
        default:
          return undefined;
      }
    })();
    return (
      bad ??
      (effect.do === 'run-session' &&
      isLive(selectSession(state, effect.session)!) &&
      selectSession(state, effect.session)!.life.at === 'running'
        ? undefined
        : respondNormally(state, effect, at))
    );
  };
}

/** An agent that makes a new request at every turn. */
export const demandingAgent: AgentActivity = (state, turn, at) => {
  const session = selectLiveSessions(state).find(
    ({purpose, life}) =>
      (purpose.for === 'attempt' || purpose.for === 'plan') && life.at === 'running',
  )?.id;
  if (session === undefined || selectOpenRuns(state).length === 0) return undefined;
  const by = {kind: 'agent' as const, session};
  const report = (saw: Observation): Command => ({type: 'report', at, saw});
  const all: Command[] = [
    report({type: 'person-asked', session, question: `Which of ${turn}?`}),
    report({type: 'shell-asked', session, name: `shell-${turn}`}),
    report({type: 'service-told', session, service: 'web', want: turn % 2 === 0 ? 'up' : 'down'}),
    {type: 'approve-plan', run: 'r1', plan: 'x', rules: 'x', base: 'x', at, by},
    {type: 'resume', what: 'r1', at, by},
    {type: 'discard', what: 'r1', at, by},
    {type: 'add-note', on: 'r1', text: `note ${turn}`, at, by},
    {type: 'start-service', service: 'web', at, by},
  ];
  return all[turn % all.length];
};
