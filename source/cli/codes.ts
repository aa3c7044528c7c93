import {formatAge, formatJson} from '../reports/index.ts';
import {sanitizeText} from '../shared/index.ts';
import type {CodeReport} from '../protocol/index.ts';
import type {CliContext, ExitCode} from './cli-context.ts';
import {withDaemon} from './with-daemon.ts';

/**
 * Prints one-time codes for commands that could not be proved to come from the person. Only a
 * proved person gets them.
 */
export async function codes(
  options: {readonly json?: boolean},
  cli: CliContext,
): Promise<ExitCode> {
  return withDaemon(cli, async (daemon) => {
    const {codes: open} = (await daemon.ask({about: 'codes'})) as {
      readonly codes: readonly CodeReport[];
    };
    cli.out(options.json === true ? formatJson({codes: open}) : formatCodes(open, Date.now()));
    return 0;
  });
}

function formatCodes(open: readonly CodeReport[], now: number): string {
  if (open.length === 0) return 'No command waits for a one-time code.\n';
  const texts = open.map(
    ({code, what, words, until}) =>
      `${code}  ${sanitizeText(what)}  (valid for ${formatAge(until - now)})\n  asked by ${sanitizeText(words)}\n`,
  );
  return (
    `${texts.join('')}\nIf it was you, repeat that command there with --code CODE. If not, ` +
    'close its notice, which voids the code: orchestra needs, then orchestra needs --seen ' +
    'NUMBER.\n'
  );
}
