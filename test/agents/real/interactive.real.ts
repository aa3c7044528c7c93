import assert from 'node:assert/strict';
import path from 'node:path';
import {existsSync} from 'node:fs';
import {describe, test} from 'node:test';
import {selectNeeds, type State} from '../../../source/domain/index.ts';
import {eventually} from '../../support/eventually.ts';
import type {Call} from '../model-server/script.ts';
import {actionNames} from './support/action-names.ts';
import {createHarness} from './support/harness.ts';

/** What each agent asks for, who says that it asks, and what its first option is. */
const agents: readonly {
  readonly name: string;
  readonly source: 'agent' | 'screen';
  readonly first: string;
  readonly call?: Call;
}[] = [
  {name: 'claude', source: 'agent', first: 'Yes'},
  // It asks only for what its own sandbox would not let through.
  {
    name: 'codex',
    source: 'agent',
    first: 'Yes, proceed (y)',
    call: {
      name: 'exec_command',
      input: {
        cmd: 'echo hi > c.txt',
        sandbox_permissions: 'require_escalated',
        justification: 'It greets.',
      },
    },
  },
  {name: 'gemini', source: 'screen', first: 'Allow once'},
  {name: 'opencode', source: 'screen', first: 'Allow once'},
];

describe('an agent that asks for permission, with nobody at its screen', () => {
  for (const {name, source, first, call} of agents) {
    test(`${name}: its prompt is typed once, its dialog is a need with its options, and the answer lets it go on`, async (t) => {
      const {place, server, argv} = await createHarness(t, name, () => ({tools, results}) => {
        if (tools.length === 0) return {text: 'A title'};
        return results.length === 0
          ? {
              text: 'I do it.',
              calls: [call ?? actionNames[name]?.shell('echo hi > c.txt') ?? assert.fail()],
            }
          : {text: 'There it is.'};
      });
      const started = place.run('start', '--prompt', 'Please greet everybody.', '--', ...argv);
      assert.equal(started.code, 0, started.err);
      const session = started.out.trim();
      const screen = (): string => place.run('explain', session).out;
      const need = await eventually(
        'its question is a need',
        async () =>
          selectNeeds((await place.ask({about: 'state'})) as State).find(
            (one) => one.kind === 'question' && one.options !== undefined,
          ),
        120_000,
      ).catch((error: unknown) => assert.fail(`${String(error)}\n${screen()}`));
      assert(need.kind === 'question');
      assert.deepEqual([need.source, need.options?.[0]], [source, first], screen());
      assert.match(need.question, /echo hi > c\.txt/);
      assert.match(
        place.run('sessions').out,
        new RegExp(
          `needs you, ${source === 'agent' ? 'reported by the agent' : 'seen on the screen'}`,
        ),
      );
      assert.match(screen(), /needs you {2}/);
      assert.equal(
        server.asked
          .flatMap(({user}) => user)
          .filter((text) => text.includes('Please greet everybody.')).length >= 1,
        true,
      );
      assert.equal(existsSync(path.join(place.root, 'c.txt')), false);
      const message = place.run('send', session, 'go on, please');
      assert.deepEqual([message.code, message.err.includes('offers 1 ')], [1, true], message.err);
      const answered = place.run('send', session, '1');
      assert.equal(answered.code, 0, `${answered.err}\n${screen()}`);
      await eventually('it did it', () => existsSync(path.join(place.root, 'c.txt')), 60_000).catch(
        (error: unknown) => assert.fail(`${String(error)}\n${screen()}`),
      );
      await eventually(
        'the need is gone',
        async () =>
          !selectNeeds((await place.ask({about: 'state'})) as State).some(
            (one) => one.kind === 'question' && one.options !== undefined,
          ),
        30_000,
      );
      await eventually(
        'the model has heard of it',
        () => server.asked.some(({results}) => results.length > 0),
        30_000,
      );
      assert.equal(place.events().filter(({type}) => type === 'input-uncertain').length, 0);
    });
  }
});
