import assert from 'node:assert/strict';
import path from 'node:path';
import process from 'node:process';
import {before, describe, test} from 'node:test';
import {toolsOfRole} from '../../../source/domain/index.ts';
import {createActor} from '../../machine/support/stage.ts';
import {bundleProgram} from '../../support/bundle-program.ts';
import {eventually} from '../../support/eventually.ts';
import type {Question} from '../../tools/support/pretend-daemon.ts';
import type {Asked, Script, Turn} from '../model-server/script.ts';
import {giveTools} from './support/give-tools.ts';
import {plan, promptOf} from './support/prompts.ts';
import {createStage} from './support/stage.ts';

/** What each agent calls a tool of a server. */
const names: Readonly<Record<string, (server: string, tool: string) => string>> = {
  claude: (server, tool) => `mcp__${server}__${tool}`,
  codex: (server, tool) => `mcp__${server}__${tool}`,
  gemini: (server, tool) => `mcp_${server}_${tool}`,
  opencode: (server, tool) => `${server}_${tool}`,
  pi: (server, tool) => `${server}_${tool}`,
};

let [renderer, program] = ['', ''];
before(async () => {
  [renderer, program] = await Promise.all([
    bundleProgram('test/renderer/programs/render.ts'),
    bundleProgram('test/tools/programs/mcp.ts'),
  ]);
});

for (const [name, nameOf] of Object.entries(names)) {
  describe(`${name}, the real CLI, with our tools`, () => {
    for (const isSandboxed of [false, true]) {
      test(`plans${isSandboxed ? ' in our sandbox' : ''}: it is told of those for planners, asks a person, and hands in its plan`, async (t) => {
        const stage = await createStage(t, name, renderer, () =>
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
        const {tools, daemon} = await giveTools(t, stage, program, {
          role: 'planner',
          answer: ({tool}) => ({text: tool === 'ask_person' ? 'Greet all of them.' : 'taken'}),
        });
        const {code, screen} = await stage.run(
          {
            mode: 'plan',
            prompt: promptOf('plan', 'Greet everybody.'),
            isConfined: isSandboxed,
            tools,
          },
          isSandboxed,
        );
        assert.equal(code, 0, screen);
        assert.deepEqual(
          told(daemon.asked),
          [
            ['ask_person', {question: 'Whom?', options: ['all', 'none']}],
            ['submit_plan', {plan}],
          ],
          screen,
        );
        assert.deepEqual(ours(stage.server.asked, nameOf), toolsOfRole('planner').toSorted());
        assert.equal(
          stage.server.asked.some(({results}) =>
            results.some((text) => text.includes('Greet all of them.')),
          ),
          true,
          screen,
        );
        assert.equal(stage.changes(), '');
      });

      test(`works${isSandboxed ? ' in our sandbox' : ''}: it asks for what is so, uses a server of its task, reports, and hears of an error`, async (t) => {
        const stage = await createStage(t, name, renderer, () =>
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
        const servers = {
          other: {
            command: [
              process.execPath,
              path.join(import.meta.dirname, '../../tools/programs/any-server.ts'),
              'kind',
            ],
            env: {},
          },
        };
        const {tools, daemon} = await giveTools(t, stage, program, {
          role: 'worker',
          servers,
          answer: ({tool}) =>
            tool === 'service_start'
              ? {text: 'another task uses web', isError: true}
              : {text: `${tool} is well`},
        });
        const {code, screen, outcome} = await stage.run(
          {prompt: promptOf('work', 'Greet everybody.'), isConfined: isSandboxed, tools},
          isSandboxed,
        );
        assert.equal(code, 0, screen);
        assert.equal(outcome?.at, 'finished', screen);
        assert.deepEqual(
          told(daemon.asked),
          [
            ['environment', {}],
            ['service_start', {service: 'web'}],
            ['report', {rootCause: 'No file.', decisions: ['One file.']}],
          ],
          screen,
        );
        assert.deepEqual(ours(stage.server.asked, nameOf), toolsOfRole('worker').toSorted());
        const results =
          stage.server.asked.findLast(({tools: listed}) => listed.length > 0)?.results.join('\n') ??
          '';
        for (const words of [
          'environment is well',
          'line 1',
          'results/other-1.txt',
          'another task uses web',
          'report is well',
        ])
          assert.equal(results.includes(words), true, `${words} in ${results}`);
        assert.equal(results.includes('line 5000'), false);
        assert.match(screen, /● \S*environment.* ✓/);
        assert.match(screen, /● \S*service_start.* ✗/);
      });
    }

    test('waits for a server that takes its time, so that not even the first turn is without our tools', async (t) => {
      const stage = await createStage(t, name, renderer, () => inTurn({text: 'Done.'}));
      const {tools} = await giveTools(t, stage, program, {
        role: 'worker',
        answer: () => ({text: 'yes'}),
      });
      const slow = {...tools, argv: ['/bin/sh', '-c', 'sleep 8; exec "$0" "$@"', ...tools.argv]};
      const {code, screen} = await stage.run({
        prompt: promptOf('work', 'Greet everybody.'),
        tools: slow,
      });
      assert.equal(code, 0, screen);
      const first = stage.server.asked.filter((one) => one.tools.length > 0).slice(0, 1);
      assert.deepEqual(ours(first, nameOf), toolsOfRole('worker').toSorted());
    });

    test('goes on when a server of its task does not start', async (t) => {
      const stage = await createStage(t, name, renderer, () =>
        inTurn(
          {text: 'I look.', calls: [{name: nameOf('orchestra', 'environment'), input: {}}]},
          {text: 'Done.'},
        ),
      );
      const {tools, daemon} = await giveTools(t, stage, program, {
        role: 'worker',
        servers: {gone: {command: ['/nonexistent'], env: {}}},
        answer: () => ({text: 'yes'}),
      });
      const {code, screen, outcome} = await stage.run({
        prompt: promptOf('work', 'Greet everybody.'),
        tools,
      });
      assert.deepEqual(
        [code, outcome?.at, told(daemon.asked)],
        [0, 'finished', [['environment', {}]]],
        screen,
      );
    });

    test('taken over: what a person has it do reaches our tools as well, and nothing is asked about that', async (t) => {
      const stage = await createStage(t, name, renderer, () => ({tools, user, results}) => {
        if (tools.length === 0) return {text: 'A title'};
        if (!user.some((text) => text.includes('Look around.')))
          return {text: 'The word was swordfish.'};
        return results.length === 0
          ? {text: 'I look.', calls: [{name: nameOf('orchestra', 'environment'), input: {}}]}
          : {text: 'All is well.'};
      });
      const {tools, daemon} = await giveTools(t, stage, program, {
        role: 'worker',
        answer: () => ({text: 'the sun shines'}),
      });
      const {outcome, screen} = await stage.run({
        prompt: promptOf('work', 'Remember the word.'),
        tools,
      });
      const {argv, env} = stage.command({
        mode: 'takeover',
        conversation: outcome?.conversation ?? assert.fail(screen),
        tools,
      });
      const actor = await createActor(t, argv, {cwd: stage.directory, env});
      const shows = async (what: string, look: () => boolean, limit = 90_000): Promise<unknown> =>
        eventually(what, look, limit).catch((error: unknown) =>
          assert.fail(`${String(error)}\n${actor.screen()}`),
        );
      await shows('its answer of before is on its screen', () =>
        actor.screen().includes('swordfish'),
      );
      const ready = new RegExp(stage.driver.screen.ready ?? assert.fail(), 'm');
      await shows('it is ready', () => ready.test(actor.screen()));
      actor.type('\u001B[200~Look around.\u001B[201~');
      await shows(
        'it shows what was typed, and is still',
        () => actor.screen().includes('Look around.') && actor.silentMs() > 500,
      );
      actor.type('\r');
      await shows('our tool is called', () => daemon.asked.length > 0);
      assert.deepEqual(told(daemon.asked), [['environment', {}]]);
      await shows('the model hears the answer', () =>
        stage.server.asked.some(({results}) =>
          results.some((text) => text.includes('the sun shines')),
        ),
      );
    });
  });
}

function told(asked: readonly Question[]): (readonly [string, unknown])[] {
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
