import assert from 'node:assert/strict';
import path from 'node:path';
import process from 'node:process';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {describe, test} from 'node:test';
import {end} from '../../daemon/support/daemon-fixture.ts';
import type {Asked, Call, Turn} from '../model-server/script.ts';
import {actionNames} from './support/action-names.ts';
import {processesIn} from './support/processes-in.ts';
import {type RunHarness, startRun} from './support/run-harness.ts';

const names = (process.env['AGENT'] ?? 'claude,codex,gemini,opencode,pi').split(',');
const inSandbox = 'sandbox: required\n';

for (const name of names) {
  const write = (directory: string, text: string): Call =>
    (actionNames[name]?.write ?? assert.fail(name))(path.join(directory, 'b.txt'), text);

  describe(`${name}, in its own interface, while it works`, () => {
    test('kill -9 of the agent, of its keeper and of the daemon: it continues its conversation, and all tokens are counted', async (t) => {
      const rest = Promise.withResolvers<Turn>();
      let answers = 0;
      const harness = await startRun(
        t,
        name,
        (directory) => async (asked) => {
          if (asked.tools.length === 0) return {text: 'A title'};
          const turn =
            asked.results.length === 0
              ? {text: 'I write it.', calls: [write(directory(), 'better\n')]}
              : await rest.promise;
          answers++;
          return turn;
        },
        {check: 'grep --quiet better b.txt', project: inSandbox},
      );
      const {place} = harness;
      const worktree = `${place.root}.worktrees/r1-t1`;
      const working = async (number: number): Promise<string> => {
        await harness.until(
          `session ${number} waits for its model`,
          async () =>
            (await harness.workers())[number - 1]?.turn?.at === 'open' &&
            harness.server.asked.filter(({results}) => results.length > 0).length >= number,
        );
        return (await harness.workers())[number - 1]?.id ?? assert.fail();
      };

      await working(1);
      for (const one of processesIn(worktree)) if (!one.includes('bwrap')) kill(parseInt(one, 10));
      const second = await working(2);
      end(place.metaOf(second).pid, place.home);
      const third = await working(3);
      await place.killDaemon('SIGKILL');
      await harness.state();
      rest.resolve({text: 'There it is.'});
      await harness.until(
        'it is merged',
        async () => (await harness.task())?.stage.at === 'merged',
      );
      const sessions = await harness.workers();
      assert.deepEqual(
        sessions.map(({id, conversation}) => [id, conversation]),
        [sessions[0]?.id, second, third].map((id) => [id, sessions[0]?.conversation]),
        'three sessions, one conversation',
      );
      assert.notEqual(sessions[0]?.conversation, undefined);
      assert.deepEqual(
        (await harness.task())?.attempts.map(({interruptions, step}) => [interruptions, step.at]),
        [[2, 'passed']],
      );
      // Answers that nobody waited for any more were not sent.
      const sent = answers - 2;
      tokensAre(sessions, sent);
    });

    test('a person types in between, and their unfinished text holds the next prompt', async (t) => {
      const rest = Promise.withResolvers<undefined>();
      const harness = await startRun(
        t,
        name,
        (directory) => async (asked) => {
          if (asked.tools.length === 0) return {text: 'A title'};
          if (asked.results.length === 0)
            return {text: 'I write it.', calls: [write(directory(), 'hello\n')]};
          await rest.promise;
          return isRepair(asked) && asked.results.length === 1
            ? {text: 'I repair it.', calls: [write(directory(), 'better\n')]}
            : {text: 'There it is.'};
        },
        {
          check: 'while [ ! -e $GATE ]; do sleep 0.2; done; grep --quiet better b.txt',
          project: inSandbox,
        },
      );
      const {id} = await harness.until(
        'it works',
        async () =>
          harness.server.asked.some(({results}) => results.length > 0) &&
          (await harness.workers())[0],
      );
      await type(harness, id, 'Also greet Bob.');
      await harness.press(id, '\r');
      rest.resolve(undefined);
      await harness.until('the model reads it', () =>
        harness.server.asked.some(({user}) => user.join('\n').includes('Also greet Bob.')),
      );
      await harness.until(
        'it waits at its prompt, and the check runs',
        async () =>
          (await harness.workers())[0]?.turn?.at === 'ended' &&
          (await harness.task())?.attempts.at(-1)?.step.at === 'checking',
      );
      await type(harness, id, 'half a thought');
      const asked = harness.server.asked.length;
      writeFileSync(harness.gate, '');
      const need = await harness.until('their text is a need', async () =>
        (await harness.needs()).find(({kind}) => kind === 'draft'),
      );
      assert(need.kind === 'draft');
      assert.equal(need.session, id);
      assert.match(harness.screen(id), /half a thought/);
      assert.equal(harness.server.asked.length, asked, 'nothing was typed');
      await harness.press(id, '\u007F'.repeat('half a thought'.length));
      await harness.until(
        'it is merged',
        async () => (await harness.task())?.stage.at === 'merged',
      );
      assert.deepEqual(
        (await harness.task())?.attempts.map(({step}) => step.at),
        ['failed', 'passed'],
      );
      assert.equal((await harness.workers()).length, 1, 'one session');
      assert.equal(
        harness.server.asked.some(({user}) => user.join('\n').includes('half a thought')),
        false,
      );
      const all = harness.server.asked.filter(({tools}) => tools.length > 0);
      const sessions = await harness.workers();
      const input = sessions.reduce((sum, {usage}) => sum + usage.input, 0);
      // Codex may drop the answer during which a person types, and does not count it itself.
      const isDropped = name === 'codex' && input === (all.length - 1) * 100;
      tokensAre(
        sessions,
        isDropped ? all.length - 1 : all.length,
        JSON.stringify([
          all.map(({user, results}) => [user.at(-1)?.slice(0, 60), results.length]),
          harness.eventsOf('usage-counted').map(({usage}) => usage),
        ]),
      );
    });

    test('a person takes it over in the same conversation and hands it back, and it is validated', async (t) => {
      const hasWritten: number[] = [];
      const harness = await startRun(
        t,
        name,
        (directory) => (asked) => {
          if (asked.tools.length === 0) return {text: 'A title'};
          if (asked.user.some((text) => text.includes('Now write better.'))) {
            hasWritten.push(asked.results.length);
            return hasWritten.length === 1
              ? {text: 'I write it.', calls: [write(directory(), 'better\n')]}
              : {text: 'There it is.'};
          }

          return asked.results.length === 0
            ? {text: 'I write it.', calls: [write(directory(), 'hello\n')]}
            : {text: 'I wait.', hangs: true};
        },
        {check: 'grep --quiet better b.txt', project: inSandbox},
      );
      const {place} = harness;
      await harness.until(
        'it works',
        async () =>
          harness.server.asked.some(({results}) => results.length > 0) &&
          (await harness.workers())[0]?.conversation,
      );
      const taken = place.run('takeover', 'r1.t1');
      assert.equal(taken.code, 0, taken.err);
      const session = await harness.until('its own screen is there', async () => {
        const stage = (await harness.task())?.stage;
        return stage?.at === 'taken-over' ? stage.session : undefined;
      });
      const ready = new RegExp(
        harness.driver.screen.ready?.replace(/^\^/, '') ?? assert.fail(),
        'm',
      );
      // Gemini shows its prompt before it reads keys, and drops those that come too early.
      let [last, since] = ['', Date.now()];
      await harness.until('it is at its prompt, and the screen is still', () => {
        const now = endOfScreen(harness, session);
        if (now !== last) [last, since] = [now, Date.now()];
        return ready.test(now) && Date.now() - since > 2000;
      });
      await type(harness, session, 'Now write better.');
      await harness.press(session, '\r');
      const file = path.join(`${place.root}.worktrees/r1-t1`, 'b.txt');
      await harness.until('it wrote it', async () => {
        const asking = (await harness.needs()).find(
          (need) => need.kind === 'question' && need.options !== undefined,
        );
        if (asking !== undefined) place.run('send', session, '1');
        return existsSync(file) && readFileSync(file, 'utf8') === 'better\n';
      });
      const back = place.run('resume', 'r1.t1');
      assert.equal(back.code, 0, back.err);
      await harness.until(
        'it is merged',
        async () => (await harness.task())?.stage.at === 'merged',
      );
      assert.equal((await harness.task())?.attempts.at(-1)?.by, 'person');
    });
  });
}

function isRepair({user}: Asked): boolean {
  return user.some((text) => text.includes('TEST_FAILURE'));
}

/** Types text in the pane and waits until it stands there. */
async function type(harness: RunHarness, session: string, text: string): Promise<void> {
  await harness.press(session, text);
  // Gemini takes an Enter right after other keys for a part of a paste.
  let last = '';
  await harness.until(`“${text}” stands there, and the screen is still`, () => {
    const before = last;
    last = endOfScreen(harness, session);
    return last === before && last.includes(text);
  });
}

function endOfScreen(harness: RunHarness, session: string): string {
  const [, screen = ''] = harness.screen(session).split('the end of its screen');
  // Without what turns while the agent works.
  return (screen.split(/^\s*Environment:/m)[0] ?? '').replaceAll(/[\u2800-\u28FF]/gu, '');
}

function tokensAre(
  sessions: Awaited<ReturnType<RunHarness['workers']>>,
  answers: number,
  more = '',
): void {
  assert.deepEqual(
    [
      sessions.reduce((sum, {usage}) => sum + usage.input, 0),
      sessions.reduce((sum, {usage}) => sum + usage.output, 0),
    ],
    [answers * 100, answers * 20],
    `the tokens of ${answers} answers ${more}`,
  );
}

/** It may have ended with its parent. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
}
