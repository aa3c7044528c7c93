import type {AgentCommand} from './driver.ts';
import type {Job} from './job.ts';

export type Headless = {
  readonly agent: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Where what goes to its standard input begins in the prompt. */
  readonly from?: number;
  readonly files?: AgentCommand['files'];
  readonly inPlace?: AgentCommand['inPlace'];
};

/** A headless start: the prompt goes in by standard input, and the stream that comes out is shown by this very program. */
export function rendered(
  {mode, promptFile, outcomeFile, conversation, tokenLimit}: Job,
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
      ...(conversation === undefined ? [] : ['--conversation', conversation]),
      ...(tokenLimit === undefined ? [] : ['--token-limit', String(tokenLimit)]),
    ],
    ...(files !== undefined && {files}),
    ...(inPlace !== undefined && {inPlace}),
  };
}

/** How its program is told to go on with a conversation, if there is one. */
export function resumed({conversation}: Job, ...argv: readonly string[]): readonly string[] {
  return conversation === undefined ? [] : [...argv, conversation];
}

/** An option with its value, if there is one. */
export function optional(name: string, value: string | undefined): readonly string[] {
  return value === undefined || value === '' ? [] : [name, value];
}
