import {
  liveSessionsOf,
  runOf,
  wanted,
  type Command,
  type Effect,
  type RunId,
  type State,
  type TaskId,
  type Wish,
} from '../../../source/domain/index.ts';
import {createRandom, type Random} from '../../support/random.ts';
import {createHouse, type House} from './house.ts';
import {assertSettled} from './invariants.ts';
import {createPerson} from './person.ts';
import {settle, step, tell} from './play.ts';
import {
  environment,
  otherEnvironment,
  otherRules,
  planOf,
  plannedTask,
  request,
  rules,
} from './samples.ts';
import {createWorld, type World} from './world.ts';

/** One life: chaos for a while, then everybody does their best until nothing is left to do. */
export function live(seed: number, turns?: number): {readonly house: House; readonly world: World} {
  const random = createRandom(seed);
  const world = createWorld(`world-${seed}`, random.pick([0, 0.2, 0.5, 0.8]));
  const person = createPerson(`person-${seed}`);
  const house = createHouse();
  const setup = random.chance(0.3) ? {setup: 'npm ci'} : {};
  tell(house, {
    type: 'report',
    at: 1,
    saw: {
      type: 'project-read',
      project: {
        ...setup,
        services: [{name: 'web', command: 'npm start', port: 3000}],
        limits: {workers: 1 + random.below(3), runs: 1 + random.below(2)},
      },
    },
  });
  const chaos = turns ?? 20 + random.below(60);
  for (let turn = 0; turn < chaos; turn++) {
    if (turn === 0 || random.chance(0.03)) startRun(house, random);
    else if (random.chance(0.25)) tell(house, disturbance(house, random));
    else step(house, world, random);
    assertSettled(house.state);
  }

  settle(house, world, person);
  return {house, world};
}

function startRun(house: House, random: Random): void {
  house.time += 1;
  const budget = {
    ...(random.chance(0.2) ? {tokens: 3000} : {}),
    ...(random.chance(0.1) ? {wallClock: 500_000} : {}),
    ...(random.chance(0.1) ? {attemptTokens: 2000} : {}),
    ...(random.chance(0.1) ? {attemptWallClock: 1_000_000} : {}),
  };
  tell(house, {
    type: 'start-run',
    request: {...request, queued: random.chance(0.3)},
    budget,
    ...(house.time % 2 === 0 ? {} : {environment}),
    at: house.time,
    by: {kind: 'person', client: 'ada'},
  });
}

/** Anything that anybody might say at any moment, fitting or not. A refusal is a fine answer; a broken promise is not. */
function disturbance(house: House, random: Random): Command {
  house.time += 1 + random.below(50);
  const at = house.time;
  if (random.chance(0.25))
    return {type: 'report', at, saw: random.pick(incidents(house.state, random))};
  if (random.chance(0.1))
    return {type: 'report', at, saw: random.pick(askings(house.state, random))};
  const by = random.chance(0.05)
    ? ({kind: 'agent', session: 's1'} as const)
    : ({kind: 'person', client: 'ada'} as const);
  return {...random.pick(whims(house.state, random)), at, by};
}

function incidents(state: State, random: Random): (Command & {type: 'report'})['saw'][] {
  const run: RunId = `r${1 + random.below(state.runs.size)}`;
  const live = liveSessionsOf(state);
  const session = live.length === 0 ? 's1' : random.pick(live).id;
  const effects: Effect[] = wanted(state);
  return [
    {type: 'daemon-started', build: 'test'},
    {type: 'daemon-stopping'},
    {type: 'journal-truncated', bytes: 12, kept: 'torn-1'},
    {type: 'disk-full'},
    {type: 'command-noted', session, intent: 'send-input'},
    {type: 'conversation-known', session, conversation: 'abc'},
    {type: 'secret-typed', session, length: 8},
    {type: 'time-passed'},
    {type: 'session-lost', session, why: 'killed'},
    {type: 'session-exited', session, code: 0, signal: null},
    {type: 'session-moved-on', session},
    {
      type: 'session-waiting',
      session,
      proof: 'inferred',
      secret: random.chance(0.3),
      question: 'Password:',
    },
    {type: 'no-progress', session, silentFor: 900_000, limit: 600_000},
    {
      type: 'usage-counted',
      session,
      usage: {input: random.below(900), output: 10},
      isPartial: true,
    },
    {
      type: 'retry-noticed',
      session,
      since: 1,
      times: 1 + random.below(4),
      words: 'overloaded',
      status: 529,
    },
    {type: 'retry-ended', session},
    {
      type: 'loop-found',
      session,
      kind: random.pick(['same-calls', 'same-failures', 'undone-edits', 'unchanged'] as const),
      key: `k${random.below(3)}`,
      evidence: 'npm test',
      times: random.below(40),
      since: 1,
    },
    {type: 'rules-changed', run, rules: random.pick([rules, otherRules])},
    {type: 'base-moved', run, base: 'moved'},
    {type: 'tampering-found', run, paths: ['.git/config']},
    {type: 'worktree-vanished', owner: `${run}.t1`},
    {type: 'worktree-vanished', owner: `${run}.merge`},
    ...effects.slice(0, 3).map(({key}) => ({type: 'effect-begun' as const, effect: key})),
  ];
}

/** What agents say through their tools, whether it is theirs to say or not. */
function askings(state: State, random: Random): (Command & {type: 'report'})['saw'][] {
  const live = liveSessionsOf(state);
  const session = live.length === 0 ? 's1' : random.pick(live).id;
  return [
    {type: 'tool-called', session, tool: 'port', words: 'port: 3000'},
    {type: 'tool-called', session, tool: 'shell', words: 'command: rm', isError: true},
    {
      type: 'network-refused',
      session,
      host: random.pick(['evil.example', '169.254.169.254', '*']),
      port: 443,
      why: 'not-listed',
      times: 1 + random.below(3),
    },
    {type: 'person-asked', session, question: `Which of ${1 + random.below(5)}?`},
    {
      type: 'shell-asked',
      session,
      name: random.pick(['main', 'other', 'third', 'fourth', 'fifth']),
      ...(random.chance(0.2) ? {program: 'python3'} : {}),
    },
    {
      type: 'shell-told',
      session,
      shell: live.length === 0 ? 's1' : random.pick(live).id,
      text: 'ls\r',
    },
    {
      type: 'service-told',
      session,
      service: random.pick(['web', 'db', 'none']),
      want: random.pick(['up', 'down']),
    },
  ];
}

function whims(state: State, random: Random): Wish[] {
  const run: RunId = `r${1 + random.below(state.runs.size)}`;
  const task: TaskId = `${run}.t${1 + random.below(4)}`;
  const stage = runOf(state, run)?.stage;
  const proposal =
    stage?.at === 'reviewing' || stage?.at === 'working' ? stage.proposal : undefined;
  const hash = proposal?.hash ?? 'plan-0';
  return [
    {type: 'stop', what: random.pick([run, task, task, 's1', 's2', 's3'] as const)},
    {type: 'resume', what: random.pick([run, task, task])},
    {type: 'resume', what: task},
    {type: 'grant-attempt', task, hint: 'again'},
    {type: 'take-over', task},
    {
      type: 'hand-back',
      task,
      ...random.pick([
        {},
        {to: 'checks' as const},
        {to: 'agent' as const},
        {to: 'agent' as const, note: 'look'},
        {note: 'for nobody'},
      ]),
    },
    {type: 'reset-task', task},
    {type: 'discard', what: random.chance(0.1) ? run : task},
    {
      type: 'approve-plan',
      run,
      plan: random.pick([hash, 'stale']),
      rules: 'rules-1',
      base: `base-${run}`,
    },
    {type: 'reject-plan', run, plan: hash, reason: 'no'},
    {type: 'comment-plan', run, line: 3, text: 'why?'},
    {
      type: 'edit-plan',
      run,
      plan: planOf(
        ...(proposal?.plan.tasks ?? []),
        plannedTask(`t${50 + (proposal?.plan.tasks.length ?? 0)}`),
      ),
      hash: `edited-${random.below(5)}`,
    },
    {type: 'plan-again', run},
    {type: 'baseline-again', run, ...(random.chance(0.5) ? {check: 'test'} : {})},
    {
      type: 'choose-baseline',
      run,
      check: random.pick(['test', 'build', 'none']),
      choice: random.pick(['ignore', 'no-new', 'count', 'mend'] as const),
      ...(random.chance(0.3) && proposal !== undefined
        ? {
            plan: planOf(plannedTask('t40'), ...proposal.plan.tasks),
            hash: `mended-${random.below(5)}`,
          }
        : {}),
    },
    {type: 'accept-run', run, commit: runOf(state, run)?.head ?? ''},
    {type: 'extend-budget', run, tokens: 5000 + random.below(5000)},
    {type: 'refresh-environment', run, environment: random.pick([environment, otherEnvironment])},
    {type: 'tidy-worktree', owner: task},
    {type: 'start-session', name: 'shell', command: ['bash'], directory: '/'},
    {type: 'send-input', session: 's1', text: 'y\n'},
    {
      type: 'answer-question',
      session: random.pick(['s1', 's2', 's3'] as const),
      number: 1 + random.below(2),
      text: 'the first',
    },
    {type: 'declare-service', spec: {name: 'db', command: 'postgres'}},
    {type: 'start-service', service: random.pick(['web', 'db', 'none'])},
    {type: 'stop-service', service: 'web'},
    {type: 'restart-service', service: 'web'},
    {type: 'add-note', on: run, text: 'look here'},
    {type: 'move-in-queue', run, position: 1},
    {type: 'acknowledge-intrusion', number: 1},
    {
      type: 'acknowledge-loop',
      session: random.pick(['s1', 's2', 's3'] as const),
      number: 1 + random.below(2),
    },
  ];
}
