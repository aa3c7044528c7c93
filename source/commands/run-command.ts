import {isSessionId} from '../domain/index.ts';
import type {ExitCode, Surroundings} from './surroundings.ts';

/** The argument parser takes longer than all the rest until something is shown; so `attach s7`, `sessions` and the app alone go past it. */
export async function runCommand(argv: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const [name, session = '', ...more] = argv;
  const isApp = name === undefined && surroundings.terminal !== undefined;
  const isAttach = name === 'attach' && isSessionId(session) && more.length === 0;
  const isList = name === 'sessions' && (argv.length === 1 || (argv.length === 2 && session === '--json'));
  if (!isApp && !isAttach && !isList) return (await import('./run-command-line.ts')).runCommandLine(argv, surroundings);
  try {
    if (isList) return await (await import('./sessions.ts')).sessions({json: session === '--json'}, surroundings);
    return isApp ? await (await import('./app/open-app.ts')).openApp(surroundings) : await (await import('./attach.ts')).attach(session, surroundings);
  } catch (error) {
    // By name: what is loaded later has a class of its own (scripts/build.ts).
    if (!(error instanceof Error) || error.name !== 'Impossible') throw error;
    surroundings.err(`orchestra: ${error.message}\n`);
    return 2;
  }
}
