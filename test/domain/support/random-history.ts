import {
  type Command,
  type Effect,
  type OpenOptions,
  type RunId,
  type RunRequest,
  selectLiveSessions,
  selectRun,
  selectUndoable,
  selectUndoables,
  type State,
  type TaskId,
  type UserCommand,
  wanted,
} from '../../../source/domain/index.ts';
import {createRandom, type Random} from '../../support/random.ts';
import {createHarness, type Harness} from './harness.ts';
import {assertSettled} from './invariants.ts';
import {createSimulatedUser} from './simulated-user.ts';
import {sendChecked, settle, step} from './simulation.ts';
import {
  environment,
  getPlan,
  otherEnvironment,
  otherRules,
  plannedTask,
  request,
  rules,
} from './samples.ts';
import {createEffectSimulator, type EffectSimulator} from './simulated-effects.ts';

/**
 * Random commands and observations for some turns, then the simulated user and effects until
 * nothing is left to do.
 */
export function runRandomHistory(
  seed: number,
  turns?: number,
  more: Partial<RunRequest> = {},
): {readonly harness: Harness; readonly simulator: EffectSimulator} {
  const random = createRandom(seed);
  const simulator = createEffectSimulator(`world-${seed}`, random.pick([0, 0.2, 0.5, 0.8]));
  const user = createSimulatedUser(`person-${seed}`);
  const harness = createHarness();
  const setup = random.chance(0.3) ? {setup: 'npm ci'} : {};
  sendChecked(harness, {
    type: 'report',
    at: 1,
    saw: {
      type: 'project-read',
      project: {
        ...setup,
        ...(random.chance(0.3) ? {fallback: ['codex', 'pi']} : {}),
        services: [{name: 'web', command: 'npm start', port: 3000}],
        limits: {workers: 1 + random.below(3), runs: 1 + random.below(2)},
      },
    },
  });
  const chaos = turns ?? 20 + random.below(60);
  for (let turn = 0; turn < chaos; turn++) {
    const regrets = random.chance(0.03);
    if (turn === 0 || random.chance(0.03)) startRun(harness, random, more);
    else if (regrets) changeMind(harness);
    else if (random.chance(0.25)) sendChecked(harness, disturbance(harness, random));
    else step(harness, simulator, random);
    assertSettled(harness.state);
  }

  settle(harness, simulator, user);
  return {harness, simulator};
}

/** Undoes the newest decision that can be undone. */
function changeMind(harness: Harness): void {
  harness.time += 1;
  const newest = selectUndoable(harness.state, harness.time);
  if (newest === undefined) return;
  const {kind, run, task} = newest;
  const by = {kind: 'person', client: 'ada'} as const;
  sendChecked(harness, {type: 'undo', what: task ?? run, kind, at: harness.time, by});
}

function startRun(harness: Harness, random: Random, more: Partial<RunRequest>): void {
  harness.time += 1;
  const budget = {
    ...(random.chance(0.2) ? {tokens: 3000} : {}),
    ...(random.chance(0.1) ? {wallClock: 500_000} : {}),
    ...(random.chance(0.1) ? {attemptTokens: 2000} : {}),
    ...(random.chance(0.1) ? {attemptWallClock: 1_000_000} : {}),
  };
  sendChecked(harness, {
    type: 'start-run',
    request: {
      ...request,
      worker: 'claude',
      ...more,
      queued: random.chance(0.3),
      ...(random.chance(0.3) ? {workers: 'interactive'} : {}),
      ...(random.chance(0.1) ? {planners: 'interactive'} : {}),
      ...(random.chance(0.1) ? {open: randomOpen(random)} : {}),
    },
    budget,
    ...(harness.time % 2 === 0 ? {} : {environment}),
    at: harness.time,
    by: {kind: 'person', client: 'ada'},
  });
}

function randomOpen(random: Random): OpenOptions {
  if (random.chance(0.4)) return {withoutPrompt: true};
  return random.chance(0.5) ? {} : {variants: ['claude', 'codex']};
}

/** Any command or observation, valid or not. A refusal is fine; a broken invariant is not. */
function disturbance(harness: Harness, random: Random): Command {
  harness.time += 1 + random.below(50);
  const at = harness.time;
  if (random.chance(0.25))
    return {type: 'report', at, saw: random.pick(incidents(harness.state, random))};
  if (random.chance(0.1))
    return {type: 'report', at, saw: random.pick(askings(harness.state, random))};
  const by = random.chance(0.05)
    ? ({kind: 'agent', session: 's1'} as const)
    : ({kind: 'person', client: 'ada'} as const);
  return {...random.pick(whims(harness.state, random)), at, by};
}

function incidents(state: State, random: Random): (Command & {type: 'report'})['saw'][] {
  const run: RunId = `r${1 + random.below(state.runs.size)}`;
  const live = selectLiveSessions(state);
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
    {type: 'turn-began', session, by: 'person'},
    {type: 'done-reported', session},
    {type: 'turn-ended', session, source: 'screen'},
    {type: 'input-held', session, input: 1},
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

/** Requests of agents through their tools, allowed or not. */
function askings(state: State, random: Random): (Command & {type: 'report'})['saw'][] {
  const live = selectLiveSessions(state);
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

function whims(state: State, random: Random): UserCommand[] {
  const run: RunId = `r${1 + random.below(state.runs.size)}`;
  const task: TaskId = `${run}.t${1 + random.below(4)}`;
  const stage = selectRun(state, run)?.stage;
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
    ...(selectRun(state, run)?.tasks ?? []).map(({id, stage: at}) => ({
      type: 'pick-variant' as const,
      task: id,
      commit: at.at === 'validated' ? at.commit : 'stale',
    })),
    {
      type: 'message-task',
      task,
      text: random.pick(['mind the tests', 'use tabs', '', '\u001B[31m']),
    },
    {type: 'discard', what: random.chance(0.1) ? run : task},
    {
      type: 'undo',
      what: random.pick([run, task]),
      kind: random.pick(['accept', 'discard', 'stop', 'reject'] as const),
    },
    ...selectUndoables(state, state.at).map(({kind, run: of, task: one}) => ({
      type: 'undo' as const,
      what: one ?? of,
      kind,
    })),
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
      plan: getPlan(
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
            plan: getPlan(plannedTask('t40'), ...proposal.plan.tasks),
            hash: `mended-${random.below(5)}`,
          }
        : {}),
    },
    {type: 'accept-run', run, commit: selectRun(state, run)?.head ?? ''},
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
