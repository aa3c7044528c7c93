import type {AgentCommand} from './driver.ts';

/**
 * What is started in the terminal, given where the command's program was found. A session's standard input is its
 * terminal; where it must be a file instead, a shell opens that and becomes the program. Nothing of it is quoted or split.
 */
export function terminalArgvOf({argv, stdin}: AgentCommand, program: readonly string[]): readonly string[] {
  const started = [...program, ...argv.slice(1)];
  return stdin === undefined ? started : ['/bin/sh', '-c', 'exec "$@" <"$0"', stdin, ...started];
}
