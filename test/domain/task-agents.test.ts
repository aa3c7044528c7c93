import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {drivers} from '../../source/agents/index.ts';
import {
  builtInAgents,
  type Decision,
  headlessAgents,
  type PlannedTask,
  type Project,
  type RunRequest,
  selectAttempt,
  selectConversation,
  selectFallback,
  selectOwnWorker,
  selectPlannedWorker,
  selectRun,
  selectSession,
  selectSessionAgent,
  selectTask,
  selectWorker,
  selectWorkerMode,
  usageOfAttempt,
} from '../../source/domain/index.ts';
import {conclude, type Harness, report, userCommand, wantedKeys} from './support/harness.ts';
import {failed, plannedTask, request} from './support/samples.ts';
import {
  check,
  getTypes,
  makeWorktree,
  runToExit,
  sessionOfTask,
  startSession,
  work,
  working,
} from './support/stages.ts';

const t1 = 'r1.t1';

/** The first task of a run whose worker is `request.worker`. */
function attempting(
  planned: Partial<PlannedTask> = {},
  project: Partial<Project> = {},
  more: Partial<RunRequest> = {},
): Harness {
  const harness = working(
    [{...plannedTask('t1'), ...planned}],
    {},
    {limits: {workers: 1, runs: 1}, ...project},
    more,
  );
  makeWorktree(harness, t1);
  return harness;
}

/** The agent that works now ends, because it is unavailable. */
function becomeUnavailable(harness: Harness, installed?: readonly string[]): Decision {
  runToExit(harness, sessionOfTask(harness, t1), 1);
  return conclude(harness, 'read-outcome', {
    type: 'agent-unavailable',
    words: 'log in first',
    ...(installed === undefined ? {} : {installed}),
  });
}

const agentNow = (harness: Harness): string | undefined =>
  selectSessionAgent(
    harness.state,
    selectSession(harness.state, sessionOfTask(harness, t1)) ?? assert.fail(),
  )?.agent;

const attemptOf = (harness: Harness) =>
  selectAttempt(selectTask(harness.state, t1) ?? assert.fail()) ?? assert.fail();

describe('the agent and the model of a task', () => {
  it('are those of the plan, of the run for its own agent, or of the project', () => {
    for (const [planned, run, models, expected] of [
      [{}, {}, {}, {agent: request.worker}],
      [{}, {model: 'm'}, {}, {agent: request.worker, model: 'm'}],
      [{model: 'big'}, {model: 'm'}, {}, {agent: request.worker, model: 'big'}],
      [{agent: 'b'}, {model: 'm'}, {}, {agent: 'b'}],
      [{agent: 'b'}, {model: 'm'}, {b: 'b-1'}, {agent: 'b', model: 'b-1'}],
      [{agent: 'b', model: 'b-2'}, {}, {b: 'b-1'}, {agent: 'b', model: 'b-2'}],
    ] as const) {
      const {state} = attempting(planned, {models}, run);
      const own = selectRun(state, 'r1') ?? assert.fail();
      const {isOwnOfRun, ...chosen} = selectWorker(state, own, own.tasks[0] ?? assert.fail());
      assert.deepEqual(chosen, expected);
      assert.equal(isOwnOfRun, expected.agent === request.worker);
    }
  });

  it('are recorded with the session only where the agent is not the one of the run', () => {
    assert.equal(selectSession(attempting().state, 's2')?.agent, undefined);
    assert.equal(selectSession(attempting({agent: request.worker}).state, 's2')?.agent, undefined);
    assert.equal(selectSession(attempting({agent: 'b'}).state, 's2')?.agent, 'b');
  });

  it('are told apart from those of the run', () => {
    const ownOf = (planned: Partial<PlannedTask>): unknown => {
      const {state} = attempting(planned);
      const run = selectRun(state, 'r1') ?? assert.fail();
      return selectOwnWorker(state, run, run.tasks[0] ?? assert.fail());
    };
    assert.equal(ownOf({}), undefined);
    assert.deepEqual(ownOf({agent: 'b'}), {agent: 'b'});
    assert.deepEqual(ownOf({model: 'm'}), {agent: request.worker, model: 'm'});
    assert.deepEqual(selectPlannedWorker({request: {...request, model: 'm'}}, {agent: 'b'}), {
      agent: 'b',
    });
  });

  it('stay for the repair and for a takeover', () => {
    const harness = attempting({agent: 'b'});
    report(harness, {type: 'conversation-known', session: 's2', conversation: 'of-b'});
    work(harness, t1);
    check(harness, t1, failed('test', 'npm test'));
    assert.equal(attemptOf(harness).number, 2);
    assert.equal(agentNow(harness), 'b');
    const repair = selectSession(harness.state, sessionOfTask(harness, t1)) ?? assert.fail();
    assert.equal(selectConversation(harness.state, repair), 'of-b');
    userCommand(harness, {type: 'take-over', task: t1});
    report(harness, {type: 'session-exited', session: repair.id, code: null, signal: 'SIGTERM'});
    assert.equal(agentNow(harness), 'b');
  });
});

describe('an agent that is unavailable', () => {
  const fallback = {fallback: ['b', 'c']};

  it('is replaced by the next installed one: the same attempt, a new conversation', () => {
    const harness = attempting({}, fallback);
    report(harness, {type: 'conversation-known', session: 's2', conversation: 'of-a'});
    report(harness, {
      type: 'usage-counted',
      session: 's2',
      usage: {input: 10, output: 1},
    });
    assert.deepEqual(getTypes(becomeUnavailable(harness, ['c'])), [
      'agent-replaced',
      'session-asked',
    ]);
    assert.equal(agentNow(harness), 'c');
    const {number, interruptions, unavailable} = attemptOf(harness);
    assert.deepEqual(
      {number, interruptions, unavailable},
      {number: 1, interruptions: 0, unavailable: [request.worker]},
    );
    const second = selectSession(harness.state, sessionOfTask(harness, t1)) ?? assert.fail();
    assert.equal(selectConversation(harness.state, second), undefined);
    assert.deepEqual(
      usageOfAttempt(harness.state, selectTask(harness.state, t1) ?? assert.fail(), 1),
      {input: 10, output: 1},
      'what the first one used still counts',
    );
  });

  it('asks a person without the setting, without an installed one, and when all were tried', () => {
    for (const [project, installed] of [
      [{}, ['b']],
      [fallback, []],
      [fallback, undefined],
      [{fallback: [request.worker]}, [request.worker]],
    ] as const) {
      const harness = attempting({}, project);
      assert.deepEqual(getTypes(becomeUnavailable(harness, installed)), ['trouble-met']);
    }

    const harness = attempting({}, {fallback: ['b', request.worker, 'c']});
    const all = ['b', 'c', request.worker];
    const names: (string | undefined)[] = [];
    for (let times = 0; times < 2; times++) {
      assert.deepEqual(getTypes(becomeUnavailable(harness, all)), [
        'agent-replaced',
        'session-asked',
      ]);
      names.push(agentNow(harness));
    }

    assert.deepEqual(names, ['b', 'c']);
    assert.deepEqual(getTypes(becomeUnavailable(harness, all)), ['trouble-met']);
    assert.equal(attemptOf(harness).number, 1);
    userCommand(harness, {type: 'resume', what: t1});
    assert.equal(agentNow(harness), request.worker, 'its own agent is tried first again');
  });

  it('is not tried again in the repair', () => {
    const harness = attempting({}, {fallback: ['b', request.worker]});
    becomeUnavailable(harness, ['b', request.worker]);
    work(harness, t1);
    check(harness, t1, failed('test', 'npm test'));
    assert.equal(attemptOf(harness).number, 2);
    assert.equal(agentNow(harness), 'b');
    assert.deepEqual(getTypes(becomeUnavailable(harness, ['b', request.worker])), ['trouble-met']);
  });

  it('is replaced when its pauses are used up, and not before', () => {
    const harness = attempting(
      {},
      {
        ...fallback,
        limits: {workers: 1, runs: 1, pauseSeconds: 30, pauseMinutes: 1},
      },
    );
    const putOff = (): Decision => {
      runToExit(harness, sessionOfTask(harness, t1), 1);
      return conclude(harness, 'read-outcome', {
        type: 'attempt-paused',
        task: t1,
        attempt: 1,
        until: 0,
        words: 'overloaded',
        installed: ['b'],
      });
    };
    assert.deepEqual(getTypes(putOff()), ['attempt-paused']);
    const [wait] = wantedKeys(harness);
    harness.time += 60_000;
    report(harness, {type: 'time-passed'}, wait);
    assert.deepEqual(getTypes(putOff()), ['agent-replaced', 'session-asked']);
    assert.equal(agentNow(harness), 'b');
    assert.equal(attemptOf(harness).paused, undefined, 'the pauses were those of the other one');
  });

  it('whose program is missing is replaced before it starts, and its session ends', () => {
    const harness = attempting({}, fallback);
    const first = sessionOfTask(harness, t1);
    report(
      harness,
      {type: 'agent-unavailable', words: 'a is not on PATH', installed: ['b']},
      `${first}/run`,
    );
    assert.ok(wantedKeys(harness).includes(`${first}/stop`));
    report(harness, {type: 'session-lost', session: first, why: 'it never started'});
    assert.equal(agentNow(harness), 'b');
    assert.equal(attemptOf(harness).interruptions, 0);
  });

  it('is no one whom the list does not name', () => {
    const {state} = attempting({}, fallback);
    const task = selectTask(state, t1) ?? assert.fail();
    assert.equal(selectFallback(state, task, ['d']), undefined);
    assert.deepEqual(selectFallback(state, task, ['d', 'c', 'b']), {
      from: request.worker,
      to: 'b',
    });
  });
});

describe('interactive workers of a run', () => {
  const typed = {
    name: 'typed',
    plan: ['typed'],
    work: ['typed'],
    prompt: 'typed',
  } as const;
  const piped = {...typed, name: 'piped', prompt: 'stdin'} as const;

  it('are headless, with the reason, where the agent of the task has no interface', () => {
    for (const [agent, mode] of [
      [undefined, 'interactive'],
      ['claude', 'interactive'],
      ['typed', 'interactive'],
      ['piped', undefined],
      ['codex', 'interactive'],
    ] as const) {
      const {state} = attempting(
        agent === undefined ? {} : {agent},
        {agents: [typed, piped]},
        {workers: 'interactive'},
      );
      const purpose = selectSession(state, 's2')?.purpose;
      assert.equal(purpose?.for === 'attempt' ? purpose.mode : 'none', mode, agent);
      const run = selectRun(state, 'r1') ?? assert.fail();
      const {why} = selectWorkerMode(state, run, run.tasks[0] ?? assert.fail());
      assert.equal(why === undefined, mode === 'interactive', agent);
    }
  });

  it('an open interface of a replaced agent is closed, and never gets the work of the next', () => {
    const harness = attempting(
      {agent: 'typed'},
      {agents: [typed], fallback: ['b']},
      {workers: 'interactive'},
    );
    startSession(harness, 's2');
    report(
      harness,
      {type: 'input-asked', session: 's2', input: 1, text: 'x', prompt: '/x/p.md'},
      's2/run',
    );
    report(harness, {type: 'input-typed', session: 's2', input: 1}, 's2/type-1');
    report(harness, {type: 'turn-ended', session: 's2', source: 'agent', error: 'log in first'});
    const decision = conclude(harness, 'read-outcome', {
      type: 'agent-unavailable',
      words: 'log in first',
      installed: ['b'],
    });
    assert.deepEqual(getTypes(decision), ['agent-replaced']);
    assert.ok(wantedKeys(harness).includes('s2/stop'));
    report(harness, {type: 'session-exited', session: 's2', code: null, signal: 'SIGTERM'});
    assert.equal(sessionOfTask(harness, t1), 's3');
    assert.equal(agentNow(harness), 'b');
  });

  it('the lists of built-in agents are those of the drivers', () => {
    assert.deepEqual(
      drivers.map(({name}) => name),
      builtInAgents,
    );
    assert.deepEqual(
      drivers.filter(({interactive}) => interactive === undefined).map(({name}) => name),
      headlessAgents,
    );
  });
});
