import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import {chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {describe, it, type TestContext} from 'node:test';
import {selectRun, selectSession} from '../../../source/domain/index.ts';
import {eventually} from '../../support/eventually.ts';
import {end} from '../../daemon/support/daemon-fixture.ts';
import {createFixture, type LoopFixture, pretendAgents} from './support/loop-fixture.ts';

const conversation = '00000000-0000-4000-8000-000000000001';

/** A claude that prints what the real one prints, and works or waits as the test says. */
function createClaudeFixture(
  t: TestContext,
): LoopFixture & {readonly started: () => readonly string[]} {
  const bin = mkdtempSync(path.join(os.tmpdir(), 'orchestra-claude-'));
  const log = path.join(bin, 'started');
  writeFileSync(
    path.join(bin, 'claude'),
    `#!/bin/sh
echo "$*" >> ${log}
read -r prompt
printf '%s\\n' '{"type":"system","subtype":"init","session_id":"${conversation}","model":"m","tools":[]}'
printf '%s\\n' '{"type":"assistant","message":{"id":"msg_1","role":"assistant","content":[{"type":"text","text":"I begin."}],"usage":{"input_tokens":100,"output_tokens":20}},"session_id":"${conversation}"}'
[ -e ${bin}/waits ] && { rm ${bin}/waits; touch ${bin}/waiting; sleep 600; }
echo better > t1.txt
printf '%s\\n' '{"type":"result","subtype":"success","is_error":false,"result":"There it is.","session_id":"${conversation}","usage":{"input_tokens":200,"output_tokens":40},"total_cost_usd":0.01}'
`,
  );
  chmodSync(path.join(bin, 'claude'), 0o755);
  const fixture = createFixture(t, {
    env: {PATH: `${bin}:${path.dirname(process.execPath)}:${process.env['PATH'] ?? ''}`, BIN: bin},
  });
  // After the end of the fixture: until then its agents write there.
  t.after(() => {
    rmSync(bin, {recursive: true, force: true});
  });
  return {
    ...fixture,
    started: () =>
      existsSync(log)
        ? readFileSync(log, 'utf8')
            .split('\n')
            .filter((line) => line.startsWith('-p '))
        : [],
  };
}

describe('agents of a run', () => {
  it('an agent whose keeper was killed goes on with its conversation, and what it had used is counted', async (t) => {
    const stage = createClaudeFixture(t);
    const bin = stage.env['BIN'] ?? '';
    writeFileSync(path.join(bin, 'waits'), '');
    const run = stage.objective('--agent', 'claude', '--planner', 'pretend', '--approve');
    await eventually('it has begun', () => existsSync(path.join(bin, 'waiting')));
    const known = await stage.until('its session is known', (state) =>
      (selectRun(state, 'r1')?.sessions ?? []).some(
        (id) => selectSession(state, id)?.purpose.for === 'attempt',
      ),
    );
    const missing =
      (selectRun(known, 'r1')?.sessions ?? []).find(
        (id) => selectSession(known, id)?.purpose.for === 'attempt',
      ) ?? assert.fail();
    await eventually('what it said is noted', () =>
      stage.outcomeOf(missing).includes('"output":20'),
    );
    end(stage.metaOf(missing).pid, stage.home);
    assert.equal((await run).code, 0);
    const [first = '', second = ''] = stage.started();
    assert.doesNotMatch(first, /--resume/);
    assert.match(second, new RegExp(`--resume ${conversation}`));
    const state = await stage.state();
    assert.deepEqual(
      [
        selectSession(state, missing)?.life.at,
        selectSession(state, missing)?.conversation,
        selectSession(state, missing)?.usage,
      ],
      ['lost', conversation, {input: 100, output: 20}],
    );
    assert.equal(stage.eventsOf('attempt-interrupted').length, 1);
    assert.equal(stage.eventsOf('task-merged').length, 1);
  });

  it('a model that was named reaches its agent, and is told', async (t) => {
    const stage = createClaudeFixture(t);
    const {code, err} = await stage.objective(
      '--agent',
      'claude',
      '--planner',
      'pretend',
      '--model',
      'sonnet-9',
      '--approve',
    );
    assert.equal(code, 0, err);
    assert.match(stage.started()[0] ?? '', /--model sonnet-9/);
    assert.equal(stage.eventsOf('run-created')[0]?.request.model, 'sonnet-9');
    assert.match(stage.run('status').out, /sonnet-9 works/);
    assert.match(stage.run('audit').out, /claude sonnet-9/);
    const wrong = await stage.objective('--model', '--yolo');
    assert.notEqual(wrong.code, 0);
    const deaf = await stage.objective('--agent', 'pretend', '--model', 'sonnet-9');
    assert.equal(deaf.code, 2);
    assert.match(
      deaf.err,
      /pretend takes no model: its arguments have no \{model\}\. Add it under agents\.pretend in \.orchestra\/project\.yaml, or name no model/,
    );
  });

  it("the model of the project is the agent's, unless the run names another", async (t) => {
    const stage = createClaudeFixture(t);
    writeFileSync(
      path.join(stage.root, '.orchestra', 'project.yaml'),
      `models: {claude: opus-9}\n${stage.read('.orchestra/project.yaml')}`,
    );
    stage.git('commit', '--quiet', '--all', '--message', 'A model');
    const {code, err} = await stage.objective(
      '--agent',
      'claude',
      '--planner',
      'pretend',
      '--approve',
    );
    assert.equal(code, 0, err);
    assert.match(stage.started()[0] ?? '', /--model opus-9/);
  });

  it('an agent that is typed to gets its prompt once, and is done when it ends', async (t) => {
    const program = path.join(pretendAgents, 'typed.mjs');
    const fixture = createFixture(t, {tasks: [{id: 't1', files: ['b.txt']}]});
    writeFileSync(
      path.join(fixture.root, '.orchestra', 'project.yaml'),
      `${fixture.read('.orchestra/project.yaml')}  typed: {plan: [${program}], work: [${program}, --works], prompt: typed, patterns: {ready: '^>'}}\n`,
    );
    fixture.git('commit', '--quiet', '--all', '--message', 'An agent');
    const run = fixture.objective('--agent', 'typed', '--planner', 'pretend', '--approve');
    await eventually('it has done it', () =>
      existsSync(path.join(fixture.worktree('r1.t1'), 'b.txt')),
    );
    const {session} =
      fixture.eventsOf('session-asked').findLast(({purpose}) => purpose.for === 'attempt') ??
      assert.fail();
    await fixture.until(
      'the prompt is known to be taken',
      (state) => selectSession(state, session)?.inputs[0]?.fate === 'typed',
    );
    assert.equal(fixture.run('send', session, 'exit').code, 0);
    await run;
    await fixture.until('it is merged', () => fixture.eventsOf('task-merged').length === 1);
    assert.deepEqual(
      fixture.eventsOf('input-asked').map(({input, prompt}) => [input, prompt !== undefined]),
      [
        [1, true],
        [2, false],
      ],
    );
  });

  it('the project file chooses how its agent works, and an option of the run is before it', async (t) => {
    const program = path.join(pretendAgents, 'typed.mjs');
    const fixture = createFixture(t, {tasks: [{id: 't1', files: ['b.txt']}]});
    writeFileSync(
      path.join(fixture.root, '.orchestra', 'project.yaml'),
      `${fixture.read('.orchestra/project.yaml')}  typed: {plan: [${program}], work: [${program}, --works, --signals], prompt: typed, patterns: {ready: '^>'}, workers: interactive}\n`,
    );
    fixture.git('commit', '--quiet', '--all', '--message', 'An agent');
    await fixture.objective('--agent', 'typed', '--planner', 'pretend', '--approve');
    await fixture.until('it is merged', () => fixture.eventsOf('task-merged').length === 1);
    assert.deepEqual(
      fixture
        .eventsOf('session-asked')
        .flatMap(({purpose}) => (purpose.for === 'attempt' ? [purpose.mode] : [])),
      ['interactive'],
    );
    const shown = fixture.run('status', 'r1', '--json');
    const {runs} = JSON.parse(shown.out) as {
      readonly runs: readonly {readonly workers: string; readonly modes: string}[];
    };
    assert.deepEqual(
      runs.map(({workers, modes}) => [workers, modes]),
      [['interactive', 'typed works in its own interface']],
    );
    for (const [options, expected] of [
      [['--interactive', '--headless'], /expected --interactive or --headless, got both/],
      [
        ['--planners', 'both'],
        /expected --planners interactive or --planners headless, got "both"/,
      ],
      [
        ['--agent', 'pretend', '--interactive'],
        /expected an agent with an interface of its own \(claude, codex, gemini, opencode, pi, typed\), got pretend\. .*--interactive/,
      ],
    ] as const) {
      const rejected = fixture.run('run', 'Again', '--planner', 'pretend', ...options);
      assert.equal(rejected.code, 2);
      assert.match(rejected.err.replaceAll(/\s+/g, ' '), expected);
    }

    assert.equal(
      fixture.run('queue', 'add', 'Later', '--agent', 'typed', '--planner', 'pretend', '--headless')
        .code,
      0,
    );
    assert.equal(fixture.eventsOf('run-created').at(-1)?.request.workers, 'headless');
  });
});
