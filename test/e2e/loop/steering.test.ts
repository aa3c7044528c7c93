import assert from 'node:assert/strict';
import path from 'node:path';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {describe, it} from 'node:test';
import {spawn} from 'node-pty';
import {eventually} from '../../support/eventually.ts';
import {launcher} from '../../daemon/support/daemon-fixture.ts';
import {createFixture, writeHook} from './support/loop-fixture.ts';

describe('a person who steers', () => {
  it('answers the question of a worker, which is a need with the question in it', async (t) => {
    const fixture = createFixture(t, {acts: {t1: 'exec sh "$PRETEND/ask.sh"'}});
    const {code, out} = await fixture.objective('--approve');
    assert.equal(code, 3, out);
    // That it waits may be proven before its keeper has read what it asks.
    await fixture.until(
      'its question is read',
      () => fixture.eventsOf('session-waiting').at(-1)?.question !== '',
    );
    const {session, question, proof} = fixture.eventsOf('session-waiting').at(-1)!;
    assert.deepEqual([question, proof], ['Which port shall it be?', 'proven']);
    assert.match(out, new RegExp(`orchestra send ${session}`));
    assert.equal(fixture.run('send', session, '8080').code, 0);
    await fixture.until('it is merged', () => fixture.eventsOf('task-merged').length === 1);
    assert.equal(fixture.git('show', 'orchestra/r1:t1.txt'), 'port 8080\n');
  });

  it('answers a question for a password, of which only the length is ever written down', async (t) => {
    const fixture = createFixture(t, {acts: {t1: 'exec sh "$PRETEND/ask-password.sh"'}});
    assert.equal((await fixture.objective('--approve')).code, 3);
    const {session, secret} = fixture.eventsOf('session-waiting')[0]!;
    assert.equal(secret, true);
    const {code, err} = fixture.run('send', session, 'hunter2-very-secret');
    assert.deepEqual(
      [code, err],
      [
        1,
        `orchestra: ${session} asks for a secret, which orchestra never sends or records. Type it yourself: orchestra attach ${session}\n`,
      ],
    );
    assert.match(fixture.run('needs').out, new RegExp(`orchestra attach ${session}`));
    const terminal = spawn(process.execPath, [launcher, 'attach', session], {
      cwd: fixture.root,
      env: {...fixture.env},
      cols: 80,
      rows: 24,
    });
    let [shown, isOver] = ['', false];
    terminal.onExit(() => {
      isOver = true;
    });
    t.after(() => {
      if (!isOver) terminal.kill('SIGKILL');
    });
    terminal.onData((text) => {
      shown += text;
    });
    await eventually('its prompt is shown', () => shown.includes('Password:'));
    terminal.write('hunter2-very-secret\r');
    await fixture.until('it is merged', () => fixture.eventsOf('task-merged').length === 1);
    assert.equal(fixture.git('show', 'orchestra/r1:t1.txt'), 'length 19\n');
    for (const text of [
      readFileSync(path.join(fixture.current().stateDirectory, 'journal.jsonl'), 'utf8'),
      fixture.outputOf(session),
      fixture.run('timeline').out,
    ])
      assert.doesNotMatch(text, /hunter2/);
  });

  it('is told so at once by a program that asks for a secret before the daemon has seen it', async (t) => {
    const fixture = createFixture(t, {});
    const session = await fixture.start(
      'sh',
      '-c',
      'stty -echo; printf "Password: "; read -r secret; stty echo; echo "length ${#secret}"',
    );
    await eventually('it asks', () => fixture.outputOf(session).includes('Password:'));
    assert.match(
      fixture.run('send', session, 'hunter2-very-secret').err,
      new RegExp(`orchestra attach ${session}`),
    );
    assert.doesNotMatch(
      readFileSync(path.join(fixture.current().stateDirectory, 'journal.jsonl'), 'utf8'),
      /hunter2/,
    );
  });

  it('stops a run and a task, which stay stopped over a restart, and resumes them', async (t) => {
    const fixture = createFixture(t, {
      tasks: [{id: 't1'}, {id: 't2'}],
      acts: {
        t1: 'test -e "$HOME/go" && echo x > t1.txt || sleep 1000',
        t2: 'test -e "$HOME/go" && echo x > t2.txt || sleep 1000',
      },
    });
    await fixture.objective('--detach');
    await fixture.until('there is a plan', () => fixture.eventsOf('plan-received').length === 1);
    fixture.run('plan', 'approve', 'r1');
    await fixture.until(
      'both work',
      () =>
        fixture.eventsOf('attempt-started').length === 2 &&
        fixture.eventsOf('session-running').length === 3,
    );
    assert.equal(fixture.run('stop', 'r1.t1').code, 0);
    await fixture.until('one is stopped', (state) => state.live.length === 1);
    assert.equal(fixture.run('stop', 'r1').code, 0);
    await fixture.until('both are stopped', (state) => state.live.length === 0);
    await fixture.killDaemon('SIGKILL');
    await fixture.until('nothing came back', (state) => state.live.length === 0);
    writeFileSync(path.join(fixture.home, 'go'), '');
    assert.equal(fixture.run('resume', 'r1').code, 0);
    await fixture.until('the other is merged', () => fixture.eventsOf('task-merged').length === 1);
    assert.deepEqual(
      fixture.eventsOf('task-merged').map(({task}) => task),
      ['r1.t2'],
    );
    assert.equal(fixture.run('resume', 'r1.t1').code, 0);
    await fixture.until('both are merged', () => fixture.eventsOf('task-merged').length === 2);
  });

  it('queues objectives, moves and drops them; the next is planned when there is room', async (t) => {
    const fixture = createFixture(t, {project: 'limits:\n  runs: 1\n', acts: {t1: 'sleep 1000'}});
    await fixture.objective();
    fixture.run('plan', 'approve', 'r1');
    for (const text of ['second', 'third', 'fourth'])
      assert.equal(fixture.run('queue', 'add', text).code, 0);
    assert.equal(fixture.run('queue', 'move', 'r4', '1').code, 0);
    assert.equal(fixture.run('queue', 'drop', 'r2').code, 0);
    assert.deepEqual(fixture.json('queue', 'list'), {
      queue: [
        {run: 'r4', place: 1, objective: 'fourth'},
        {run: 'r3', place: 2, objective: 'third'},
      ],
    });
    assert.equal(fixture.run('discard', 'r1').code, 0);
    await fixture.until(
      'the next is planned and waits',
      () => fixture.eventsOf('plan-received').length === 2,
    );
    assert.deepEqual(
      fixture.eventsOf('plan-received').map(({run}) => run),
      ['r1', 'r4'],
    );
    assert.equal(fixture.run('needs').code, 3);
  });

  it('restarts an agent with a fresh context in the same worktree', async (t) => {
    const fixture = createFixture(t, {
      acts: {t1: 'echo half >> t1.txt; test -e "$HOME/go" || { touch "$HOME/stuck"; sleep 1000; }'},
    });
    await fixture.objective('--detach');
    await fixture.until('there is a plan', () => fixture.eventsOf('plan-received').length === 1);
    fixture.run('plan', 'approve', 'r1');
    await eventually('it has begun, and no longer looks', () =>
      existsSync(path.join(fixture.home, 'stuck')),
    );
    writeFileSync(path.join(fixture.home, 'go'), '');
    assert.equal(fixture.run('note', 'r1.t1', 'mind the gap').code, 0);
    assert.equal(fixture.run('reset', 'r1.t1').code, 0);
    await fixture.until('it is merged', () => fixture.eventsOf('task-merged').length === 1);
    assert.equal(fixture.git('show', 'orchestra/r1:t1.txt'), 'half\nhalf\n');
    assert.match(fixture.prompts().at(-1)!, /mind the gap/);
    assert.equal(fixture.eventsOf('attempt-started').length, 1);
  });

  it('gets one object or one event for each line with --json', async (t) => {
    const fixture = createFixture(t, {});
    const both = fixture.run('run', 'Make it better', '--detach', '--approve');
    assert.equal(both.code, 2);
    assert.match(both.err, /expected --approve or --detach, got both/);
    const detached = await fixture.launch('run', 'Make it better', '--detach', '--json');
    assert.deepEqual([detached.code, JSON.parse(detached.out)], [0, {run: 'r1'}]);
    const {code, out} = await fixture.launch('run', 'Another', '--approve', '--json');
    assert.equal(code, 0);
    const events = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as {readonly type: string; readonly run?: string});
    assert.equal(events[0]?.type, 'run-created');
    assert.ok(events.some(({type, run}) => type === 'plan-approved' && run === 'r2'));
    assert.deepEqual([...new Set(events.flatMap(({run}) => run ?? []))], ['r2']);
  });
});

describe("hooks of the person's own", () => {
  it('stop the run with their output when a `before-` hook rejects, and are notified of the rest', async (t) => {
    const fixture = createFixture(t, {});
    for (const name of ['after-plan', 'after-attempt', 'after-validate', 'on-need'])
      writeHook(fixture, name, `cat >> "$HOME/${name}.log"; echo >> "$HOME/${name}.log"`);
    writeHook(
      fixture,
      'before-work',
      'cat > "$HOME/before-work.log"; test -e "$HOME/may-work" || { echo "not on a Friday"; exit 1; }',
    );
    writeHook(
      fixture,
      'before-accept',
      'test -e "$HOME/may-accept" || { echo "ask Ann first" >&2; exit 1; }',
    );
    const {code, out} = await fixture.objective('--approve');
    assert.equal(code, 3, out);
    assert.match(out, /the hook before-work refused: not on a Friday/);
    const notified = JSON.parse(
      readFileSync(path.join(fixture.home, 'before-work.log'), 'utf8'),
    ) as object;
    assert.deepEqual(notified, {
      hook: 'before-work',
      task: 'r1.t1',
      attempt: 1,
      session: 's2',
      worktree: fixture.worktree('r1.t1'),
    });
    writeFileSync(path.join(fixture.home, 'may-work'), '');
    assert.equal(fixture.run('resume', 'r1.t1').code, 0);
    await fixture.until(
      'it is ready',
      () =>
        fixture.eventsOf('task-merged').length === 1 &&
        fixture.eventsOf('summary-written').length === 2,
    );
    const rejected = fixture.run('accept', 'r1');
    assert.equal(rejected.code, 1);
    assert.match(rejected.err, /the hook before-accept refused: ask Ann first/);
    assert.equal(fixture.git('log', '--format=%s', 'main'), 'The beginning\n');
    writeFileSync(path.join(fixture.home, 'may-accept'), '');
    assert.equal(fixture.run('accept', 'r1').code, 0);
    const toLines = (
      name: string,
    ): {
      readonly hook: string;
      readonly event?: {readonly type: string};
      readonly need?: {readonly kind: string};
    }[] =>
      readFileSync(path.join(fixture.home, `${name}.log`), 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as {readonly hook: string});
    await eventually(
      'all are told',
      () => existsSync(path.join(fixture.home, 'on-need.log')) && toLines('on-need').length >= 4,
    );
    assert.deepEqual(
      toLines('after-plan').map(({event}) => event?.type),
      ['plan-received'],
    );
    assert.deepEqual(
      toLines('after-attempt').map(({event}) => event?.type),
      ['agent-finished'],
    );
    assert.deepEqual(
      toLines('after-validate').map(({event}) => event?.type),
      ['change-validated'],
    );
    assert.deepEqual(
      toLines('on-need').map(({need}) => need?.kind),
      ['plan', 'trouble', 'accept', 'accept'],
    );
  });
});

describe('what earlier tasks found out', () => {
  it('reaches later prompts, beside the skill that was chosen', async (t) => {
    const fixture = createFixture(t, {
      files: {
        '.orchestra/skills/greet/SKILL.md':
          '---\nname: greet\ndescription: How to greet.\n---\nSay "good day" first.\n',
      },
      acts: {
        t1: 'echo x >> t1.txt; printf \'{"at":"finished","words":"ok","report":{"rootCause":"The valve was stuck."}}\' > "$2"',
      },
    });
    assert.equal((await fixture.objective('--approve', '--skill', 'greet')).code, 0);
    assert.match(fixture.prompts()[1]!, /Say "good day" first\./);
    await fixture.until('of both is told', () => fixture.eventsOf('summary-written').length === 2);
    assert.equal(fixture.run('accept', 'r1').code, 0);
    const recalled = fixture.run('recall', 'stuck', 'valve');
    assert.equal(recalled.code, 0);
    assert.match(recalled.out, /r1-t1\.md/);
    assert.equal(fixture.run('recall', '--file', 't1.txt').code, 0);
    assert.equal((await fixture.launch('run', 'Once more', '--approve')).code, 0);
    assert.match(fixture.prompts().at(-1)!, /The valve was stuck\./);
  });
});
