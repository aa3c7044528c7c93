import {sanitizeText} from '../base/index.ts';
import {isSessionId} from '../domain/index.ts';
import type {ExitCode, Surroundings} from './surroundings.ts';
import {version} from './version.ts';

/** The argument parser takes longer than all the rest until something is shown; so what is asked most, in its plain form, goes past it. */
export async function runCommand(
  argv: readonly string[],
  surroundings: Surroundings,
): Promise<ExitCode> {
  const act = plainCommandOf(argv, surroundings);
  if (act === undefined)
    return (await import('./run-command-line.ts')).runCommandLine(argv, surroundings);
  try {
    return await act();
  } catch (error) {
    // By name: what is loaded later has a class of its own (scripts/build.ts).
    if (!(error instanceof Error) || error.name !== 'Impossible') throw error;
    surroundings.err(`orchestra: ${sanitizeText(error.message)}\n`);
    return 2;
  }
}

/** Whatever else stands there, an option, a mistake, is for the parser. */
function plainCommandOf(
  argv: readonly string[],
  surroundings: Surroundings,
): (() => Promise<ExitCode>) | undefined {
  const json = argv.length > 1 && argv.at(-1) === '--json';
  const [name, subject, ...more] = json ? argv.slice(0, -1) : argv;
  if (more.length > 0) return undefined;
  switch (name) {
    case undefined:
      return surroundings.terminal === undefined
        ? undefined
        : async () => (await import('./app/open-app.ts')).openApp(surroundings);
    case '--version':
    case '-V':
      return json || subject !== undefined ? undefined : () => tellVersion(surroundings);
    case 'attach':
      return json || subject === undefined || !isSessionId(subject)
        ? undefined
        : async () => (await import('./attach.ts')).attach(subject, surroundings);
    case 'sessions':
      return subject === undefined
        ? async () => (await import('./sessions.ts')).sessions({json}, surroundings)
        : undefined;
    case 'status':
      return subject?.startsWith('-') === true
        ? undefined
        : async () => (await import('./loop/views.ts')).status(subject, {json}, surroundings);
    case 'port':
      return subject === undefined || subject.startsWith('-')
        ? undefined
        : async () => (await import('./port.ts')).port(subject, {json}, surroundings);
    default:
      return undefined;
  }
}

function tellVersion({out}: Surroundings): Promise<ExitCode> {
  out(`${version}\n`);
  return Promise.resolve(0);
}
