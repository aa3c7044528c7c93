import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import type {TestContext} from 'node:test';
import {type AgentOutcome, parseOutcomeFile} from '../../../source/agents/index.ts';
import {type AgentRun, runAgent} from '../../../source/agent-runner/index.ts';

/** What `programs/pretend.mjs` does. */
export type Pretence = {
  readonly chunks?: readonly (string | {readonly base64: string})[];
  readonly errors?: readonly string[];
  /** What it says on standard error after all the chunks. */
  readonly late?: readonly string[];
  readonly code?: number;
  readonly signal?: string;
  readonly hangs?: boolean;
  readonly ignores?: readonly string[];
  readonly promptTo?: string;
};

export type Shown = {
  readonly code: number | null;
  readonly screen: string;
  readonly outcome: AgentOutcome | undefined;
  readonly stream: string;
};

export type DaemonFixture = {
  readonly directory: string;
  readonly prompt: string;
  readonly outcomeFile: string;
  readonly argv: (pretence: Pretence) => readonly string[];
};

const pretend = path.join(import.meta.dirname, '../programs/pretend.mjs');

export function createDaemonFixture(t: TestContext): DaemonFixture {
  const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'orchestra-test-')));
  t.after(() => {
    rmSync(base, {recursive: true, force: true});
  });
  const [directory, prompt] = [path.join(base, 'worktree'), path.join(base, 'prompt.md')];
  mkdirSync(directory);
  writeFileSync(prompt, '# Rules\n\n# Task: x\n');
  return {
    directory,
    prompt,
    outcomeFile: path.join(base, 'outcome.json'),
    argv: (pretence) => {
      const script = path.join(base, 'script.json');
      writeFileSync(script, JSON.stringify(pretence));
      return [process.execPath, pretend, script];
    },
  };
}

/** Renders in this process. */
export async function show(
  fixture: DaemonFixture,
  pretence: Pretence,
  changes: Partial<AgentRun> = {},
): Promise<Shown> {
  let screen = '';
  const code = await runAgent({
    agent: 'claude',
    mode: 'work',
    argv: fixture.argv(pretence),
    directory: fixture.directory,
    promptFile: fixture.prompt,
    outcomeFile: fixture.outcomeFile,
    env: {PATH: process.env['PATH']},
    now: () => 1000,
    out: (text) => {
      screen += text;
    },
    ...changes,
  });
  return {code, screen, ...leftIn(fixture)};
}

/** Renders as a process of its own. */
export function start(
  renderer: string,
  fixture: DaemonFixture,
  pretence: Pretence,
): {
  readonly pid: number;
  readonly screen: () => string;
  readonly ended: Promise<Shown>;
  readonly kill: (signal: NodeJS.Signals) => void;
} {
  const child = spawn(process.execPath, [renderer, ...getArguments(fixture, pretence)], {
    cwd: fixture.directory,
    env: {PATH: process.env['PATH']},
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let screen = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
  });
  const ended = once(child, 'close').then((end) => ({
    code: end[0] as number | null,
    screen,
    ...leftIn(fixture),
  }));
  return {
    pid: child.pid ?? 0,
    screen: () => screen,
    ended,
    kill: (signal) => void child.kill(signal),
  };
}

export function getArguments(fixture: DaemonFixture, pretence: Pretence): readonly string[] {
  return [
    'agent',
    'run',
    '--agent',
    'claude',
    '--mode',
    'work',
    '--prompt-file',
    fixture.prompt,
    '--prompt-from',
    '0',
    '--outcome-file',
    fixture.outcomeFile,
    '--',
    ...fixture.argv(pretence),
  ];
}

export function leftIn({outcomeFile}: DaemonFixture): {
  readonly outcome: AgentOutcome | undefined;
  readonly stream: string;
} {
  const stream = path.join(path.dirname(outcomeFile), 'stream.jsonl');
  return {
    outcome: existsSync(outcomeFile)
      ? parseOutcomeFile(readFileSync(outcomeFile, 'utf8'))
      : undefined,
    stream: existsSync(stream) ? readFileSync(stream, 'utf8') : '',
  };
}

export const init = '{"type":"system","subtype":"init","session_id":"s-1","model":"m"}\n';

export function description(text: string): string {
  return `${JSON.stringify({type: 'assistant', message: {id: 'm1', model: 'm', content: [{type: 'text', text}], usage: {input_tokens: 5, output_tokens: 2}}})}\n`;
}

export function ends(text: string): string {
  return `${JSON.stringify({type: 'result', subtype: 'success', is_error: false, result: text, session_id: 's-1', total_cost_usd: 0.5, usage: {input_tokens: 5, cache_read_input_tokens: 2, output_tokens: 3}})}\n`;
}
