import {errorText, sanitizeText} from '../shared/index.ts';
import {isSessionId} from '../domain/index.ts';
import {isUsageError} from './repo-paths.ts';
import {type CliContext, type ExitCode, version} from './cli-context.ts';

const maxFaultCharacters = 1000;

/**
 * One sentence for an unexpected error. A system error explains itself; any other is a bug of
 * orchestra.
 */
export function formatFault(error: unknown): string {
  const message = errorText(error);
  const line = sanitizeText(message.split('\n', 1)[0] ?? '')
    .slice(0, maxFaultCharacters)
    .trim();
  const isOfSystem = error instanceof Error && 'syscall' in error && 'code' in error;
  return isOfSystem
    ? line
    : `${line === '' ? 'something went wrong' : line} (this is a bug in orchestra; ` +
        'ORCHESTRA_TRACE=1 prints the stack trace)';
}

/** The stack trace, if ORCHESTRA_TRACE asks for it, and in a daemon's log. */
export function formatTrace(error: unknown, isWanted: boolean): string {
  return isWanted && error instanceof Error && error.stack !== undefined
    ? `${sanitizeText(error.stack)}\n`
    : '';
}

/**
 * Runs frequent commands in their plain form without the argument parser, which takes longer to
 * load than everything else.
 */
export async function runCommand(argv: readonly string[], cli: CliContext): Promise<ExitCode> {
  const act = findPlainCommand(argv, cli);
  if (act === undefined) return (await import('./run-command-line.ts')).runCommandLine(argv, cli);
  try {
    return await act();
  } catch (error) {
    if (!isUsageError(error)) throw error;
    cli.err(`orchestra: ${sanitizeText(error.message)}\n`);
    return 2;
  }
}

/** Any other arguments, options or mistakes go to the parser. */
function findPlainCommand(
  argv: readonly string[],
  cli: CliContext,
): (() => Promise<ExitCode>) | undefined {
  const json = argv.length > 1 && argv.at(-1) === '--json';
  const [name, subject, ...more] = json ? argv.slice(0, -1) : argv;
  if (more.length > 0) return undefined;
  switch (name) {
    case undefined:
      return cli.terminal === undefined
        ? undefined
        : async () => (await import('./app/open-app.ts')).openApp(cli);
    case '--version':
    case '-V':
      return json || subject !== undefined ? undefined : () => printVersion(cli);
    case 'attach':
      return json || subject === undefined || !isSessionId(subject)
        ? undefined
        : async () => (await import('./attach.ts')).attach(subject, cli);
    case 'sessions':
      return subject === undefined
        ? async () => (await import('./sessions.ts')).sessions({json}, cli)
        : undefined;
    case 'status':
      return subject?.startsWith('-') === true
        ? undefined
        : async () => (await import('./runs/views.ts')).status(subject, {json}, cli);
    case 'port':
      return subject === undefined || subject.startsWith('-')
        ? undefined
        : async () => (await import('./port.ts')).port(subject, {json}, cli);
    default:
      return undefined;
  }
}

function printVersion({out}: CliContext): Promise<ExitCode> {
  out(`${version}\n`);
  return Promise.resolve(0);
}
