import assert from 'node:assert/strict';
import path from 'node:path';
import process from 'node:process';
import {existsSync, readFileSync, readdirSync} from 'node:fs';
import {describe, test} from 'node:test';
import type {AgentSignal, Job} from '../../../source/agents/index.ts';
import type {Usage} from '../../../source/domain/index.ts';
import {eventually} from '../../support/eventually.ts';
import {startInTerminal, type TerminalProgram} from '../../system/support/terminal-program.ts';
import {actionNames} from './support/action-names.ts';
import {createFixture, type Fixture} from './support/fixture.ts';
import {processesIn} from './support/processes-in.ts';
import {recordSignals} from './support/record.ts';

describe('a worker in the agent\u2019s own interface', () => {
  for (const name of ['claude', 'gemini', 'opencode', 'pi']) {
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
      const signalsFile = path.join(path.dirname(fixture.directory), 'exchange', 'signals.jsonl');
      const interactive = fixture.driver.interactive ?? assert.fail(name);
      const lines = (): string[] =>
        existsSync(signalsFile) ? readFileSync(signalsFile, 'utf8').split('\n').slice(0, -1) : [];
      const ends = (): AgentSignal[] =>
        lines()
          .flatMap((line) => interactive.parseSignal(line) ?? [])
          .filter(({kind}) => kind === 'turn-ended');
      const open = async (job: Partial<Job>): Promise<TerminalProgram> => {
        const {argv, env} = fixture.command({
          isInteractive: true,
          isConfined: true,
          nestsSandboxes: process.getuid?.() !== 0,
          signalsFile,
          ...job,
        });
        return startInTerminal(t, argv, {cwd: fixture.directory, env});
      };

      const endTurn = async (terminal: TerminalProgram, text: string): Promise<AgentSignal> => {
        const count = ends().length;
        await typePrompt(fixture, terminal, text);
        return eventually(`${text}: the turn ends`, () => ends()[count], 90_000).catch(
          (error: unknown) =>
            assert.fail(`${String(error)}\n${terminal.screen()}\n${lines().join('\n')}`),
        );
      };

      // Where the signal does not carry the text, the agent's own record has it.
      const lastText = ({words, conversation: id = ''}: AgentSignal): string | undefined =>
        words ?? interactive.transcript?.parse(transcriptOf(fixture, id)).words;
      const first = await open({});
      const one = await endTurn(first, 'Greet everybody.');
      assert.equal(readFileSync(path.join(fixture.directory, 'b.txt'), 'utf8'), 'hello\n');
      const conversation = one.conversation ?? assert.fail(lines().join('\n'));
      const two = await endTurn(first, 'Say more.');
      assert.deepEqual(
        [one.words ?? 'There it is.', lastText(two), two.conversation],
        ['There it is.', 'The word was swordfish.', conversation],
      );
      await usageIs(fixture, ends, conversation, 3);
      for (const process_ of processesIn(fixture.directory)) killed(Number(process_.split(' ')[0]));
      await eventually('it is gone', () => first.hasExited());
      const second = await open({conversation});
      const three = await endTurn(second, 'Go on.');
      assert.deepEqual([three.conversation, lastText(three)], [conversation, 'On I go.']);
      const asked = fixture.server.asked.findLast(({tools}) => tools.length > 0);
      assert.match(asked?.user.join('\n') ?? '', /Greet everybody\.[^]*Go on\./);
      await usageIs(fixture, ends, conversation, 4);
      assert.equal(ends().length, 3, lines().join('\n'));
      recordSignals(name, lines(), transcriptOf(fixture, conversation), fixture.directory);
    });
  }
});

async function typePrompt(
  {driver}: Fixture,
  terminal: TerminalProgram,
  text: string,
): Promise<void> {
  const ready = new RegExp(driver.screen.ready ?? assert.fail(), 'm');
  await eventually(
    'it is ready and still',
    () => ready.test(terminal.screen()) && terminal.silentMs() > 1000,
    90_000,
  ).catch((error: unknown) => assert.fail(`${String(error)}\n${terminal.screen()}`));
  terminal.type(`\u001B[200~${text}\u001B[201~`);
  await eventually(
    'it shows what was typed, and is still',
    () => terminal.screen().includes(text) && terminal.silentMs() > 500,
    30_000,
  ).catch((error: unknown) => assert.fail(`${String(error)}\n${terminal.screen()}`));
  terminal.type('\r');
}

/** The scripted model reports 100 tokens in and 20 out for each answer. */
async function usageIs(
  fixture: Fixture,
  ends: () => readonly AgentSignal[],
  conversation: string,
  answers: number,
): Promise<void> {
  const read = (): Usage | undefined =>
    fixture.driver.interactive?.transcript === undefined
      ? ends().at(-1)?.usage
      : fixture.driver.interactive.transcript.parse(transcriptOf(fixture, conversation)).usage;
  await eventually(
    `the usage of ${answers} answers`,
    () => read()?.input === answers * 100 && read()?.output === answers * 20,
    10_000,
  ).catch((error: unknown) => assert.fail(`${String(error)}\n${JSON.stringify(read())}`));
}

function transcriptOf({driver, home}: Fixture, conversation: string): string {
  const {transcript} = driver.interactive ?? {};
  if (transcript === undefined) return '';
  const env = driver.name === 'codex' ? {CODEX_HOME: path.join(home, '.codex')} : {};
  const directory = transcript.directory(home, env);
  const files = existsSync(directory)
    ? readdirSync(directory, {recursive: true, encoding: 'utf8'}).filter((file) =>
        transcript.isRecordOf(file, conversation),
      )
    : [];
  return files.length === 1 ? readFileSync(path.join(directory, files[0] ?? ''), 'utf8') : '';
}

/** It may have ended with its parent. */
function killed(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
}
