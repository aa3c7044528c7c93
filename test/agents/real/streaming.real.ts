import assert from 'node:assert/strict';
import {before, describe, test} from 'node:test';
import {bundleProgram} from '../../support/bundle-program.ts';
import {eventually} from '../../support/eventually.ts';
import {deeds} from './support/deeds.ts';
import {promptOf} from './support/prompts.ts';
import {createStage} from './support/stage.ts';

let renderer = '';
before(async () => {
  renderer = await bundleProgram('test/renderer/programs/render.ts');
});

const job = {prompt: promptOf('work', 'Greet everybody.'), isConfined: true};

for (const name of ['claude', 'codex', 'gemini', 'opencode', 'pi']) {
  const {shell} = deeds[name] ?? assert.fail(name);
  describe(`${name}, the real CLI, while it works`, () => {
    test('tells what it has used, and is stopped at its limit', async (t) => {
      const stage = await createStage(t, name, renderer, () => ({tools, results}) => {
        if (tools.length === 0) return {text: 'A title'};
        return results.length === 0
          ? {text: 'I look.', calls: [shell('ls')]}
          : {text: 'So', hangs: true};
      });
      const started = stage.start(job);
      await eventually(
        'what it used is told',
        () => (stage.activity()?.usage?.input ?? 0) >= 100,
        90_000,
      ).catch((error: unknown) => assert.fail(`${String(error)}\n${started.screen()}`));
      // Claude tells what a message reads when it begins, also of the one that hangs.
      assert.ok(
        [100, 200].includes(stage.activity()?.usage?.input ?? 0),
        JSON.stringify(stage.activity()),
      );
      started.kill('SIGTERM');
      await started.ended;
      const limited = await stage.run({...job, tokenLimit: 50});
      assert.equal(limited.outcome?.at, 'failed', limited.screen);
      assert.match(
        limited.outcome.words,
        new RegExp(`^${name} was stopped: it has used \\d+ tokens, and 50 were left\\.$`),
        limited.screen,
      );
    });

    if (name === 'claude' || name === 'gemini' || name === 'pi') {
      test('shows what it writes while it is written', async (t) => {
        const stage = await createStage(
          t,
          name,
          renderer,
          () =>
            ({tools}) =>
              tools.length === 0
                ? {text: 'A title'}
                : {text: 'The quick brown fox jumps over the lazy dog.', hangsInText: true},
        );
        const started = stage.start(job);
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
        const stage = await createStage(
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
        const started = stage.start(job);
        await eventually(
          'it is told',
          () => (stage.activity()?.retry?.times ?? 0) >= 2,
          90_000,
        ).catch((error: unknown) => assert.fail(`${String(error)}\n${started.screen()}`));
        assert.equal(stage.activity()?.retry?.status, 529);
        assert.match(started.screen(), /^· The service failed: .*; trying again \(\d of \d+\)\.$/m);
        started.kill('SIGTERM');
        await started.ended;
      });
    }
  });
}
