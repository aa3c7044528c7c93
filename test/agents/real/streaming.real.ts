import assert from 'node:assert/strict';
import {before, describe, test} from 'node:test';
import {bundleProgram} from '../../support/bundle-program.ts';
import {eventually} from '../../support/eventually.ts';
import {actionNames} from './support/action-names.ts';
import {getPrompt} from './support/prompts.ts';
import {createFixture} from './support/fixture.ts';

let renderer = '';
before(async () => {
  renderer = await bundleProgram('test/agent-runner/programs/render.ts');
});

const job = {prompt: getPrompt('work', 'Greet everybody.'), isConfined: true};

for (const name of ['claude', 'codex', 'gemini', 'opencode', 'pi']) {
  const {shell} = actionNames[name] ?? assert.fail(name);
  describe(`${name}, the real CLI, while it works`, () => {
    test('tells what it has used, and is stopped at its limit', async (t) => {
      const fixture = await createFixture(t, name, renderer, () => ({tools, results}) => {
        if (tools.length === 0) return {text: 'A title'};
        return results.length === 0
          ? {text: 'I look.', calls: [shell('ls')]}
          : {text: 'So', hangs: true};
      });
      const started = fixture.start(job);
      await eventually(
        'what it used is told',
        () => (fixture.activity()?.usage?.input ?? 0) >= 100,
        90_000,
      ).catch((error: unknown) => assert.fail(`${String(error)}\n${started.screen()}`));
      // Claude tells what a message reads when it begins, also of the one that hangs.
      assert.ok(
        [100, 200].includes(fixture.activity()?.usage?.input ?? 0),
        JSON.stringify(fixture.activity()),
      );
      started.kill('SIGTERM');
      await started.ended;
      const limited = await fixture.run({...job, tokenLimit: 50});
      assert.equal(limited.outcome?.at, 'failed', limited.screen);
      assert.match(
        limited.outcome.words,
        new RegExp(`^${name} was stopped: it has used \\d+ tokens, and 50 were left\\.$`),
        limited.screen,
      );
    });

    if (name === 'claude' || name === 'gemini' || name === 'pi') {
      test('shows what it writes while it is written', async (t) => {
        const fixture = await createFixture(
          t,
          name,
          renderer,
          () =>
            ({tools}) =>
              tools.length === 0
                ? {text: 'A title'}
                : {text: 'The quick brown fox jumps over the lazy dog.', hangsInText: true},
        );
        const started = fixture.start(job);
        await eventually(
          'the first half is on the screen',
          () => started.screen().includes('The quick brown fox'),
          90_000,
        ).catch((error: unknown) => assert.fail(`${String(error)}\n${started.screen()}`));
        assert.doesNotMatch(started.screen(), /lazy dog/);
        started.kill('SIGTERM');
        await started.ended;
      });
    }

    if (name === 'claude' || name === 'pi') {
      test('says that its service is asked again, and how often', async (t) => {
        const fixture = await createFixture(
          t,
          name,
          renderer,
          () => () => ({
            refusal: {
              status: 529,
              body: {
                type: 'error',
                error: {type: 'overloaded_error', code: 529, message: 'Overloaded'},
              },
            },
          }),
          {CLAUDE_CODE_MAX_RETRIES: '5'},
        );
        const started = fixture.start(job);
        await eventually(
          'it is told',
          () => (fixture.activity()?.retry?.times ?? 0) >= 2,
          90_000,
        ).catch((error: unknown) => assert.fail(`${String(error)}\n${started.screen()}`));
        assert.equal(fixture.activity()?.retry?.status, 529);
        assert.match(started.screen(), /^· The service failed: .*; trying again \(\d of \d+\)\.$/m);
        started.kill('SIGTERM');
        await started.ended;
      });
    }
  });
}
