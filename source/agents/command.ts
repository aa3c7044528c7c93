import type {AgentCommand, Job, JobTools} from './driver.ts';

/**
 * Splits a prompt into the rules at its top and the offset of the rest. An agent that accepts
 * additional instructions gets the rules there, where they survive a compaction, and the rest as
 * its prompt.
 */
export function splitRules(prompt: string): {readonly rules: string; readonly from: number} {
  const next = prompt.startsWith('# Rules\n') ? prompt.indexOf('\n\n# ') : -1;
  // An argument holds at most 128 KiB; longer rules stay in the prompt.
  if (next === -1 || next > maxRulesCharacters || prompt.slice(0, next).includes('\0'))
    return {rules: '', from: 0};
  return {rules: prompt.slice(0, next), from: next + 2};
}

const maxRulesCharacters = 30_000;

/** A tool server (MCP) as an agent's settings declare it. */
export type ToolServerCommand = {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
};

/** Our own server first, then those of the task. */
export function toToolServers(tools: JobTools | undefined): ToolServerCommand[] {
  if (tools === undefined) return [];
  const [command = '', ...args] = tools.argv;
  return [ownServer, ...(tools.servers ?? [])].map((name) => ({
    name,
    command,
    args: name === ownServer ? args : [...args, '--server', name],
    env: tools.env,
  }));
}

export const ownServer = 'orchestra';

/** Longer than any call of ours waits, so that our own answer comes before the agent's timeout. */
export function toolTimeoutMs({waitMs = 600_000}: Pick<JobTools, 'waitMs'>): number {
  return waitMs + 60_000;
}

/** Long enough to download an external server first (`npx`). */
export const startTimeoutMs = 60_000;

/** Makes names into paths of a directory, for the lists of an agent's settings. */
export function pathsIn(directory: string): (...names: readonly string[]) => readonly string[] {
  return (...names) => names.map((name) => `${directory}/${name}`);
}

export type Headless = {
  readonly agent: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The offset in the prompt of what goes to standard input. */
  readonly from?: number;
  readonly files?: AgentCommand['files'];
  readonly inPlace?: AgentCommand['inPlace'];
};

/** A headless start: the prompt goes to standard input, and orchestra itself shows the stream. */
export function headlessCommand(
  {mode, promptFile, outcomeFile, inbox, conversation, tokenLimit}: Job,
  {agent, argv, env, from = 0, files, inPlace}: Headless,
): AgentCommand {
  return {
    argv,
    env,
    renderer: [
      'agent',
      'run',
      '--agent',
      agent,
      '--mode',
      mode === 'plan' ? 'plan' : 'work',
      '--prompt-file',
      promptFile,
      '--prompt-from',
      String(from),
      '--outcome-file',
      outcomeFile,
      ...(inbox === undefined ? [] : ['--inbox', inbox]),
      ...(conversation === undefined ? [] : ['--conversation', conversation]),
      ...(tokenLimit === undefined ? [] : ['--token-limit', String(tokenLimit)]),
    ],
    ...(files !== undefined && {files}),
    ...(inPlace !== undefined && {inPlace}),
  };
}

export type Interactive = {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** When the agent is ready for a prompt (see `ScreenPatterns`). */
  readonly ready?: string;
  /** The offset in the prompt of what is typed. */
  readonly from?: number;
  readonly files?: AgentCommand['files'];
  readonly inPlace?: AgentCommand['inPlace'];
};

/** A start in the agent's own interface: the prompt is typed, and hooks report turns. */
export function interactiveCommand(
  {prompt, signalsFile}: Job,
  {argv, env, ready, from = 0, files, inPlace}: Interactive,
): AgentCommand {
  const text = prompt.slice(from);
  return {
    argv,
    env: {...env, ...(signalsFile !== undefined && {[signalsVariable]: signalsFile})},
    ...(text !== '' && {input: {text, ...(ready !== undefined && {when: ready})}}),
    ...(files !== undefined && {files}),
    ...(inPlace !== undefined && {inPlace}),
  };
}

/** Names the signals file for every interactive agent. */
export const signalsVariable = 'ORCHESTRA_SIGNALS';

/** The arguments that resume a conversation, if there is one. */
export function resumeArguments(
  {conversation}: Job,
  ...argv: readonly string[]
): readonly string[] {
  return conversation === undefined ? [] : [...argv, conversation];
}

/** The arguments with this value of an option, instead of the value that they may have. */
export function replaceOption(
  argv: readonly string[],
  name: string,
  value: string,
): readonly string[] {
  const at = argv.indexOf(name);
  return at === -1
    ? [...argv, name, value]
    : [...argv.slice(0, at), name, value, ...argv.slice(at + 2)];
}

/** An option with its value, if there is one. */
export function optionArguments(name: string, value: string | undefined): readonly string[] {
  return value === undefined || value === '' ? [] : [name, value];
}

/**
 * The argv to start in the terminal. `program` is where the command's program was found;
 * `ownProgram` is how orchestra itself is started, for an agent that it renders. If standard input
 * must be a file, a shell opens it and becomes the program; no argument is quoted or split.
 */
export function toTerminalArgv(
  {argv, stdin, renderer}: AgentCommand,
  program: readonly string[],
  ownProgram: readonly string[] = [],
): readonly string[] {
  const started = [...program, ...argv.slice(1)];
  if (renderer !== undefined) {
    if (ownProgram.length === 0)
      throw new Error(
        `expected the command line of orchestra, got nothing: orchestra runs ${argv[0] ?? 'the agent'}`,
      );
    return [...ownProgram, ...renderer, '--', ...started];
  }

  return stdin === undefined ? started : ['/bin/sh', '-c', 'exec "$@" <"$0"', stdin, ...started];
}
