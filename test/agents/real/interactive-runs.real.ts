import assert from 'node:assert/strict';
import path from 'node:path';
import process from 'node:process';
import {describe, test} from 'node:test';
import type {Asked, Call} from '../model-server/script.ts';
import {actionNames} from './support/action-names.ts';
import {type RunHarness, startRun} from './support/run-harness.ts';

const names = (process.env['AGENT'] ?? 'claude,codex,gemini,opencode,pi').split(',');

describe('a run whose worker is in the agent\u2019s own interface', () => {
  for (const name of names) {
    const write = (directory: string, text: string): Call =>
      (actionNames[name]?.write ?? assert.fail(name))(path.join(directory, 'b.txt'), text);

    test(`${name}: in the sandbox it works, repairs a red check in the same conversation, and is merged`, async (t) => {
      const harness = await startRun(
        t,
        name,
        (directory) => (asked) => {
          if (asked.tools.length === 0) return {text: 'A title'};
          const {results} = asked;
          if (results.length === 0)
            return {text: 'I write it.', calls: [write(directory(), 'hello\n')]};
          if (isRepair(asked) && results.length === 1)
            return {text: 'I repair it.', calls: [write(directory(), 'better\n')]};
          return {text: 'There it is.'};
        },
        {check: 'grep --quiet better b.txt', project: 'sandbox: required\n'},
      );
      await harness.until(
        'it is merged',
        async () => (await harness.task())?.stage.at === 'merged',
      );
      await isWhole(harness);
      assert.deepEqual(
        (await harness.task())?.attempts.map(({by, step}) => [by, step.at]),
        [
          ['agent', 'failed'],
          ['agent', 'passed'],
        ],
      );
      assert.equal((await harness.workers()).length, 1, 'one session');
      assert.deepEqual(
        harness.eventsOf('session-continued').map(({attempt}) => attempt),
        [2],
      );
      assert.deepEqual(
        harness.eventsOf('turn-ended').map(({source}) => source),
        ['agent', 'agent'],
      );
      assert.equal((await harness.run).code, 0);
    });
  }
});

function isRepair({user}: Asked): boolean {
  return user.some((text) => text.includes('TEST_FAILURE'));
}

/** Each prompt was typed once, and the tokens are those that the model counted. */
async function isWhole(harness: RunHarness): Promise<void> {
  const asked = harness.server.asked.filter(({tools}) => tools.length > 0);
  const sessions = await harness.workers();
  assert.deepEqual(
    [
      sessions.reduce((sum, {usage}) => sum + usage.input, 0),
      sessions.reduce((sum, {usage}) => sum + usage.output, 0),
    ],
    [asked.length * 100, asked.length * 20],
    'the tokens are those that the model counted',
  );
  // What agents add themselves is not ours.
  const own = (asked.at(-1)?.user ?? []).filter((text) => !text.startsWith('<system-reminder>'));
  const text = own.join('\n');
  for (const head of ['# Task t1: Greet', '# Task t1: go on'])
    assert.equal(text.split(head).length - 1, 1, `${head} once\n${text}`);
  for (const {system, user: texts} of asked)
    assert.equal(
      `${system}\n${texts.join('\n')}`.split('# Rules\n').length - 1,
      1,
      'the rules once',
    );
  assert.equal(harness.eventsOf('input-uncertain').length, 0);
}
