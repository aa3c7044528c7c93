import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import {describe, it, type TestContext} from 'node:test';
import {spawn} from 'node-pty';
import {selectSession, selectTask, type State} from '../../../source/domain/index.ts';
import {eventually} from '../../support/eventually.ts';
import {end, launcher} from '../../daemon/support/daemon-fixture.ts';
import {createFixture, type LoopFixture, pretendAgents} from './support/loop-fixture.ts';

type ForgetfulStage = LoopFixture & {
  readonly following: ReturnType<LoopFixture['objective']>;
  /** Files in its home by which its worker knows what to do. */
  readonly mark: (name: string) => void;
  readonly unmark: (name: string) => void;
  /** Of each start the conversation that it was to go on with, or `fresh`. */
  readonly resumed: () => readonly string[];
  readonly notified: (start: number) => string;
};

/**
 * A claude whose first start is about to be killed: it has said which conversation it has, and not
 * kept it.
 */
async function createForgetfulStage(t: TestContext): Promise<ForgetfulStage> {
  const bin = mkdtempSync(path.join(os.tmpdir(), 'orchestra-forget-'));
  writeFileSync(
    path.join(bin, 'claude'),
    `#!/bin/sh\nexec sh ${path.join(pretendAgents, 'forget.sh')} "$@"\n`,
  );
  chmodSync(path.join(bin, 'claude'), 0o755);
  const fixture = createFixture(t, {
    env: {PATH: `${bin}:${path.dirname(process.execPath)}:${process.env['PATH'] ?? ''}`},
  });
  // After the end of the fixture: until then its agents write there.
  t.after(() => {
    rmSync(bin, {recursive: true, force: true});
  });
  mkdirSync(path.join(fixture.home, '.claude'), {recursive: true});
  const mark = (name: string): void => {
    writeFileSync(path.join(fixture.home, name), '');
  };
  mark('waits');
  const following = fixture.objective('--agent', 'claude', '--planner', 'pretend', '--approve');
  await eventually('it has said which conversation it has', () =>
    existsSync(path.join(fixture.home, 'waiting')),
  );
  await eventually('that is noted', () => fixture.outcomeOf('s2').includes(first));
  return {
    ...fixture,
    following,
    mark,
    unmark: (name) => {
      rmSync(path.join(fixture.home, name));
    },
    resumed: () => readFileSync(path.join(fixture.home, 'started'), 'utf8').trim().split('\n'),
    notified: (start) => readFileSync(path.join(fixture.home, `told-${start}`), 'utf8'),
  };
}

const first = '00000000-0000-4000-8000-000000000001';

/** The keeper of the worker that works now is killed, and with it the worker. */
function killWorker(fixture: LoopFixture): void {
  const {session} =
    fixture.eventsOf('session-asked').findLast(({purpose}) => purpose.for === 'attempt') ??
    assert.fail();
  end(fixture.metaOf(session).pid, fixture.home);
}

function attemptsIn(state: State): readonly (readonly [number, string, number])[] {
  return (selectTask(state, 'r1.t1')?.attempts ?? []).map(({number, step, interruptions}) => [
    number,
    step.at,
    interruptions,
  ]);
}

describe('an agent that was killed before it kept its conversation', () => {
  it('restarts with the whole prompt, and its one retry is unspent', async (t) => {
    const stage = await createForgetfulStage(t);
    killWorker(stage);
    const {code, out, err} = await stage.following;
    assert.equal(code, 0, `${out}\n${err}`);
    assert.deepEqual(stage.resumed(), ['fresh', first, 'fresh']);
    assert.match(stage.notified(3), /^# Task t1: Do t1\n[\s\S]*Your brief:\n\nWrite t1\./);
    assert.deepEqual(attemptsIn(await stage.state()), [[1, 'passed', 1]]);
    assert.deepEqual(
      [
        stage.eventsOf('conversation-lost').length,
        stage.eventsOf('agent-failed').length,
        stage.eventsOf('task-merged').length,
      ],
      [1, 0, 1],
    );
    assert.match(
      out,
      /could not be resumed and starts over; this costs no try: claude has lost its conversation: No conversation found with session ID: 0{8}/,
    );
  });

  it('has failed if it fails after the restart', async (t) => {
    const stage = await createForgetfulStage(t);
    stage.mark('fails');
    killWorker(stage);
    const {code, out, err} = await stage.following;
    assert.equal(code, 0, `${out}\n${err}`);
    assert.deepEqual(attemptsIn(await stage.state()), [
      [1, 'failed', 1],
      [2, 'passed', 0],
    ]);
    assert.deepEqual(
      stage.eventsOf('agent-failed').map(({words}) => words),
      ['claude exited with code 1 before it finished. Its last output: It broke.'],
    );
    // The conversation in which it failed was named, and not kept either: that is the second
    // attempt's own to find out.
    assert.deepEqual(stage.resumed(), [
      'fresh',
      first,
      'fresh',
      '00000000-0000-4000-8000-000000000003',
      'fresh',
    ]);
  });

  it('still has no account when its service says so, and goes on with what is known once it has one', async (t) => {
    const stage = await createForgetfulStage(t);
    stage.mark('refused');
    killWorker(stage);
    assert.equal((await stage.following).code, 3);
    assert.deepEqual(
      [stage.eventsOf('conversation-lost').length, stage.eventsOf('agent-failed').length],
      [0, 0],
    );
    assert.match(stage.needs()[0]?.words ?? '', /claude has no account here: .*401/);
    assert.deepEqual(attemptsIn(await stage.state()), [[1, 'working', 1]]);
    stage.unmark('refused');
    assert.equal(stage.run('resume', 'r1.t1').code, 0);
    await stage.until('it is merged', () => stage.eventsOf('task-merged').length === 1);
    assert.deepEqual(stage.resumed(), ['fresh', first, first, 'fresh']);
    assert.deepEqual(attemptsIn(await stage.state()), [[1, 'passed', 1]]);
  });

  it('is taken over in a session with a new conversation', async (t) => {
    const stage = await createForgetfulStage(t);
    assert.equal(stage.run('takeover', 'r1.t1').code, 0);
    const fresh = await eventually('its own screen is there', async () => {
      // The session it is asked about is the one that follows the lost one: the state may be older
      // than the events.
      const [missing] = stage.eventsOf('conversation-lost');
      const known = await stage.state();
      const task = selectTask(known, 'r1.t1')?.stage;
      if (
        missing === undefined ||
        task?.at !== 'taken-over' ||
        task.session === undefined ||
        task.session === missing.session
      )
        return;
      return selectSession(known, task.session)?.life.at === 'running' && task.session;
    });
    await eventually('it takes a prompt', () => stage.outputOf(fresh).includes('❯'));
    assert.deepEqual(stage.resumed(), ['fresh', first, 'fresh']);
    assert.equal(stage.run('discard', 'r1.t1').code, 0);
    await stage.following;
  });

  it('is where the person is who takes it over in a terminal', async (t) => {
    const stage = await createForgetfulStage(t);
    const pty = spawn(process.execPath, [launcher, 'takeover', 'r1.t1'], {
      cwd: stage.root,
      env: stage.env,
      cols: 80,
      rows: 24,
    });
    let shown = '';
    const ended = Promise.withResolvers<number>();
    pty.onData((text) => {
      shown += text;
    });
    pty.onExit(({exitCode}) => {
      ended.resolve(exitCode);
    });
    let isOver = false;
    pty.onExit(() => {
      isOver = true;
    });
    t.after(() => {
      if (!isOver) pty.kill('SIGKILL');
    });
    await eventually('its own screen is there', () => shown.includes('❯'));
    pty.write('\u001D');
    assert.equal(await ended.promise, 0, shown);
    assert.deepEqual(stage.resumed(), ['fresh', first, 'fresh']);
    assert.equal(stage.run('discard', 'r1.t1').code, 0);
    await stage.following;
  });
});

describe('an agent that a person stopped', () => {
  it('goes on with its conversation when it is resumed', async (t) => {
    const stage = await createForgetfulStage(t);
    stage.mark(`kept-${first}`);
    assert.equal(stage.run('stop', 'r1.t1').code, 0);
    await stage.until('it has ended', () => stage.eventsOf('session-exited').length === 2);
    await stage.following;
    assert.deepEqual(
      stage
        .eventsOf('conversation-known')
        .map(({session, conversation}) => [session, conversation]),
      [['s2', first]],
    );
    assert.equal(stage.run('resume', 'r1.t1').code, 0);
    await stage.until('it is merged', () => stage.eventsOf('task-merged').length === 1);
    assert.deepEqual(stage.resumed(), ['fresh', first]);
    assert.deepEqual(attemptsIn(await stage.state()), [[1, 'passed', 0]]);
  });
});
