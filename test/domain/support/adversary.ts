import {
  checksOf,
  isLive,
  liveSessionsOf,
  needsOf,
  openRunsOf,
  runIdIn,
  runOf,
  sessionOf,
  taskOf,
  undecidedOf,
  wanted,
  type Command,
  type Effect,
  type Need,
  type Observation,
  type RunBudget,
  type Session,
  type State,
  type Wish,
} from '../../../source/domain/index.ts';
import type {Random} from '../../support/random.ts';
import {createHouse, type House} from './house.ts';
import {tell} from './play.ts';
import {change, green, planOf, plannedTask, request, rules} from './samples.ts';

/** What the world answers to an effect, so as to keep things going. Nothing: it goes on as it is. */
export type Adversary = (state: State, effect: Effect, at: number) => Observation | undefined;

/** What an agent says by itself, at every turn. */
export type Chatter = (state: State, turn: number, at: number) => Command | undefined;

export type Game = {
  readonly adversary: Adversary;
  readonly chatter?: Chatter;
  /** How long an effect takes; a second if it is not said. */
  readonly takes?: (state: State, effect: Effect) => number | undefined;
  readonly budget?: RunBudget;
  readonly setup?: string;
  /** How often a person says "go on" to whatever stands there. */
  readonly words?: number;
  /** What they say. */
  readonly person?: (need: Need, state: State) => Wish | undefined;
};

export type Played = {
  readonly house: House;
  readonly starts: number;
  readonly needs: readonly Need[];
  readonly said: number;
};

/** Far beyond any bound: who comes here has found a loop. */
const mostTurns = 20_000;

/** A run of two tasks that the world tries to keep going for ever. Over when nothing happens any more unless a person says something. */
export function play({
  adversary,
  chatter,
  takes,
  budget = {attemptWallClock: 3_600_000},
  setup,
  words = 0,
  person = goOn,
}: Game): Played {
  const house = createHouse();
  house.time = 1_000_000;
  tell(house, {
    type: 'report',
    at: house.time,
    saw: {
      type: 'project-read',
      project: {
        services: [{name: 'web', command: 'npm start', port: 3000}],
        limits: {workers: 2, runs: 1},
        ...(setup === undefined ? {} : {setup}),
      },
    },
  });
  tell(house, {
    type: 'start-run',
    request,
    budget,
    at: house.time,
    by: {kind: 'person', client: 'ada'},
  });
  let said = 0;
  for (let turn = 0; ; turn++) {
    if (turn >= mostTurns)
      throw new Error(
        `no end after ${mostTurns} turns and ${house.events.length} events; wanted: ${wanted(
          house.state,
        )
          .map(({key}) => key)
          .join(', ')}`,
      );
    const chat = chatter?.(house.state, turn, house.time);
    if (chat !== undefined) tell(house, chat);
    if (happens(house, adversary, takes)) continue;
    const answer =
      said < words
        ? needsOf(house.state)
            .map((need) => person(need, house.state))
            .find((wish) => wish !== undefined)
        : undefined;
    if (answer === undefined && !approves(house)) break;
    if (
      answer !== undefined &&
      tell(house, {...answer, at: (house.time += 1000), by: {kind: 'person', client: 'ada'}}) ===
        undefined
    )
      said += 1;
    else if (answer !== undefined) break;
  }

  return {
    house,
    said,
    needs: needsOf(house.state),
    starts: house.events.filter(({type}) => type === 'session-asked').length,
  };
}

/** Whether anything came of what is wanted. Time passes only when nothing else happens. */
function happens(
  house: House,
  adversary: Adversary,
  takes: Game['takes'] = () => undefined,
): boolean {
  const effects = wanted(house.state);
  for (const effect of [
    ...effects.filter(({do: kind}) => kind !== 'wait'),
    ...effects
      .filter(({do: kind}) => kind === 'wait')
      .toSorted((a, b) => (a.do === 'wait' && b.do === 'wait' ? a.until - b.until : 0)),
  ]) {
    const at =
      effect.do === 'wait'
        ? Math.max(house.time, effect.until)
        : house.time + (takes(house.state, effect) ?? 1000);
    const saw =
      effect.do === 'wait' ? {type: 'time-passed' as const} : adversary(house.state, effect, at);
    if (saw === undefined) continue;
    const before = house.events.length;
    const isNamed =
      !saw.type.startsWith('session-') &&
      saw.type !== 'usage-counted' &&
      saw.type !== 'conversation-known';
    tell(house, {type: 'report', at, saw, ...(isNamed ? {effect: effect.key} : {})});
    if (house.events.length === before) continue;
    house.time = at;
    return true;
  }

  return false;
}

/** The plan is approved once, whatever it is: without it there is nothing to keep going. */
function approves(house: House): boolean {
  const stage = runOf(house.state, 'r1')?.stage;
  if (stage?.at !== 'reviewing' || stage.voided !== undefined) return false;
  const [red] = undecidedOf(runOf(house.state, 'r1')!);
  if (red !== undefined)
    return (
      tell(house, {
        type: 'choose-baseline',
        run: 'r1',
        check: red.result.check.name,
        choice: 'count',
        at: (house.time += 1000),
        by: {kind: 'person', client: 'ada'},
      }) === undefined
    );
  const refused = tell(house, {
    type: 'approve-plan',
    run: 'r1',
    plan: stage.proposal.hash,
    rules: stage.ground.rules.hash,
    base: stage.ground.base,
    at: (house.time += 1000),
    by: {kind: 'person', client: 'ada'},
  });
  return refused === undefined;
}

/** A person who says "go on" to everything, and looks at nothing. */
export function goOn(need: Need): Wish | undefined {
  switch (need.kind) {
    case 'trouble':
      return {type: 'resume', what: need.owner};
    case 'parked':
      return {type: 'resume', what: need.run};
    case 'stopped':
      return {type: 'grant-attempt', task: need.task};
    case 'planless':
      return {type: 'plan-again', run: need.run};
    case 'branch':
      return need.relation === 'ahead'
        ? {type: 'adopt-branch', run: need.run, commit: need.found}
        : {type: 'restore-branch', run: need.run, commit: need.found};
    case 'accept':
      return {type: 'accept-run', run: need.run, commit: need.commit};
    case 'service':
      return {type: 'restart-service', service: need.service};
    default:
      return undefined;
  }
}

let moves = 0;

/** Nothing is in the way: what each effect comes to in a good world. */
export const kind: Adversary = (state, effect) => {
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
      return livesOn(sessionOf(state, effect.session)!, {
        type: 'session-exited',
        session: effect.session,
        code: 0,
        signal: null,
      });
    case 'stop-session':
      return {type: 'session-exited', session: effect.session, code: null, signal: 'SIGTERM'};
    case 'type-input':
    case 'type-prompt':
      return {type: 'input-typed', session: effect.session, input: effect.input};
    case 'read-plan':
      return {
        type: 'plan-received',
        run: effect.run,
        round: runOf(state, effect.run)!.rounds.length,
        plan: planOf(plannedTask('t1'), plannedTask('t2', {services: ['web']})),
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
      return checked(state, effect, 'passed');
    case 'recall-baseline':
      return recalled(state, effect);
    case 'read-baseline':
      return basis(state, effect, 'passed');
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
      return {type: 'run-accepted', run: effect.run, commit: effect.commit};
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

/** Created, running, and then that. Services and people's own sessions stay. */
export function livesOn(
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

export function checked(
  state: State,
  effect: Extract<Effect, {do: 'read-check'}>,
  outcome: 'passed' | 'failed' | 'broken',
): Observation {
  const check = checksOf(runOf(state, runIdIn(effect.task))!).find(
    ({name}) => name === effect.check,
  )!;
  return {
    type: 'check-finished',
    task: effect.task,
    attempt: taskOf(state, effect.task)!.attempts.length,
    on: effect.on,
    result: {check, outcome, touched: [], ...(outcome === 'passed' ? {} : {firstFailure: 'no'})},
  };
}

function recalled(
  state: State,
  {run}: Extract<Effect, {do: 'recall-baseline'}>,
): Observation | undefined {
  const {stage} = runOf(state, run)!;
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

export function basis(
  state: State,
  {run, session}: Extract<Effect, {do: 'read-baseline'}>,
  outcome: 'passed' | 'failed' | 'broken',
): Observation | undefined {
  const {purpose} = sessionOf(state, session)!;
  const {setup} = state.project;
  return purpose.for === 'baseline'
    ? {
        type: 'baseline-checked',
        run,
        base: runOf(state, run)!.head!,
        ...(setup === undefined ? {} : {setup}),
        result: {check: {name: purpose.check, command: purpose.command}, outcome, touched: []},
      }
    : undefined;
}

export function movedTo(
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

/** Somebody who picks, again and again, whatever keeps things going longest. */
export function spiteful(random: Random): Adversary {
  const rarely = (then: Observation): Observation | undefined =>
    random.chance(0.5) ? then : undefined;
  return (state, effect, at) => {
    const bad = ((): Observation | undefined => {
      switch (effect.do) {
        case 'run-session': {
          const session = sessionOf(state, effect.session)!;
          return livesOn(
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
              round: runOf(state, effect.run)!.rounds.length,
              problems: ['no'],
            },
            {type: 'conversation-lost', session: effect.session, words: 'forgotten'},
            {
              type: 'planning-interrupted',
              run: effect.run,
              round: runOf(state, effect.run)!.rounds.length,
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
          return checked(state, effect, random.pick(['passed', 'failed', 'broken'] as const));
        case 'read-baseline':
          return basis(state, effect, random.pick(['passed', 'failed', 'broken'] as const));
        case 'build-merge':
          return random.pick<Observation | undefined>([
            undefined,
            movedTo(effect.run!, effect.onto, random.pick(['ahead', 'behind', 'apart'] as const)),
            {type: 'merge-conflicted', task: effect.task, paths: ['a']},
          ]);
        case 'publish-merge':
          return rarely(movedTo(effect.run!, effect.onto, 'ahead'));
        case 'restore-branch':
          return rarely(movedTo(effect.run, effect.to, 'apart'));
        case 'bring-home':
          return random.pick<Observation | undefined>([
            undefined,
            movedTo(effect.run, effect.commit, 'ahead'),
            {type: 'accept-refused', run: effect.run, why: 'no'},
          ]);
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
      isLive(sessionOf(state, effect.session)!) &&
      sessionOf(state, effect.session)!.life.at === 'running'
        ? undefined
        : kind(state, effect, at))
    );
  };
}

/** An agent that never stops asking for things, each time in other words. */
export const talkative: Chatter = (state, turn, at) => {
  const session = liveSessionsOf(state).find(
    ({purpose, life}) =>
      (purpose.for === 'attempt' || purpose.for === 'plan') && life.at === 'running',
  )?.id;
  if (session === undefined || openRunsOf(state).length === 0) return undefined;
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
