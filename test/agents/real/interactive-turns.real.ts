import assert from 'node:assert/strict';
import path from 'node:path';
import process from 'node:process';
import {readFileSync} from 'node:fs';
import {describe, test} from 'node:test';
import {type AgentSignal, outcomeOfError} from '../../../source/agents/index.ts';
import type {Usage} from '../../../source/domain/index.ts';
import {eventually} from '../../support/eventually.ts';
import type {Refusal} from '../model-server/script.ts';
import {actionNames} from './support/action-names.ts';
import {createFixture, filesIn} from './support/fixture.ts';
import {createInteractive, type InteractiveFixture, typePrompt} from './support/interactive.ts';
import {processesIn} from './support/processes-in.ts';
import {recordSignals} from './support/record.ts';

const names = ['claude', 'codex', 'gemini', 'opencode', 'pi'];
const tokens = {input: 100, output: 20};

describe('a worker in the agent\u2019s own interface', () => {
  for (const name of names) {
    test(`${name}: each turn is reported with its conversation and its usage, also after a kill -9`, async (t) => {
      const write = actionNames[name]?.write ?? assert.fail(name);
      const fixture = await createFixture(
        t,
        name,
        import.meta.filename,
        (directory) =>
          ({tools, user, results}) => {
            const text = user.join('\n');
            if (tools.length === 0) return {text: 'A title'};
            if (text.includes('Go on.')) return {text: 'On I go.'};
            if (text.includes('Say more.')) return {text: 'The word was swordfish.'};
            return results.length === 0
              ? {text: 'I write it.', calls: [write(path.join(directory, 'b.txt'), 'hello\n')]}
              : {text: 'There it is.'};
          },
      );
      const agent = createInteractive(t, fixture);
      const first = await agent.open({});
      const one = await agent.endTurn(first, 'Greet everybody.');
      assert.equal(readFileSync(path.join(fixture.directory, 'b.txt'), 'utf8'), 'hello\n');
      const conversation = one.conversation ?? assert.fail(agent.lines().join('\n'));
      await turnIs(agent, one, conversation, 'There it is.', 2);
      const two = await agent.endTurn(first, 'Say more.');
      await turnIs(agent, two, conversation, 'The word was swordfish.', 3);
      for (const process_ of processesIn(fixture.directory)) killed(Number(process_.split(' ')[0]));
      await eventually('it is gone', () => first.hasExited());
      const second = await agent.open({conversation});
      const three = await agent.endTurn(second, 'Go on.');
      await turnIs(agent, three, conversation, 'On I go.', 4);
      const asked = fixture.server.asked.filter(({tools}) => tools.length > 0);
      assert.match(asked.at(-1)?.user.join('\n') ?? '', /Greet everybody\.[^]*Go on\./);
      assert.equal(asked.length, 4, 'the model was asked once for each answer');
      assert.deepEqual(
        [agent.signals('turn-began').length, agent.signals('turn-ended').length],
        [3, 3],
        agent.lines().join('\n'),
      );
      recordSignals(name, agent.lines(), agent.transcript(conversation), fixture.directory);
    });

    test(`${name}: in plan mode it writes nothing, by its tools or by its shell`, async (t) => {
      const {write, shell} = actionNames[name] ?? assert.fail(name);
      const fixture = await createFixture(
        t,
        name,
        import.meta.filename,
        (directory) =>
          ({tools, results}) => {
            if (tools.length === 0) return {text: 'A title'};
            if (results.length > 0) return {text: 'That did not work.'};
            return {
              text: 'I try.',
              calls: [
                write(path.join(directory, 'b.txt'), 'hello\n'),
                shell(`echo hello > ${path.join(directory, 'c.txt')}`),
              ],
            };
          },
      );
      const agent = createInteractive(t, fixture);
      // Codex relies on its own sandbox, which root cannot nest in ours.
      const terminal = await agent.open({mode: 'plan', nestsSandboxes: true});
      const end = await agent.endTurn(terminal, 'Plan to greet everybody.').catch(
        // A question to the person is no write either.
        () => undefined,
      );
      assert.deepEqual(
        [filesIn(fixture.directory), fixture.changes()],
        [['a.txt'], ''],
        terminal.screen(),
      );
      assert.equal(
        fixture.server.asked.some(({results}) => results.length > 0),
        end !== undefined,
        terminal.screen(),
      );
      assert.notEqual(end, undefined, `it asks a person\n${terminal.screen()}`);
    });
  }
});

type Problem = {
  readonly refusal: Refusal;
  readonly words: RegExp;
  /** Whether it says when its service is there again. */
  readonly until: boolean;
  /** Agents that repeat the request for as long as it takes, and report nothing. */
  readonly repeats: readonly string[];
};

const problems: readonly Problem[] = [
  {
    refusal: getRefusal(401, 'authentication_error', 'invalid_api_key', 'invalid x-api-key'),
    words: /has no account here: /,
    until: false,
    repeats: [],
  },
  {
    refusal: getRefusal(429, 'rate_limit_error', 'rate_limit_exceeded', 'too many requests'),
    words: /has reached a limit: /,
    until: false,
    repeats: ['opencode'],
  },
  {
    refusal: getRefusal(500, 'api_error', 'internal', 'Internal server error'),
    words: /cannot reach its service, or it is too busy: /,
    until: true,
    repeats: ['gemini', 'opencode'],
  },
];

describe('a turn that its service ends', () => {
  for (const name of names)
    for (const {refusal, words, until, repeats} of problems) {
      const isRepeated = repeats.includes(name);
      test(`${name}: ${refusal.status} ${isRepeated ? 'is repeated, and the turn stays open' : 'is what the turn ended with'}`, async (t) => {
        const fixture = await createFixture(t, name, import.meta.filename, () => () => ({refusal}));
        const agent = createInteractive(t, fixture);
        const terminal = await agent.open({});
        if (isRepeated) {
          await typePrompt(fixture.driver, terminal, 'Greet everybody.');
          await eventually(
            'it asks again and again',
            () => fixture.server.asked.filter(({tools}) => tools.length > 0).length >= 3,
            60_000,
          );
          assert.deepEqual(agent.signals('turn-ended'), []);
          return;
        }

        // Codex reports a failure to the terminal only; its record has the reason.
        if (name === 'codex') await typePrompt(fixture.driver, terminal, 'Greet everybody.');
        const end =
          name === 'codex' ? undefined : await agent.endTurn(terminal, 'Greet everybody.');
        const error = await eventually(
          'the reason is known',
          () => {
            const began = end ?? agent.signals('turn-began')[0];
            return began === undefined
              ? undefined
              : (agent.summary(began.conversation ?? '')?.error ?? end?.error);
          },
          30_000,
        ).catch((failure: unknown) =>
          assert.fail(`${String(failure)}\n${terminal.screen()}\n${agent.lines().join('\n')}`),
        );
        const outcome = outcomeOfError(error, {agent: name, account: 'Log in.'}, Date.now());
        assert(outcome.at === 'unavailable', JSON.stringify([error, outcome]));
        assert.match(outcome.words, words);
        assert.equal(outcome.until !== undefined, until);
        assert.equal(
          agent.signals('turn-ended').length,
          name === 'codex' ? 0 : 1,
          'its own repetitions are no turns',
        );
      });
    }
});

function getRefusal(status: number, type: string, code: string, message: string): Refusal {
  return {status, body: {type: 'error', error: {type, code, message, status: type.toUpperCase()}}};
}

/** What it says at the end of its turn, and all that the scripted model has counted for it. */
async function turnIs(
  agent: InteractiveFixture,
  {words, usage, conversation}: AgentSignal,
  expected: string,
  text: string,
  answers: number,
): Promise<void> {
  assert.equal(conversation, expected);
  const read = (): {readonly words?: string; readonly usage?: Usage} => {
    const summary = agent.summary(expected);
    return summary === undefined
      ? {...(words !== undefined && {words}), ...(usage !== undefined && {usage})}
      : {...summary, words: words ?? summary.words ?? ''};
  };
  await eventually(
    `“${text}”, and the usage of ${answers} answers`,
    () => {
      const {words: last, usage: sum} = read();
      return (
        last === text &&
        sum?.input === answers * tokens.input &&
        sum.output === answers * tokens.output
      );
    },
    10_000,
  ).catch((error: unknown) => assert.fail(`${String(error)}\n${JSON.stringify(read())}`));
}

/** It may have ended with its parent. */
function killed(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
}
