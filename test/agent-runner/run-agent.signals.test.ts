import assert from 'node:assert/strict';
import process from 'node:process';
import {readFileSync, readdirSync} from 'node:fs';
import {before, describe, test} from 'node:test';
import {startInTerminal} from '../system/support/terminal-program.ts';
import {eventually} from '../support/eventually.ts';
import {bundleProgram} from '../support/bundle-program.ts';
import {
  createDaemonFixture,
  description,
  ends,
  getArguments,
  init,
  leftIn,
  start,
} from './support/pretend.ts';

let renderer = '';
before(async () => {
  renderer = await bundleProgram('test/agent-runner/programs/render.ts');
});

function getChildren(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((one) => {
      try {
        return (
          readFileSync(`/proc/${one}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === String(pid)
        );
      } catch {
        return false;
      }
    });
}

describe('a signal to the renderer alone reaches the agent:', () => {
  for (const [signal, status] of [
    ['SIGTERM', 143],
    ['SIGINT', 130],
    ['SIGHUP', 129],
  ] as const) {
    test(signal, async (t) => {
      const started = start(renderer, createDaemonFixture(t), {
        chunks: [init, description('Working.')],
        hangs: true,
      });
      await eventually('it works', () => started.screen().includes('Working.'));
      started.kill(signal);
      const {code, outcome} = await started.ended;
      assert.deepEqual(
        [code, outcome?.at, outcome?.words, outcome?.conversation],
        [status, 'interrupted', `claude was stopped by ${signal}.`, 's-1'],
      );
    });
  }

  test('one that the agent lives through does not end the renderer', async (t) => {
    const fixture = createDaemonFixture(t);
    const started = start(renderer, fixture, {
      chunks: [init, description('Working.')],
      hangs: true,
      ignores: ['SIGINT'],
    });
    await eventually('it works', () => started.screen().includes('Working.'));
    started.kill('SIGINT');
    await eventually('the agent got it', () => started.screen().includes('got SIGINT'));
    assert.equal(
      leftIn(fixture).outcome?.words,
      'claude was stopped before it finished its output.',
    );
    started.kill('SIGTERM');
    assert.equal((await started.ended).outcome?.at, 'interrupted');
  });
});

test('what is killed is seen, and what it said before was shown', async (t) => {
  const started = start(renderer, createDaemonFixture(t), {
    chunks: [init, description('Working.')],
    hangs: true,
  });
  await eventually('it works', () => started.screen().includes('Working.'));
  const [agent] = getChildren(started.pid);
  process.kill(agent ?? assert.fail(), 'SIGKILL');
  const {code, outcome} = await started.ended;
  assert.deepEqual([code, outcome?.words], [137, 'claude was stopped by SIGKILL.']);
});

test('of a renderer that is killed the conversation and what it used are known', async (t) => {
  const fixture = createDaemonFixture(t);
  const started = start(renderer, fixture, {chunks: [init, description('Working.')], hangs: true});
  await eventually('what it used is noted', () => leftIn(fixture).outcome?.usage !== undefined);
  const [agent] = getChildren(started.pid);
  started.kill('SIGKILL');
  await started.ended;
  process.kill(agent ?? assert.fail(), 'SIGKILL');
  assert.deepEqual(leftIn(fixture).outcome, {
    at: 'interrupted',
    words: 'claude was stopped before it finished its output.',
    conversation: 's-1',
    usage: {input: 5, output: 2},
  });
});

test('Ctrl-C in the terminal ends the agent and leaves an outcome', async (t) => {
  const fixture = createDaemonFixture(t);
  const terminal = await startInTerminal(
    t,
    [
      process.execPath,
      renderer,
      ...getArguments(fixture, {chunks: [init, description('Working.')], hangs: true}),
    ],
    {cwd: fixture.directory},
  );
  await eventually('it works', () => terminal.screen().includes('Working.'));
  terminal.type('\u0003');
  await eventually('it ends', () => terminal.hasExited());
  assert.equal(leftIn(fixture).outcome?.words, 'claude was stopped by SIGINT.');
});

test('in a terminal, too, an answer stands at the beginning of its lines', async (t) => {
  const fixture = createDaemonFixture(t);
  const terminal = await startInTerminal(
    t,
    [
      process.execPath,
      renderer,
      ...getArguments(fixture, {chunks: [init, description('One\nTwo'), ends('One\nTwo')]}),
    ],
    {cwd: fixture.directory},
  );
  await eventually('it ends', () => terminal.hasExited());
  assert.match(terminal.screen(), /^One\s*\nTwo\s*\n─ claude: done/m);
});
