import {isSessionId} from '../domain/index.ts';
import type {ExitCode, Surroundings} from './surroundings.ts';

/** The argument parser takes longer than all the rest until a session's screen is shown; so what is as plain as `attach s7` goes past it. */
export async function runCommand(argv: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const [name, session = '', ...more] = argv;
  if (name !== 'attach' || !isSessionId(session) || more.length > 0) return (await import('./run-command-line.ts')).runCommandLine(argv, surroundings);
  const {attach} = await import('./attach.ts');
  try {
    return await attach(session, surroundings);
  } catch (error) {
    // By name: what is loaded later has a class of its own (scripts/build.ts).
    if (!(error instanceof Error) || error.name !== 'Impossible') throw error;
    surroundings.err(`orchestra: ${error.message}\n`);
    return 2;
  }
}
