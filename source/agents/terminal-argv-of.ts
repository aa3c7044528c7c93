import type {AgentCommand} from './driver.ts';

/**
 * What is started in the terminal, given where the command's program was found, and for one that is rendered also how this
 * very program is started. A session's standard input is its terminal; where it must be a file instead, a shell opens that
 * and becomes the program. Nothing of it is quoted or split.
 */
export function terminalArgvOf(
  {argv, stdin, renderer}: AgentCommand,
  program: readonly string[],
  ownProgram: readonly string[] = [],
): readonly string[] {
  const started = [...program, ...argv.slice(1)];
  if (renderer !== undefined) {
    if (ownProgram.length === 0)
      throw new Error(
        `expected how orchestra itself is started, got nothing: ${argv[0] ?? 'the agent'} is run by it`,
      );
    return [...ownProgram, ...renderer, '--', ...started];
  }

  return stdin === undefined ? started : ['/bin/sh', '-c', 'exec "$@" <"$0"', stdin, ...started];
}
