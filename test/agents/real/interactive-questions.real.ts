import assert from 'node:assert/strict';
import path from 'node:path';
import process from 'node:process';
import {existsSync} from 'node:fs';
import {describe, test} from 'node:test';
import {actionNames, toolNames} from './support/action-names.ts';
import {startRun} from './support/run-harness.ts';

const names = (process.env['AGENT'] ?? 'claude,codex,gemini,opencode,pi').split(',');
const check = 'grep --quiet better b.txt';
const project = 'sandbox: required\n';

describe('a worker in its own interface and a person', () => {
  for (const name of names) {
    const {shell} = actionNames[name] ?? assert.fail(name);
    const nameOf = toolNames[name] ?? assert.fail(name);

    test(`${name}: it asks by our tool, the question is a need with its options, and the answer reaches it`, async (t) => {
      const harness = await startRun(
        t,
        name,
        () =>
          ({tools, results}) => {
            if (tools.length === 0) return {text: 'A title'};
            if (results.length === 0)
              return {
                text: 'I ask.',
                calls: [
                  {
                    name: nameOf('orchestra', 'ask_person'),
                    input: {question: 'Whom shall it greet?', options: ['all', 'the better half']},
                  },
                ],
              };
            return results.length === 1
              ? {text: 'I write it.', calls: [shell('echo better > b.txt')]}
              : {text: 'There it is.'};
          },
        {check, project},
      );
      const need = await harness.until('its question is a need', async () =>
        (await harness.needs()).find(({kind}) => kind === 'question'),
      );
      assert(need.kind === 'question');
      assert.equal(need.question, 'Whom shall it greet?');
      assert.deepEqual(need.options, ['all', 'the better half']);
      const sent = harness.place.run('send', need.session, '2');
      assert.equal(sent.code, 0, sent.err);
      await harness.until(
        'it is merged',
        async () => (await harness.task())?.stage.at === 'merged',
      );
      assert.equal(
        harness.server.asked.some(({results}) =>
          results.some((result) => result.includes('the better half')),
        ),
        true,
      );
      assert.deepEqual(
        [harness.eventsOf('question-asked').length, harness.eventsOf('question-answered').length],
        [1, 1],
        'it asks once, and no other question is raised in its name',
      );
      assert.equal(harness.eventsOf('input-uncertain').length, 0);
    });

    test(`${name}: \`tell\` types a message while it works; it goes on with that in the same turn or its next`, async (t) => {
      const harness = await startRun(
        t,
        name,
        (directory) => (asked) => {
          if (asked.tools.length === 0) return {text: 'A title'};
          const began = `echo began > ${path.join(directory(), 'began.txt')}`;
          if (asked.results.length === 0)
            return {text: 'I look.', calls: [shell(`${began}; sleep 8; rm began.txt`)]};
          if (!JSON.stringify(asked).includes('Use tabs.')) return {text: 'There it is.'};
          return asked.results.length === 1
            ? {text: 'With tabs.', calls: [shell('echo better > b.txt')]}
            : {text: 'With tabs, then.'};
        },
        {check, project},
      );
      await harness.until('its command runs', () =>
        existsSync(path.join(`${harness.place.root}.worktrees/r1-t1`, 'began.txt')),
      );
      const sent = await harness.place.launch('tell', 'r1.t1', 'Use tabs.', '--json');
      assert.equal(sent.code, 0, sent.err);
      assert.deepEqual(
        harness.eventsOf('message-delivered').map(({how}) => how),
        ['typed'],
      );
      await harness.until(
        'it is merged',
        async () => (await harness.task())?.stage.at === 'merged',
      );
      assert.deepEqual(
        (await harness.task())?.attempts.map(({step}) => step.at),
        ['passed'],
      );
      assert.equal((await harness.workers()).length, 1, 'one session');
    });
  }
});
