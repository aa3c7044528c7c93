import assert from 'node:assert/strict';
import path from 'node:path';
import process from 'node:process';
import {copyFileSync} from 'node:fs';
import {before, describe, test} from 'node:test';
import {toolsOfRole} from '../../../source/domain/index.ts';
import {startInTerminal} from '../../system/support/terminal-program.ts';
import {bundleProgram} from '../../support/bundle-program.ts';
import {eventually} from '../../support/eventually.ts';
import type {Question} from '../../mcp/support/pretend-daemon.ts';
import type {Asked, Script, Turn} from '../model-server/script.ts';
import {toolNames} from './support/action-names.ts';
import {giveTools} from './support/give-tools.ts';
import {getPrompt, plan} from './support/prompts.ts';
import {createFixture} from './support/fixture.ts';

let [renderer, program] = ['', ''];
before(async () => {
  [renderer, program] = await Promise.all([
    bundleProgram('test/agent-runner/programs/render.ts'),
    bundleProgram('test/mcp/programs/mcp.ts'),
  ]);
});

for (const [name, nameOf] of Object.entries(toolNames)) {
  describe(`${name}, the real CLI, with our tools`, () => {
    for (const isSandboxed of [false, true]) {
      test(`plans${isSandboxed ? ' in our sandbox' : ''}: it is told of those for planners, asks a person, and hands in its plan`, async (t) => {
        const fixture = await createFixture(t, name, renderer, () =>
          inTurn(
            {
              text: 'I ask.',
              calls: [
                {
                  name: nameOf('orchestra', 'ask_person'),
                  input: {question: 'Whom?', options: ['all', 'none']},
                },
              ],
            },
            {text: 'I plan.', calls: [{name: nameOf('orchestra', 'submit_plan'), input: {plan}}]},
            {text: 'Handed in.'},
          ),
        );
        const {tools, daemon} = await giveTools(t, fixture, program, {
          role: 'planner',
          answer: ({tool}) => ({text: tool === 'ask_person' ? 'Greet all of them.' : 'taken'}),
        });
        const {code, screen} = await fixture.run(
          {
            mode: 'plan',
            prompt: getPrompt('plan', 'Greet everybody.'),
            isConfined: isSandboxed,
            tools,
          },
          isSandboxed,
        );
        assert.equal(code, 0, screen);
        assert.deepEqual(
          notified(daemon.asked),
          [
            ['ask_person', {question: 'Whom?', options: ['all', 'none']}],
            ['submit_plan', {plan}],
          ],
          screen,
        );
        assert.deepEqual(ours(fixture.server.asked, nameOf), toolsOfRole('planner').toSorted());
        assert.equal(
          fixture.server.asked.some(({results}) =>
            results.some((text) => text.includes('Greet all of them.')),
          ),
          true,
          screen,
        );
        assert.equal(fixture.changes(), '');
      });

      test(`works${isSandboxed ? ' in our sandbox' : ''}: it asks for what is so, uses a server of its task, reports, and hears of an error`, async (t) => {
        const fixture = await createFixture(t, name, renderer, () =>
          inTurn(
            {text: 'I look.', calls: [{name: nameOf('orchestra', 'environment'), input: {}}]},
            {text: 'I read.', calls: [{name: nameOf('other', 'read'), input: {a: 'long'}}]},
            {
              text: 'I start.',
              calls: [{name: nameOf('orchestra', 'service_start'), input: {service: 'web'}}],
            },
            {
              text: 'I report.',
              calls: [
                {
                  name: nameOf('orchestra', 'report'),
                  input: {rootCause: 'No file.', decisions: ['One file.']},
                },
              ],
            },
            {text: 'Done.'},
          ),
        );
        // Our sandbox has a temp directory of its own, in which this checkout is not if it lies in
        // the other one.
        const server = path.join(path.dirname(fixture.home), 'any-server.ts');
        copyFileSync(path.join(import.meta.dirname, '../../mcp/programs/any-server.ts'), server);
        const servers = {other: {command: [process.execPath, server, 'kind'], env: {}}};
        const {tools, daemon} = await giveTools(t, fixture, program, {
          role: 'worker',
          servers,
          answer: ({tool}) =>
            tool === 'service_start'
              ? {text: 'another task uses web', isError: true}
              : {text: `${tool} is well`},
        });
        const {code, screen, outcome} = await fixture.run(
          {prompt: getPrompt('work', 'Greet everybody.'), isConfined: isSandboxed, tools},
          isSandboxed,
        );
        assert.equal(code, 0, screen);
        assert.equal(outcome?.at, 'finished', screen);
        assert.deepEqual(
          notified(daemon.asked),
          [
            ['environment', {}],
            ['service_start', {service: 'web'}],
            ['report', {rootCause: 'No file.', decisions: ['One file.']}],
          ],
          screen,
        );
        assert.deepEqual(ours(fixture.server.asked, nameOf), toolsOfRole('worker').toSorted());
        const results =
          fixture.server.asked
            .findLast(({tools: listed}) => listed.length > 0)
            ?.results.join('\n') ?? '';
        for (const text of [
          'environment is well',
          'line 1',
          'results/other-1.txt',
          'another task uses web',
          'report is well',
        ])
          assert.equal(results.includes(text), true, `${text} in ${results}`);
        assert.equal(results.includes('line 5000'), false);
        assert.match(screen, /● \S*environment.* ✓/);
        assert.match(screen, /● \S*service_start.* ✗/);
      });
    }

    test('waits for a server that takes its time, so that not even the first turn is without our tools', async (t) => {
      const fixture = await createFixture(t, name, renderer, () => inTurn({text: 'Done.'}));
      const {tools} = await giveTools(t, fixture, program, {
        role: 'worker',
        answer: () => ({text: 'yes'}),
      });
      const slow = {...tools, argv: ['/bin/sh', '-c', 'sleep 8; exec "$0" "$@"', ...tools.argv]};
      const {code, screen} = await fixture.run({
        prompt: getPrompt('work', 'Greet everybody.'),
        tools: slow,
      });
      assert.equal(code, 0, screen);
      const first = fixture.server.asked.filter((one) => one.tools.length > 0).slice(0, 1);
      assert.deepEqual(ours(first, nameOf), toolsOfRole('worker').toSorted());
    });

    test('goes on when a server of its task does not start', async (t) => {
      const fixture = await createFixture(t, name, renderer, () =>
        inTurn(
          {text: 'I look.', calls: [{name: nameOf('orchestra', 'environment'), input: {}}]},
          {text: 'Done.'},
        ),
      );
      const {tools, daemon} = await giveTools(t, fixture, program, {
        role: 'worker',
        servers: {gone: {command: ['/nonexistent'], env: {}}},
        answer: () => ({text: 'yes'}),
      });
      const {code, screen, outcome} = await fixture.run({
        prompt: getPrompt('work', 'Greet everybody.'),
        tools,
      });
      assert.deepEqual(
        [code, outcome?.at, notified(daemon.asked)],
        [0, 'finished', [['environment', {}]]],
        screen,
      );
    });

    test('taken over: what a person has it do reaches our tools as well, and nothing is asked about that', async (t) => {
      const fixture = await createFixture(t, name, renderer, () => ({tools, user, results}) => {
        if (tools.length === 0) return {text: 'A title'};
        if (!user.some((text) => text.includes('Look around.')))
          return {text: 'The word was swordfish.'};
        return results.length === 0
          ? {text: 'I look.', calls: [{name: nameOf('orchestra', 'environment'), input: {}}]}
          : {text: 'All is well.'};
      });
      const {tools, daemon} = await giveTools(t, fixture, program, {
        role: 'worker',
        answer: () => ({text: 'the sun shines'}),
      });
      const {outcome, screen} = await fixture.run({
        prompt: getPrompt('work', 'Remember the word.'),
        tools,
      });
      const {argv, env} = fixture.command({
        mode: 'takeover',
        conversation: outcome?.conversation ?? assert.fail(screen),
        tools,
      });
      const terminal = await startInTerminal(t, argv, {cwd: fixture.directory, env});
      const shows = async (what: string, look: () => boolean, limit = 90_000): Promise<unknown> =>
        eventually(what, look, limit).catch((error: unknown) =>
          assert.fail(`${String(error)}\n${terminal.screen()}`),
        );
      await shows('its answer of before is on its screen', () =>
        terminal.screen().includes('swordfish'),
      );
      const ready = new RegExp(fixture.driver.screen.ready ?? assert.fail(), 'm');
      await shows('it is ready', () => ready.test(terminal.screen()));
      terminal.type('\u001B[200~Look around.\u001B[201~');
      await shows(
        'it shows what was typed, and is still',
        () => terminal.screen().includes('Look around.') && terminal.silentMs() > 500,
      );
      terminal.type('\r');
      await shows('our tool is called', () => daemon.asked.length > 0);
      assert.deepEqual(notified(daemon.asked), [['environment', {}]]);
      await shows('the model hears the answer', () =>
        fixture.server.asked.some(({results}) =>
          results.some((text) => text.includes('the sun shines')),
        ),
      );
    });
  });
}

function notified(asked: readonly Question[]): (readonly [string, unknown])[] {
  return asked.map(({tool, input}) => [tool, input] as const);
}

/** Our own tools among those that the model was told of. */
function ours(asked: readonly Asked[], nameOf: (server: string, tool: string) => string): string[] {
  const prefix = nameOf('orchestra', '');
  const last = asked.findLast(({tools}) => tools.length > 0);
  return (
    last?.tools
      .filter((name) => name.startsWith(prefix))
      .map((name) => name.slice(prefix.length))
      .toSorted() ?? []
  );
}

function inTurn(...turns: readonly Turn[]): Script {
  return ({tools, results}: Asked) =>
    tools.length === 0
      ? {text: 'A title'}
      : (turns[Math.min(results.length, turns.length - 1)] ?? {text: 'Done.'});
}
