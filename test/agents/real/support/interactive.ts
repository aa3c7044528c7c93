import assert from 'node:assert/strict';
import path from 'node:path';
import process from 'node:process';
import {existsSync, readFileSync, readdirSync} from 'node:fs';
import type {TestContext} from 'node:test';
import type {
  AgentSignal,
  Driver,
  InteractiveAgent,
  Job,
  TranscriptSummary,
} from '../../../../source/agents/index.ts';
import {eventually} from '../../../support/eventually.ts';
import {startInTerminal, type TerminalProgram} from '../../../system/support/terminal-program.ts';
import type {Fixture} from './fixture.ts';

/** An agent in its own interface, and what it reports. */
export type InteractiveFixture = {
  readonly open: (job: Partial<Job>) => Promise<TerminalProgram>;
  /** The lines that its hooks wrote. */
  readonly lines: () => string[];
  readonly signals: (kind: AgentSignal['kind']) => AgentSignal[];
  /** What its own record of the conversation says; undefined if it keeps none. */
  readonly summary: (conversation: string) => TranscriptSummary | undefined;
  readonly transcript: (conversation: string) => string;
  /** Types a prompt and waits for the end of the turn. */
  readonly endTurn: (terminal: TerminalProgram, text: string) => Promise<AgentSignal>;
};

export function createInteractive(t: TestContext, fixture: Fixture): InteractiveFixture {
  const {driver, home, directory} = fixture;
  const signalsFile = path.join(path.dirname(directory), 'exchange', 'signals.jsonl');
  const interactive = driver.interactive ?? assert.fail(`${driver.name} is not interactive`);
  const lines = (): string[] =>
    existsSync(signalsFile) ? readFileSync(signalsFile, 'utf8').split('\n').slice(0, -1) : [];
  const signals: InteractiveFixture['signals'] = (kind) =>
    lines()
      .flatMap((line) => interactive.parseSignal(line) ?? [])
      .filter((signal) => signal.kind === kind);
  const transcript = (conversation: string): string =>
    readTranscript(interactive, driver, home, conversation);
  return {
    lines,
    signals,
    transcript,
    summary: (conversation) => interactive.transcript?.parse(transcript(conversation)),
    open: async (job) => {
      const {argv, env} = fixture.command({
        isInteractive: true,
        isConfined: true,
        nestsSandboxes: process.getuid?.() !== 0,
        signalsFile,
        ...job,
      });
      return startInTerminal(t, argv, {cwd: directory, env});
    },
    endTurn: async (terminal, text) => {
      const count = signals('turn-ended').length;
      await typePrompt(driver, terminal, text);
      return eventually(`${text}: the turn ends`, () => signals('turn-ended')[count], 90_000).catch(
        (error: unknown) =>
          assert.fail(`${String(error)}\n${terminal.screen()}\n${lines().join('\n')}`),
      );
    },
  };
}

export async function typePrompt(
  {screen: {ready}}: Driver,
  terminal: TerminalProgram,
  text: string,
): Promise<void> {
  const atPrompt = new RegExp(ready ?? assert.fail(), 'm');
  await eventually(
    'it is ready and still',
    () => atPrompt.test(terminal.screen()) && terminal.silentMs() > 1000,
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

function readTranscript(
  {transcript}: InteractiveAgent,
  {name}: Driver,
  home: string,
  conversation: string,
): string {
  if (transcript === undefined) return '';
  const env = name === 'codex' ? {CODEX_HOME: path.join(home, '.codex')} : {};
  const directory = transcript.directory(home, env);
  const files = existsSync(directory)
    ? readdirSync(directory, {recursive: true, encoding: 'utf8'}).filter((file) =>
        transcript.isRecordOf(file, conversation),
      )
    : [];
  return files.length === 1 ? readFileSync(path.join(directory, files[0] ?? ''), 'utf8') : '';
}
