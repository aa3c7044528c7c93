import {ageOf, formatJson} from '../documents/index.ts';
import {sanitizeText} from '../base/index.ts';
import type {CodeReport} from '../protocol/index.ts';
import type {ExitCode, Surroundings} from './surroundings.ts';
import {withDaemon} from './with-daemon.ts';

/** One-time codes for commands of somebody who could not be proved to be the person. Told to a proved person alone. */
export async function codes(
  options: {readonly json?: boolean},
  surroundings: Surroundings,
): Promise<ExitCode> {
  return withDaemon(surroundings, async (daemon) => {
    const {codes: open} = (await daemon.ask({about: 'codes'})) as {
      readonly codes: readonly CodeReport[];
    };
    surroundings.out(options.json === true ? formatJson({codes: open}) : textOf(open, Date.now()));
    return 0;
  });
}

function textOf(open: readonly CodeReport[], now: number): string {
  if (open.length === 0) return 'Nobody waits for a one-time code.\n';
  const texts = open.map(
    ({code, what, words, until}) =>
      `${code}  ${sanitizeText(what)}  (for ${ageOf(until - now)} more)\n  asked by ${sanitizeText(words)}\n`,
  );
  return `${texts.join('')}\nIf it is you: repeat that command there with --code CODE. If not: orchestra needs, and --seen its number; the code is then worth nothing.\n`;
}
