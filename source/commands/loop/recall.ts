import {formatJson, type Recalled} from '../../documents/index.ts';
import type {ExitCode, Surroundings} from '../surroundings.ts';
import {withDaemon} from '../with-daemon.ts';

/** What earlier tasks found out: by words, or by the files that they touched. */
export async function recall(
  words: readonly string[],
  options: {readonly file?: readonly string[]; readonly json?: boolean; readonly full?: boolean},
  surroundings: Surroundings,
): Promise<ExitCode> {
  return withDaemon(surroundings, async (daemon) => {
    const found = (await daemon.ask({
      about: 'recall',
      words: words.join(' '),
      files: options.file ?? [],
    })) as readonly Recalled[];
    if (options.json === true) surroundings.out(formatJson({summaries: found}));
    else if (found.length === 0)
      surroundings.out(
        'Nothing is known about that. Summaries are in .orchestra/knowledge once a task has ended.\n',
      );
    else
      surroundings.out(
        found
          .slice(0, 10)
          .map((one) => textOf(one, options.full === true))
          .join('\n'),
      );
    return found.length === 0 ? 1 : 0;
  });
}

function textOf({title, outcome, date, path, excerpt, text}: Recalled, isFull: boolean): string {
  return isFull
    ? `${path}\n\n${text}\n`
    : `${title}\n  ${outcome}${date === undefined ? '' : `, ${date}`}  ${path}\n  ${excerpt}\n`;
}
