import assert from 'node:assert/strict';
import path from 'node:path';
import process from 'node:process';
import {existsSync} from 'node:fs';
import {describe, test} from 'node:test';
import type {Call, Refusal} from '../model-server/script.ts';
import {actionNames} from './support/action-names.ts';
import {startRun} from './support/run-harness.ts';

const names = (process.env['AGENT'] ?? 'claude,codex,gemini,opencode,pi').split(',');
const command = 'echo better > b.txt';

/** What each asks about outside our sandbox. Pi asks nothing. */
const asking: Readonly<Record<string, {readonly call?: Call | undefined; readonly first: string}>> =
  {
    // It writes files of its folder without asking.
    claude: {
      first: 'Yes',
      call: actionNames['claude']?.shell(`node -e "fs.writeFileSync('b.txt', 'better')"`),
    },
    // It asks only for what its own sandbox would not let through.
    codex: {
      first: 'Yes, proceed (y)',
      call: {
        name: 'exec_command',
        input: {
          cmd: command,
          sandbox_permissions: 'require_escalated',
          justification: 'It greets.',
        },
      },
    },
    gemini: {first: 'Allow once'},
    opencode: {first: 'Allow once'},
  };

describe('a worker in its own interface needs a person', () => {
  for (const name of names.filter((one) => asking[one] !== undefined))
    test(`${name}: its permission dialog is a need with its options; the answer lets it go on and costs no attempt`, async (t) => {
      const {call, first} = asking[name] ?? assert.fail(name);
      const harness = await startRun(
        t,
        name,
        () =>
          ({tools, results}) => {
            if (tools.length === 0) return {text: 'A title'};
            return results.length === 0
              ? {
                  text: 'I do it.',
                  calls: [call ?? actionNames[name]?.shell(command) ?? assert.fail(name)],
                }
              : {text: 'There it is.'};
          },
        {check: 'grep --quiet better b.txt'},
      );
      // Outside our sandbox each asks first whether the folder is trusted.
      const trusted: string[] = [];
      const need = await harness.until('its question is a need', async () => {
        const question = (await harness.needs()).find(
          (one) => one.kind === 'question' && one.options !== undefined,
        );
        if (question?.kind !== 'question') return undefined;
        if (/echo better|writeFileSync/.test(question.question)) return question;
        if (!trusted.includes(question.id)) {
          trusted.push(question.id);
          const option =
            1 + (question.options ?? []).findIndex((one) => /^(?:yes|trust)/iu.test(one));
          harness.place.run('send', question.session, String(option));
        }

        return undefined;
      });
      assert.equal(need.options?.[0], first);
      assert.equal(existsSync(path.join(`${harness.place.root}.worktrees/r1-t1`, 'b.txt')), false);
      const sent = harness.place.run('send', need.session, '1');
      assert.equal(sent.code, 0, sent.err);
      await harness.until('it is merged', async () => {
        const task = await harness.task();
        // Outside our sandbox claude rewrites the person's `.claude.json`, which a person confirms.
        if (name === 'claude' && task?.trouble?.why.kind === 'effect')
          harness.place.run('resume', 'r1.t1');
        return task?.stage.at === 'merged';
      });
      assert.deepEqual(
        (await harness.task())?.attempts.map(({interruptions, step}) => [interruptions, step.at]),
        // Gemini restarts itself once the folder is trusted.
        [[name === 'gemini' ? 1 : 0, 'passed']],
        JSON.stringify(harness.place.events().slice(-60)),
      );
      assert.equal((await harness.workers()).length, name === 'gemini' ? 2 : 1);
      assert.equal(harness.eventsOf('input-uncertain').length, 0);
    });

  for (const name of names)
    test(`${name}: without an account the run waits for a person, and no attempt is lost`, async (t) => {
      const refusal: Refusal = {
        status: 401,
        body: {
          type: 'error',
          error: {
            type: 'authentication_error',
            code: 'invalid_api_key',
            message: 'invalid x-api-key',
            status: 'UNAUTHENTICATED',
          },
        },
      };
      const harness = await startRun(t, name, () => () => ({refusal}), {
        check: 'true',
        project: 'sandbox: required\n',
      });
      const {why} = await harness.until(
        'it is unavailable',
        async () => (await harness.task())?.trouble,
      );
      assert(why.kind === 'agent-unavailable', JSON.stringify(why));
      assert.match(why.words, new RegExp(`^${name} has no account here: .*; then resume\\.$`));
      assert.deepEqual(
        (await harness.task())?.attempts.map(({number, step}) => [number, step.at === 'failed']),
        [[1, false]],
      );
    });

  for (const name of names.filter((one) => !['gemini', 'opencode'].includes(one)))
    test(`${name}: a service that fails is waited for, with the conversation`, async (t) => {
      const refusal: Refusal = {
        status: 500,
        body: {
          type: 'error',
          error: {type: 'api_error', code: 'internal', message: 'Internal server error'},
        },
      };
      const harness = await startRun(t, name, () => () => ({refusal}), {
        check: 'true',
        project: 'sandbox: required\n',
      });
      const event = await harness.until('it pauses', () => harness.eventsOf('attempt-paused')[0]);
      assert.equal(event.until > Date.now(), true);
      assert.notEqual((await harness.workers())[0]?.conversation, undefined);
    });
});
