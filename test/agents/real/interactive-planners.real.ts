import assert from 'node:assert/strict';
import path from 'node:path';
import process from 'node:process';
import {existsSync, readFileSync} from 'node:fs';
import {describe, test} from 'node:test';
import type {AgentSignal} from '../../../source/agents/index.ts';
import {eventually} from '../../support/eventually.ts';
import {startInTerminal} from '../../system/support/terminal-program.ts';
import {selectRun} from '../../../source/domain/index.ts';
import type {Turn} from '../model-server/script.ts';
import {actionNames, toolNames} from './support/action-names.ts';
import {createFixture} from './support/fixture.ts';
import {plan} from './support/prompts.ts';
import {startRun} from './support/run-harness.ts';
import {typeInto} from './support/type-into.ts';

const names = (process.env['AGENT'] ?? 'claude,codex,gemini,opencode,pi').split(',');

describe('a planner in the agent\u2019s own interface', () => {
  for (const name of names) {
    test(`${name}: talks in turns, writes nothing though its model tries, and has no tool to leave plan mode`, async (t) => {
      const write = actionNames[name]?.write ?? assert.fail(name);
      const fixture = await createFixture(
        t,
        name,
        import.meta.filename,
        (directory) =>
          ({tools, user, results}) => {
            const text = user.join('\n');
            if (tools.length === 0) return {text: 'A title'};
            if (text.includes('Postgres.')) return {text: 'Then this is the plan.'};
            return results.length === 0
              ? {text: 'I write it.', calls: [write(path.join(directory, 'b.txt'), 'hello\n')]}
              : {text: 'Which database?'};
          },
      );
      const signalsFile = path.join(path.dirname(fixture.directory), 'exchange', 'signals.jsonl');
      const interactive = fixture.driver.interactive ?? assert.fail(name);
      const ends = (): AgentSignal[] =>
        (existsSync(signalsFile) ? readFileSync(signalsFile, 'utf8').split('\n').slice(0, -1) : [])
          .flatMap((line) => interactive.parseSignal(line) ?? [])
          .filter(({kind}) => kind === 'turn-ended');
      const {argv, env} = fixture.command({
        mode: 'plan',
        isInteractive: true,
        isConfined: true,
        // Codex relies on its own sandbox, which root cannot nest in ours.
        nestsSandboxes: name === 'codex' || process.getuid?.() !== 0,
        signalsFile,
      });
      const terminal = await startInTerminal(t, argv, {cwd: fixture.directory, env});
      for (const [index, text] of ['Plan it for everybody.', 'Postgres.'].entries()) {
        await typeInto(fixture, terminal, text);
        await eventually(`${text}: the turn ends`, () => ends()[index], 90_000).catch(
          (error: unknown) => assert.fail(`${String(error)}\n${terminal.screen()}`),
        );
      }

      assert.equal(new Set(ends().map(({conversation}) => conversation)).size, 1);
      assert.equal(fixture.changes(), '');
      const offered = fixture.server.asked.flatMap(({tools}) => tools);
      assert.deepEqual(
        offered.filter((tool) => /^exit_?plan_?mode$/i.test(tool)),
        [],
      );
    });

    test(`${name}: asks, is answered, hands in a plan, and another after a rejection; the run is merged`, async (t) => {
      const {write} = actionNames[name] ?? assert.fail(name);
      const validation = [{name: 'test', command: 'grep --quiet better b.txt'}];
      const handIn = (title: string): Turn => ({
        text: 'I hand it in.',
        calls: [
          {
            name: (toolNames[name] ?? assert.fail(name))('orchestra', 'submit_plan'),
            input: {
              plan: {...plan, validation, tasks: plan.tasks.map((task) => ({...task, title}))},
            },
          },
        ],
      });
      const harness = await startRun(
        t,
        name,
        (directory) =>
          ({tools, user, results}) => {
            const text = user.join('\n');
            if (tools.length === 0) return {text: 'A title'};
            if (text.includes('# Task t1'))
              return results.length === 0
                ? {
                    text: 'I write it.',
                    calls: [write(path.join(directory(), 'b.txt'), 'better\n')],
                  }
                : {text: 'There it is.'};
            if (!text.includes('Postgres.')) return {text: 'Which database?'};
            if (!text.includes('Too coarse.'))
              return results.length === 0 ? handIn('First') : {text: 'That is the plan.'};
            return results.length === 1 ? handIn('Second') : {text: 'That is the other plan.'};
          },
        {check: 'true', project: 'sandbox: required\n', plans: true},
      );
      const {place} = harness;
      const proposed = (title: string): Promise<unknown> =>
        harness.until(`the plan ${title} is proposed`, async () => {
          const stage = selectRun(await harness.state(), 'r1')?.stage;
          return stage?.at === 'reviewing' && stage.proposal.plan.tasks[0]?.title === title;
        });
      const need = await harness.until('it waits for an answer', async () =>
        (await harness.needs()).find(({kind}) => kind === 'planner-waits'),
      );
      assert(need.kind === 'planner-waits');
      // Gemini's signal has no text.
      if (name !== 'gemini') assert.match(need.words ?? '', /Which database\?/);
      const sent = place.run('send', need.session, 'Postgres.');
      assert.equal(sent.code, 0, sent.err);
      await proposed('First');
      const rejected = place.run('plan', 'reject', 'r1', '--reason', 'Too coarse.');
      assert.equal(rejected.code, 0, rejected.err);
      await proposed('Second');
      await harness.until('nothing of it is unread', () => {
        const {code} = place.run('plan', 'approve', 'r1');
        return code === 0;
      });
      await harness.until(
        'it is merged',
        async () => (await harness.task())?.stage.at === 'merged',
      );
      assert.deepEqual(
        harness
          .eventsOf('session-asked')
          .flatMap(({purpose, session}) => (purpose.for === 'plan' ? [session] : [])),
        [need.session],
        'one session planned',
      );
      assert.equal(harness.eventsOf('plan-received').length, 2);
      assert.equal(harness.eventsOf('input-uncertain').length, 0);
    });
  }
});
