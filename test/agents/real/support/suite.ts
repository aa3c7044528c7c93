import assert from 'node:assert/strict';
import path from 'node:path';
import process from 'node:process';
import {existsSync, readFileSync} from 'node:fs';
import {before, describe, test} from 'node:test';
import {findLostConversation} from '../../../../source/agents/index.ts';
import {parsePlanFromOutput} from '../../../../source/plan/index.ts';
import {startInTerminal} from '../../../system/support/terminal-program.ts';
import {eventually} from '../../../support/eventually.ts';
import {bundleProgram} from '../../../support/bundle-program.ts';
import type {Asked, Script, Turn} from '../../model-server/script.ts';
import {actionNames} from './action-names.ts';
import {processesIn} from './processes-in.ts';
import {getPrompt, plan, rulesText} from './prompts.ts';
import {record} from './record.ts';
import {createFixture, filesIn} from './fixture.ts';

export type Expectations = {
  /** Where the rules reach the model. */
  readonly rulesIn: 'system' | 'prompt';
  /**
   * What a refused account and a failing service come to. `never`: the agent tries again for ever,
   * in silence.
   */
  readonly limit: Turn['refusal'];
  readonly limitUntil: boolean;
  readonly failing: 'told' | 'never';
  /** Whether the shell is denied to a worker outside of our sandbox. */
  readonly shellNeedsConfinement: boolean;
  readonly cost: boolean;
};

/** What every real agent is taken through, on its own CLI and a scripted model. */
export function getSuite(
  name: string,
  {rulesIn, limit, limitUntil, failing, shellNeedsConfinement, cost}: Expectations,
): void {
  const {write, shell} = actionNames[name] ?? assert.fail(name);
  let renderer = '';
  before(async () => {
    renderer = await bundleProgram('test/agent-runner/programs/render.ts');
  });

  const unknownConversation =
    name === 'opencode' ? 'ses_0000000000000000000000000a' : '019a8f00-0000-7000-8000-00000000000f';
  const working = (directory: string): Script =>
    inTurn(
      {
        thinking: 'A file is missing.',
        text: 'I write it.',
        calls: [write(path.join(directory, 'b.txt'), 'hello\nthere\n')],
      },
      {text: 'And look.', calls: [shell('cat b.txt > c.txt; cat c.txt')]},
      {
        text: 'There it is.\n\n```json\n{"rootCause": "No file greeted.", "decisions": ["One file."]}\n```',
      },
    );

  describe(`${name}, the real CLI`, () => {
    test('works: its own tools write files, and its stream gives session, tokens, answer and report', async (t) => {
      const fixture = await createFixture(t, name, renderer, working);
      const {code, screen, outcome, stream} = await fixture.run({
        prompt: getPrompt('work', 'Greet everybody.'),
        isConfined: true,
      });
      record(`${name}-work`, stream, fixture.directory);
      assert.equal(code, 0, screen);
      assert.deepEqual(filesIn(fixture.directory), ['a.txt', 'b.txt', 'c.txt'], screen);
      assert.equal(readFileSync(path.join(fixture.directory, 'b.txt'), 'utf8'), 'hello\nthere\n');
      assert(outcome?.at === 'finished');
      assert.match(outcome.words, /^There it is\./);
      assert.deepEqual(outcome.report, {rootCause: 'No file greeted.', decisions: ['One file.']});
      assert.deepEqual([outcome.usage?.input, outcome.usage?.output], [300, 60]);
      assert.equal((outcome.usage?.cost ?? 0) > 0, cost);
      assert.match(outcome.conversation ?? '', /^[\w-]{20,}$/);
      assert.match(screen, /^I write it\.$/m);
      assert.match(screen, /^● \S+ .*b\.txt.* ✓$/m);
      assert.match(screen, /^● \S+ cat b\.txt > c\.txt; cat c\.txt ✓$/m);
      assert.match(screen, /^There it is\.$/m);
      assert.match(
        screen,
        new RegExp(`^─ ${name}: done · 2 tool calls · 300 tokens in, 60 out`, 'm'),
      );
    });

    test('works and goes on in our sandbox, which leaves it its state and seals its settings', async (t) => {
      const fixture = await createFixture(t, name, renderer, working);
      const first = await fixture.run(
        {prompt: getPrompt('work', 'Greet everybody.'), isConfined: true},
        true,
      );
      assert.equal(first.code, 0, first.screen);
      assert.deepEqual(filesIn(fixture.directory), ['a.txt', 'b.txt', 'c.txt'], first.screen);
      const conversation = first.outcome?.conversation ?? assert.fail(first.screen);
      const second = await fixture.run(
        {prompt: getPrompt('work', 'Again.'), isConfined: true, conversation},
        true,
      );
      assert.deepEqual(
        [second.code, second.outcome?.at, second.outcome?.conversation],
        [0, 'finished', conversation],
        second.screen,
      );
    });

    test('plans in our sandbox, where nothing can be written', async (t) => {
      const fixture = await createFixture(t, name, renderer, () => inTurn({text: 'No.'}));
      const {code, outcome, screen} = await fixture.run(
        {mode: 'plan', prompt: getPrompt('plan', 'Greet everybody.'), isConfined: true},
        true,
      );
      assert.deepEqual([code, outcome?.at, outcome?.words], [0, 'finished', 'No.'], screen);
    });

    test('gets the rules at the top, in their order, and the task once', async (t) => {
      const fixture = await createFixture(t, name, renderer, () => inTurn({text: 'Yes.'}));
      await fixture.run({prompt: getPrompt('work', 'Greet everybody.')});
      const asked =
        fixture.server.asked.find(({tools}) => tools.length > 0) ??
        assert.fail('nothing reached the model');
      const prompt = asked.user.find((text) => text.includes('# Task t1: Greet')) ?? '';
      assert.equal(
        rulesIn === 'system'
          ? asked.system.includes(rulesText)
          : prompt.startsWith(`${rulesText}\n\n# Task t1`),
        true,
        `${asked.system.slice(-2000)}\n---\n${prompt}`,
      );
      assert.equal(
        prompt.trimStart().startsWith(rulesIn === 'system' ? '# Task t1: Greet' : '# Rules'),
        true,
        prompt,
      );
      const all = [asked.system, ...asked.user].join('\n');
      for (const [text, times] of [
        [rulesText, 1],
        ['Your brief:\n\nGreet everybody.', 1],
      ] as const)
        assert.equal(all.split(text).length - 1, times, text);
    });

    test('plans: what it tries to write while it plans is not written, and its plan is found on the screen', async (t) => {
      const answer = `Here it is.\n\n\`\`\`json\n${JSON.stringify({...plan, problem: `Nobody is greeted. ${'Long. '.repeat(300)}`})}\n\`\`\``;
      const fixture = await createFixture(t, name, renderer, (directory) =>
        inTurn(
          {text: 'I try.', calls: [write(path.join(directory, 'b.txt'), 'hello\n')]},
          {text: 'And try.', calls: [shell('echo hi > c.txt')]},
          {text: answer},
        ),
      );
      const {code, screen, outcome, stream} = await fixture.run({
        mode: 'plan',
        prompt: getPrompt('plan', 'Greet everybody.'),
        isConfined: true,
      });
      record(`${name}-plan`, stream, fixture.directory);
      assert.equal(fixture.changes(), '', screen);
      assert.equal(code, 0, screen);
      assert.equal(outcome?.at, 'finished');
      const {value, problems} = parsePlanFromOutput(screen, {objective: 'Greet everybody.'});
      assert.deepEqual(
        problems.filter(({level}) => level === 'error'),
        [],
      );
      assert.equal(value?.tasks[0]?.title, 'Greet');
    });

    test(`runs commands ${shellNeedsConfinement ? 'only inside of our sandbox' : 'as it does for anybody'}, and never hangs on a question`, async (t) => {
      const fixture = await createFixture(t, name, renderer, () =>
        inTurn(
          {
            text: 'I try.',
            calls: [shell("node -e \"require('fs').writeFileSync('c.txt', 'hi')\"")],
          },
          {text: 'Tried.'},
        ),
      );
      const {code, screen} = await fixture.run({prompt: getPrompt('work', 'Greet everybody.')});
      assert.equal(code, 0, screen);
      assert.equal(
        existsSync(path.join(fixture.directory, 'c.txt')),
        !shellNeedsConfinement,
        screen,
      );
    });

    test('goes on with its conversation, and counts only what is new', async (t) => {
      const fixture = await createFixture(
        t,
        name,
        renderer,
        () =>
          ({tools}) =>
            tools.length === 0 ? {text: 'A title'} : {text: 'The word was swordfish.'},
      );
      const first = await fixture.run({prompt: getPrompt('work', 'Remember the word.')});
      const conversation = first.outcome?.conversation ?? assert.fail(first.screen);
      const second = await fixture.run({prompt: getPrompt('work', 'Say it again.'), conversation});
      record(`${name}-resume`, second.stream, fixture.directory);
      assert.equal(second.code, 0, second.screen);
      assert.deepEqual(
        [
          second.outcome?.at,
          second.outcome?.conversation,
          second.outcome?.usage?.input,
          second.outcome?.usage?.output,
        ],
        ['finished', conversation, 100, 20],
      );
      assert.equal(second.outcome?.usage?.cost, first.outcome?.usage?.cost);
      const asked = fixture.server.asked.findLast(({tools}) => tools.length > 0);
      const notified = asked?.user.join('\n') ?? '';
      assert.equal(
        notified.includes('Remember the word.') && notified.includes('Say it again.'),
        true,
        notified,
      );
    });

    test('a conversation that it has not kept is lost, which is said before the model is asked for anything', async (t) => {
      const fixture = await createFixture(t, name, renderer, () => inTurn({text: 'Yes.'}));
      const lose = async (log: string | undefined): Promise<void> => {
        const asked = fixture.server.asked.length;
        const performance = await fixture.run({
          prompt: getPrompt('work', 'Go on.'),
          conversation: unknownConversation,
        });
        if (log !== undefined)
          record(`${name}-${log}`, performance.stream, fixture.directory, {
            code: performance.code,
            errors: errorsOn(performance.screen),
          });
        assert.deepEqual(
          [performance.outcome?.at, performance.outcome?.conversation, fixture.server.asked.length],
          ['conversation-lost', undefined, asked],
          performance.screen,
        );
      };

      await lose('lost');
      assert.equal(
        (await fixture.run({prompt: getPrompt('work', 'Greet everybody.')})).outcome?.at,
        'finished',
      );
      // Gemini alone says it in other words when there are others.
      await lose(name === 'gemini' ? 'lost-beside' : undefined);
      const {argv, env} = fixture.command({mode: 'takeover', conversation: unknownConversation});
      const terminal = await startInTerminal(t, argv, {cwd: fixture.directory, env});
      await eventually(
        'it says so where a person takes over, too',
        () => findLostConversation(name, terminal.screen()) !== undefined,
        60_000,
      ).catch((error: unknown) => assert.fail(`${String(error)}\n${terminal.screen()}`));
    });

    test('goes on after a kill -9 in the middle of its work', async (t) => {
      let isStuck = true;
      const fixture = await createFixture(t, name, renderer, (directory) => ({tools, results}) => {
        if (tools.length === 0) return {text: 'A title'};
        if (results.length === 0)
          return {text: 'I write it.', calls: [write(path.join(directory, 'b.txt'), 'hello\n')]};
        return {text: 'There it is.', hangs: isStuck};
      });
      const started = fixture.start({prompt: getPrompt('work', 'Greet everybody.')});
      await eventually(
        'the model has the result of the first tool',
        () => fixture.server.asked.some(({results}) => results.length > 0),
        120_000,
      );
      for (const one of processesIn(fixture.directory)) killed(Number(one.split(' ')[0]));
      const {outcome, screen} = await started.ended;
      isStuck = false;
      const conversation = outcome?.conversation ?? assert.fail(screen);
      const again = await fixture.run({prompt: getPrompt('work', 'Go on.'), conversation});
      assert.deepEqual(
        [again.code, again.outcome?.at, again.outcome?.conversation],
        [0, 'finished', conversation],
        again.screen,
      );
      const notified =
        fixture.server.asked.findLast(({tools}) => tools.length > 0)?.user.join('\n') ?? '';
      assert.equal(
        notified.includes('Greet everybody.') && notified.includes('Go on.'),
        true,
        notified,
      );
    });

    test('is taken over: a person gets its own screen with the same conversation, and what they type reaches the model', async (t) => {
      const fixture = await createFixture(
        t,
        name,
        renderer,
        () =>
          ({tools}) =>
            tools.length === 0 ? {text: 'A title'} : {text: 'The word was swordfish.'},
      );
      const {outcome, screen} = await fixture.run({
        prompt: getPrompt('work', 'Remember the word.'),
      });
      const {argv, env} = fixture.command({
        mode: 'takeover',
        conversation: outcome?.conversation ?? assert.fail(screen),
      });
      const terminal = await startInTerminal(t, argv, {cwd: fixture.directory, env});
      await eventually(
        'its answer of before is on its screen',
        () => terminal.screen().includes('swordfish'),
        90_000,
      ).catch((error: unknown) => assert.fail(`${String(error)}\n${terminal.screen()}`));
      const ready = new RegExp(fixture.driver.screen.ready ?? assert.fail(), 'm');
      await eventually('it is ready', () => ready.test(terminal.screen()), 30_000).catch(
        (error: unknown) => assert.fail(`${String(error)}\n${terminal.screen()}`),
      );
      terminal.type('\u001B[200~Say more.\u001B[201~');
      // Gemini takes an Enter that follows a paste at once for a part of it.
      await eventually(
        'it shows what was typed, and is still',
        () => terminal.screen().includes('Say more.') && terminal.silentMs() > 500,
        30_000,
      );
      terminal.type('\r');
      await eventually(
        'the model is told',
        () =>
          fixture.server.asked.some(
            ({user}) =>
              user.some((text) => text.includes('Say more.')) &&
              user.some((text) => text.includes('Remember the word.')),
          ),
        30_000,
      ).catch((error: unknown) => assert.fail(`${String(error)}\n${terminal.screen()}`));
    });

    test('without an account it is unavailable, and a person is told what to do', async (t) => {
      const fixture = await createFixture(t, name, renderer, () => () => ({
        refusal: {
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
        },
      }));
      const {code, outcome, screen, stream} = await fixture.run({
        prompt: getPrompt('work', 'Greet everybody.'),
      });
      record(`${name}-401`, stream, fixture.directory);
      assert.notEqual(code, 0, screen);
      assert(outcome?.at === 'unavailable', screen);
      assert.equal(outcome.until, undefined);
      assert.match(outcome.words, new RegExp(`^${name} has no account here: .+; then resume\\.$`));
    });

    test('a limit is no failure of the task', async (t) => {
      const fixture = await createFixture(t, name, renderer, () => () => ({
        refusal: limit ?? assert.fail(),
      }));
      const {code, outcome, screen, stream} = await fixture.run({
        prompt: getPrompt('work', 'Greet everybody.'),
      });
      record(`${name}-limit`, stream, fixture.directory);
      assert.notEqual(code, 0, screen);
      assert(outcome?.at === 'unavailable', screen);
      assert.match(outcome.words, new RegExp(`^${name} has reached a limit: `));
      assert.equal(
        outcome.until !== undefined && outcome.until > Date.now(),
        limitUntil,
        JSON.stringify(outcome),
      );
    });

    if (failing === 'told') {
      test('a service that fails is waited for', async (t) => {
        const fixture = await createFixture(t, name, renderer, () => () => ({
          refusal: {
            status: 500,
            body: {
              type: 'error',
              error: {
                type: 'api_error',
                code: 500,
                message: 'Internal server error',
                status: 'INTERNAL',
              },
            },
          },
        }));
        const {code, outcome, screen, stream} = await fixture.run({
          prompt: getPrompt('work', 'Greet everybody.'),
        });
        record(`${name}-500`, stream, fixture.directory);
        assert.notEqual(code, 0, screen);
        assert(outcome?.at === 'unavailable', screen);
        assert.equal((outcome.until ?? 0) > Date.now(), true);
      });
    }

    test('a conversation that is too long is a failure with words', async (t) => {
      const fixture = await createFixture(t, name, renderer, () => () => ({
        refusal: {
          status: 400,
          body: {
            type: 'error',
            error: {
              type: 'invalid_request_error',
              code: 'context_length_exceeded',
              message: 'prompt is too long: 250000 tokens > 200000 maximum',
              status: 'INVALID_ARGUMENT',
            },
          },
        },
      }));
      const {code, outcome, screen, stream} = await fixture.run({
        prompt: getPrompt('work', 'Greet everybody.'),
      });
      record(`${name}-too-long`, stream, fixture.directory);
      assert.notEqual(code, 0, screen);
      assert.equal(outcome?.at, 'failed', screen);
      assert.match(
        outcome.words,
        new RegExp(`^${name} has a conversation that exceeds the context of the model: `),
      );
    });

    for (const [signal, status] of [
      ['SIGTERM', 143],
      ['SIGINT', 130],
    ] as const) {
      test(`${signal} ends it, and nothing of it is left`, async (t) => {
        const fixture = await createFixture(t, name, renderer, () => () => ({
          text: 'So',
          hangs: true,
        }));
        const started = fixture.start({prompt: getPrompt('work', 'Greet everybody.')});
        await eventually('it asks the model', () => fixture.server.asked.length > 0, 120_000);
        started.kill(signal);
        const {code, outcome} = await started.ended;
        assert.deepEqual(
          [code, outcome?.at, outcome?.words],
          [status, 'interrupted', `${name} was stopped by ${signal}.`],
        );
        await eventually(
          'its processes are gone',
          () => processesIn(fixture.directory).length === 0,
        );
      });
    }
  });
}

/** What was written to standard error is shown in the manner of a notice. */
function errorsOn(screen: string): string[] {
  return screen.split('\n').flatMap((line) => (line.startsWith('· ') ? [line.slice(2)] : []));
}

/** It may have ended with its parent. */
function killed(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
}

/**
 * One turn after the other; the tool results that came back tell how far it is. Whoever has no
 * tools asks for a title.
 */
function inTurn(...turns: readonly Turn[]): Script {
  return ({tools, results}: Asked) =>
    tools.length === 0
      ? {text: 'A title'}
      : (turns[Math.min(results.length, turns.length - 1)] ?? {text: 'Done.'});
}
