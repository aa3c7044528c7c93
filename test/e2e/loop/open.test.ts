import assert from 'node:assert/strict';
import path from 'node:path';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {describe, it, type TestContext} from 'node:test';
import {selectSession, selectTask} from '../../../source/domain/index.ts';
import {createFixture, type LoopFixture, pretendAgents} from './support/loop-fixture.ts';

const task = 'r1.t1';

type OpenFixture = LoopFixture & {
  readonly prompts: () => string[];
  /** Types into the agent's terminal, as the person does. */
  readonly typeText: (session: string, text: string) => void;
};

/** An agent with a screen of its own, which reports its turns. */
function createOpenFixture(t: TestContext, ...options: readonly string[]): OpenFixture {
  const program = path.join(pretendAgents, 'typed.mjs');
  const fixture = createFixture(t, {
    rules: '# 1. Validation\n1. It is better. `test: grep --quiet better b.txt`\n',
  });
  const record = path.join(fixture.root, '..', 'typed.jsonl');
  const argv = ['env', `TYPED=${record}`, program, '--works', '--signals', ...options].join(', ');
  writeFileSync(
    path.join(fixture.root, '.orchestra', 'project.yaml'),
    `${fixture.read('.orchestra/project.yaml')}  typed: {work: [${argv}], plan: [${program}], takeover: [${argv}], prompt: typed, patterns: {ready: '^>'}}\n`,
  );
  fixture.git('commit', '--quiet', '--all', '--message', 'An agent');
  return {
    ...fixture,
    prompts: () =>
      existsSync(record)
        ? readFileSync(record, 'utf8')
            .trimEnd()
            .split('\n')
            .flatMap((line) => (JSON.parse(line) as {readonly prompt?: string}).prompt ?? [])
        : [],
    typeText: (session, text) => {
      const {code, err} = fixture.run('send', session, text);
      assert.equal(code, 0, err);
    },
  };
}

/** It waits for the person for the nth time. */
async function waitsForPerson({needs, until}: OpenFixture): Promise<void> {
  await until('it waits for the person', () => needs().some(({kind}) => kind === 'turn'));
}

async function turnsEnded({eventsOf, until}: OpenFixture, times: number): Promise<void> {
  await until(`${times} turns ended`, () => eventsOf('turn-ended').length === times);
}

describe('an agent that is opened without a plan', () => {
  it('the person types, asks for the check, red is repaired in the same conversation, and it is accepted', async (t) => {
    const fixture = createOpenFixture(t, '--better');
    const opened = await fixture.launch('open', '--agent', 'typed', '--interactive', '--detach');
    assert.deepEqual([opened.code, opened.out], [0, 'r1\n'], opened.err);
    await waitsForPerson(fixture);
    fixture.typeText('s1', 'Make it better');
    await turnsEnded(fixture, 1);
    await waitsForPerson(fixture);
    assert.equal(fixture.eventsOf('change-captured').length, 0, 'nothing is checked by itself');
    const shown = fixture.run('needs').out;
    for (const way of ['attach s1', `check ${task}`, `discard ${task}`])
      assert.match(shown, new RegExp(`orchestra ${way}`));

    const checked = fixture.run('check', 'r1');
    assert.equal(checked.code, 0, checked.err);
    await fixture.until('it is merged', () => fixture.eventsOf('task-merged').length === 1);
    assert.deepEqual(
      fixture.eventsOf('session-continued').map(({session, attempt}) => [session, attempt]),
      [['s1', 2]],
    );
    const [typed, repair, ...more] = fixture.prompts();
    assert.equal(typed, 'Make it better');
    assert.match(repair ?? '', /TEST_FAILURE|grep/);
    assert.deepEqual(more, []);
    assert.equal(fixture.eventsOf('planning-started').length, 0);
    assert.equal(fixture.run('accept', 'r1').code, 0);
    assert.equal(fixture.read('b.txt'), 'better\n');
  });

  it('its prompt is typed; a report at the end of a turn has the work checked', async (t) => {
    const fixture = createOpenFixture(t, '--reports');
    const opened = await fixture.launch(
      'open',
      'Make it better until it is done',
      '--agent',
      'typed',
      '--interactive',
    );
    assert.equal(opened.code, 0, opened.err);
    assert.match(opened.out, /r1 is ready on orchestra\/r1/);
    assert.equal(fixture.prompts().length, 1);
    assert.match(fixture.run('check', 'r1').err, /already checked and merged/);
  });

  it('without a terminal it is headless, and checked at its end', async (t) => {
    const fixture = createFixture(t);
    const opened = await fixture.launch('open', 'Make it better');
    assert.equal(opened.code, 0, opened.err);
    const [created] = fixture.eventsOf('run-created');
    assert.equal(created?.request.workers, 'headless');
    assert.equal(fixture.run('accept', 'r1').code, 0);
    assert.equal(fixture.read('t1.txt').trim(), 'done by t1');
  });

  it('it survives kill -9 of the daemon: the person goes on in the same session', async (t) => {
    const fixture = createOpenFixture(t);
    await fixture.launch('open', '--agent', 'typed', '--interactive', '--detach');
    await waitsForPerson(fixture);
    await fixture.killDaemon('SIGKILL');
    fixture.typeText('s1', 'Make it better');
    await turnsEnded(fixture, 1);
    await fixture.killDaemon('SIGKILL');
    fixture.run('check', task);
    await fixture.killDaemon('SIGKILL');
    await fixture.until('it is merged', (state) => selectTask(state, task)?.stage.at === 'merged');
    assert.equal(
      fixture.eventsOf('session-asked').filter(({purpose}) => purpose.for === 'attempt').length,
      1,
    );
    assert.deepEqual(fixture.prompts(), ['Make it better']);
  });

  it('what is discarded is kept in a ref', async (t) => {
    const fixture = createOpenFixture(t);
    await fixture.launch('open', '--agent', 'typed', '--interactive', '--detach');
    await waitsForPerson(fixture);
    fixture.typeText('s1', 'Make it better');
    await turnsEnded(fixture, 1);
    assert.equal(fixture.run('discard', task).code, 0);
    await fixture.until('its worktree is gone', () => !existsSync(fixture.worktree(task)));
    assert.equal(fixture.git('show', 'refs/orchestra/backup/r1.t1-1:b.txt'), 'better\n');
  });

  it('an agent that the person closes waits for them, and is checked when they ask', async (t) => {
    const fixture = createOpenFixture(t);
    await fixture.launch('open', '--agent', 'typed', '--interactive', '--detach');
    await waitsForPerson(fixture);
    fixture.typeText('s1', 'Make it better');
    await turnsEnded(fixture, 1);
    fixture.typeText('s1', 'exit');
    await fixture.until(
      'it has ended',
      (state) => selectSession(state, 's1')?.life.at === 'exited',
    );
    assert.match(fixture.needs()[0]?.words ?? '', /has ended/);
    assert.equal(fixture.run('check', 'r1').code, 0);
    await fixture.until('it is merged', () => fixture.eventsOf('task-merged').length === 1);
  });

  it('a planner goes on from its work, and what comes of it contains that work', async (t) => {
    const fixture = createOpenFixture(t);
    await fixture.launch('open', '--agent', 'typed', '--interactive', '--detach');
    await waitsForPerson(fixture);
    fixture.typeText('s1', 'Make it better');
    await turnsEnded(fixture, 1);
    assert.match((await fixture.objective('--from', 'r7')).err, /no run r7/);
    const planned = await fixture.objective('--from', 'r1', '--agent', 'pretend', '--approve');
    assert.equal(planned.code, 0, planned.out + planned.err);
    assert.equal(fixture.run('accept', 'r2').code, 0);
    assert.equal(fixture.read('b.txt'), 'better\n');
    assert.equal(fixture.read('t1.txt').trim(), 'done by t1');
    assert.ok(existsSync(fixture.worktree(task)), 'the session is still there');
    assert.match((await fixture.objective('--from', 'r2')).err, /has a plan of its own/);
  });

  it('it starts on a branch of the person, and is accepted into it', async (t) => {
    const fixture = createFixture(t);
    fixture.git('branch', 'feature');
    const taken = fixture.run('open', 'Make it better', '--branch', 'main');
    assert.equal(taken.code, 1);
    assert.match(taken.err, /main is checked out in .*--on main/);
    const wrong = fixture.run('open', 'Make it better', '--on', 'nowhere');
    assert.match(wrong.err, /expected a branch, tag or commit to start from, got "nowhere"/);
    const opened = await fixture.launch('open', 'Make it better', '--branch', 'feature');
    assert.equal(opened.code, 0, opened.err);
    assert.equal(fixture.run('accept', 'r1').code, 0);
    assert.equal(fixture.git('show', 'feature:t1.txt').trim(), 'done by t1');
    assert.ok(!existsSync(path.join(fixture.root, 't1.txt')), 'the checkout is on main');
    const named = await fixture.launch('open', 'Make it better', '--branch', 'topic/new');
    assert.equal(named.code, 0, named.out + named.err);
    assert.match(fixture.git('branch', '--list', 'topic/*'), /topic\/new/);
  });
});
