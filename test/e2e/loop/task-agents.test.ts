import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import {chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {describe, it, type TestContext} from 'node:test';
import {
  selectRun,
  selectSession,
  selectTaskSessions,
  type State,
  type TaskId,
} from '../../../source/domain/index.ts';
import {
  createFixture,
  type LoopFixture,
  pretendAgents,
  type StagedTask,
} from './support/loop-fixture.ts';

/** Two agents besides the run's own, each a program of its own; `unavailable` has no account. */
function createAgentsFixture(
  t: TestContext,
  {
    tasks,
    fallback = '',
    alpha = 'echo "by alpha" > "$task.txt"',
  }: {
    readonly tasks: readonly (StagedTask & {readonly agent?: string; readonly model?: string})[];
    readonly fallback?: string;
    readonly alpha?: string;
  },
): LoopFixture & {readonly bin: string} {
  const bin = mkdtempSync(path.join(os.tmpdir(), 'orchestra-task-agents-'));
  const put = (name: string, script: string): void => {
    const file = path.join(bin, name);
    writeFileSync(file, `#!/bin/sh\ntask=\${ORCHESTRA_OWNER##*.}\n${script}\n`);
    chmodSync(file, 0o755);
  };
  put('alpha', `echo "$@" >> ${bin}/alpha.log; ${alpha}`);
  put('beta', `echo "$@" >> ${bin}/beta.log; echo "by beta" > "$task.txt"`);
  const fixture = createFixture(t, {
    tasks,
    env: {PATH: `${bin}:${process.env['PATH'] ?? ''}`},
    project: `limits:\n  pauseSeconds: 1\n  pauseMinutes: 1\n${fallback}`,
  });
  t.after(() => {
    rmSync(bin, {recursive: true, force: true});
  });
  const plan = `[sh, ${path.join(pretendAgents, 'plan.sh')}, '{promptFile}', '{outcomeFile}']`;
  const declare = (name: string): string =>
    `  ${name}: {plan: ${plan}, work: [${name}, '{promptFile}', '{outcomeFile}', '{model}'], resume: [${name}, '{promptFile}', '{outcomeFile}', '{model}', '{conversation}'], model: ${name}-1, prompt: file}\n`;
  writeFileSync(
    path.join(fixture.root, '.orchestra', 'project.yaml'),
    `${fixture.read('.orchestra/project.yaml')}${declare('alpha')}${declare('beta')}`,
  );
  fixture.git('commit', '--quiet', '--all', '--message', 'Agents');
  return {...fixture, bin};
}

/** An agent whose service wants an account, and names its conversation. */
const unavailable =
  'printf \'{"at":"unavailable","words":"log in first","conversation":"of-alpha"}\' > "$2"; exit 1';

function agentsOf(state: State, task: TaskId): readonly string[] {
  return selectTaskSessions(state, task)
    .filter(({purpose}) => purpose.for === 'attempt')
    .map(({agent = 'pretend'}) => agent);
}

describe('the agent of a task', () => {
  it('is the one that the plan names, with its model; the others get the agent of the run', async (t) => {
    const fixture = createAgentsFixture(t, {
      tasks: [{id: 't1', agent: 'alpha', model: 'big-1'}, {id: 't2', agent: 'beta'}, {id: 't3'}],
    });
    const {code, err} = await fixture.objective('--approve');
    assert.equal(code, 0, err);
    const state = await fixture.state();
    assert.deepEqual(
      (['r1.t1', 'r1.t2', 'r1.t3'] as const).map((task) => agentsOf(state, task)),
      [['alpha'], ['beta'], ['pretend']],
    );
    assert.match(readFileSync(path.join(fixture.bin, 'alpha.log'), 'utf8'), / big-1$/m);
    assert.match(readFileSync(path.join(fixture.bin, 'beta.log'), 'utf8'), / beta-1$/m);
    const {out} = fixture.run('status', 'r1');
    assert.match(out, /alpha with big-1/);
    assert.match(out, /beta/);
    assert.match(fixture.run('plan', 'show', 'r1').out, /agent: alpha\n.*model: big-1/);
    assert.match(fixture.run('audit').out, /alpha big-1/);
  });

  it('that is not here is a problem of the plan, with the names of those that are', async (t) => {
    const fixture = createAgentsFixture(t, {tasks: [{id: 't1', agent: 'alphas'}]});
    const {code, out} = await fixture.objective('--approve');
    assert.equal(code, 3, out);
    const [problem = ''] = fixture.eventsOf('plan-invalid').flatMap(({problems}) => problems);
    assert.match(
      problem,
      /tasks\[0\]\.agent: "alphas" is not an agent here\. Did you mean "alpha"\? A task may name: pretend, alpha, beta/,
    );
  });

  it('is chosen before the approval, which then covers it', async (t) => {
    const fixture = createAgentsFixture(t, {tasks: [{id: 't1'}]});
    assert.equal((await fixture.objective()).code, 3);
    const before = fixture.json('plan', 'show', 'r1') as {readonly hash: string};
    const wrong = fixture.run('plan', 'set', 'r1.t1', '--agent', 'gamma');
    assert.equal(wrong.code, 2, wrong.out);
    assert.match(wrong.err, /"gamma" is not an agent here\. A task may name: pretend, alpha, beta/);
    assert.match(fixture.run('plan', 'set', 'r1.t1', '--model', 'm').err, /pretend takes no model/);
    assert.match(fixture.run('plan', 'set', 'r1.t1').err, /expected --agent, --model or --tries/);
    assert.match(fixture.run('plan', 'set', 'r1.t9', '--agent', 'beta').err, /has no task t9/);
    const set = fixture.run('plan', 'set', 'r1.t1', '--agent', 'beta', '--model', 'b-2');
    assert.equal(set.code, 0, set.err);
    assert.match(set.out, /r1\.t1: beta with b-2/);
    const after = fixture.json('plan', 'show', 'r1') as {readonly hash: string};
    assert.notEqual(after.hash, before.hash);
    const old = fixture.run('plan', 'approve', 'r1', '--hash', before.hash);
    assert.notEqual(old.code, 0);
    const back = fixture.run('plan', 'set', 'r1.t1', '--no-agent', '--no-model');
    assert.equal(back.code, 0, back.err);
    assert.equal((fixture.json('plan', 'show', 'r1') as {readonly hash: string}).hash, before.hash);
    fixture.run('plan', 'set', 'r1.t1', '--agent', 'beta');
    const done = await fixture.launch('plan', 'approve', 'r1', '--follow');
    assert.equal(done.code, 0, done.err);
    assert.deepEqual(agentsOf(await fixture.state(), 'r1.t1'), ['beta']);
  });

  it('keeps its own conversation for the repair', async (t) => {
    const fixture = createAgentsFixture(t, {
      tasks: [{id: 't1', agent: 'alpha'}],
      alpha: `[ -e \${0}.again ] && echo fine > t1.txt || echo red > t1.txt; touch \${0}.again; printf '{"at":"finished","words":"done","conversation":"of-alpha"}' > "$2"`,
    });
    const {code, err} = await fixture.objective('--approve');
    assert.equal(code, 0, err);
    const starts = readFileSync(path.join(fixture.bin, 'alpha.log'), 'utf8').trim().split('\n');
    assert.equal(starts.length, 2);
    assert.match(starts[1] ?? '', / alpha-1 of-alpha$/);
    assert.deepEqual(agentsOf(await fixture.state(), 'r1.t1'), ['alpha', 'alpha']);
  });
});

describe('an agent that is unavailable', () => {
  it('is replaced by the next one of `fallback`: no attempt is used, and no conversation is passed on', async (t) => {
    const fixture = createAgentsFixture(t, {
      tasks: [{id: 't1', agent: 'alpha'}],
      fallback: 'fallback: [alpha, beta]\n',
      alpha: unavailable,
    });
    const {code, err, out} = await fixture.objective('--approve');
    assert.equal(code, 0, err);
    const state = await fixture.state();
    assert.deepEqual(agentsOf(state, 'r1.t1'), ['alpha', 'beta']);
    assert.deepEqual(
      fixture.eventsOf('agent-replaced').map(({attempt, from, to}) => [attempt, from, to]),
      [[1, 'alpha', 'beta']],
    );
    assert.equal(selectRun(state, 'r1')?.tasks[0]?.attempts.length, 1);
    const [first] = selectTaskSessions(state, 'r1.t1');
    assert.equal(selectSession(state, first?.id ?? 's0')?.conversation, 'of-alpha');
    assert.doesNotMatch(readFileSync(path.join(fixture.bin, 'beta.log'), 'utf8'), /of-alpha/);
    assert.match(
      fixture.prompts().at(-1) ?? '',
      /Another agent worked on this task before you, and became unavailable/,
    );
    assert.match(out, /beta goes on with r1\.t1, because alpha is unavailable: log in first/);
    assert.match(fixture.run('timeline', 'r1').out, /beta goes on with r1\.t1/);
    assert.match(fixture.run('status', 'r1').out, /beta/);
  });

  it('whose program is gone is replaced as well', async (t) => {
    const fixture = createAgentsFixture(t, {
      tasks: [{id: 't1', agent: 'alpha'}],
      fallback: 'fallback: beta\n',
    });
    assert.equal((await fixture.objective()).code, 3);
    rmSync(path.join(fixture.bin, 'alpha'));
    const {code, err} = await fixture.launch('plan', 'approve', 'r1', '--follow');
    assert.equal(code, 0, err);
    assert.deepEqual(agentsOf(await fixture.state(), 'r1.t1'), ['alpha', 'beta']);
    assert.equal(fixture.eventsOf('agent-replaced').length, 1);
  });

  it('stops the task and asks a person without the setting, and when nobody is left', async (t) => {
    for (const fallback of ['', 'fallback: [alpha]\n']) {
      const fixture = createAgentsFixture(t, {
        tasks: [{id: 't1', agent: 'alpha'}],
        fallback,
        alpha: unavailable,
      });
      const {code, out} = await fixture.objective('--approve');
      assert.equal(code, 3, out);
      assert.deepEqual(
        fixture.needs().map(({kind}) => kind),
        ['trouble'],
      );
      assert.match(fixture.run('needs').out, /log in first/);
      assert.match(fixture.run('explain', 'r1.t1').out, /fallback/);
      assert.equal(fixture.eventsOf('agent-replaced').length, 0);
      assert.equal(fixture.eventsOf('attempt-started').length, 1);
    }
  });
});
