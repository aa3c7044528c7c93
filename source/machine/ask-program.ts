import {type FoundProgram, findProgram, trustedPath} from './find-program.ts';
import {type ProbeOptions, type ProbeOutcome, runProbe} from './run-probe.ts';

export type Asking = ProbeOptions & {
  /** No program inside this directory is run. */
  readonly outside?: string | undefined;
};

/** The outcome is there when the program is. */
export type ProgramAnswer = FoundProgram & {readonly outcome?: ProbeOutcome};

/** Finds a program and asks it one question. What it runs in turn is looked for in the same trusted places. */
export async function askProgram(
  command: string,
  argv: readonly string[],
  {outside, ...options}: Asking,
): Promise<ProgramAnswer> {
  const search = {path: options.env['PATH'] ?? '', outside};
  const found = findProgram(command, search);
  if (found.file === undefined) return found;
  return {
    ...found,
    outcome: await runProbe(found.file, argv, {
      ...options,
      env: {...options.env, PATH: trustedPath(search)},
    }),
  };
}
