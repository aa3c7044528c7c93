import {formatJson} from '../../documents/index.ts';
import {Impossible} from '../here.ts';
import {sanitizeText} from '../../base/index.ts';
import type {ExitCode, Surroundings} from '../surroundings.ts';
import {findRun, findTask} from './find-subject.ts';
import {withLive} from './with-live.ts';

export type DiffAnswer = {
  readonly from: string;
  readonly to: string;
  readonly text: string;
  readonly files: readonly {
    readonly path: string;
    readonly how: string;
    readonly added: number;
    readonly removed: number;
  }[];
};

/** What a run, or one task of it, changed. For a pipe as git writes it; for a terminal without anything that could act on it. */
export async function diff(
  id: string | undefined,
  task: string | undefined,
  options: {readonly json?: boolean; readonly stat?: boolean},
  surroundings: Surroundings,
): Promise<ExitCode> {
  return withLive(surroundings, async (live) => {
    const isTask = id?.includes('.') === true;
    const run = isTask ? undefined : findRun(live.state(), id);
    const named = isTask ? id : task;
    const found = named === undefined ? undefined : findTask(live.state(), named, run);
    const of = found?.id ?? run?.id;
    if (of === undefined) throw new Impossible('say of which run or task');
    const answer = (await live.ask({about: 'diff', of})) as DiffAnswer;
    if (options.json === true) surroundings.out(formatJson(answer));
    else if (options.stat === true)
      surroundings.out(
        sanitizeText(
          answer.files
            .map(
              ({path, how, added, removed}) => `${how.padEnd(8)} +${added} -${removed}  ${path}\n`,
            )
            .join(''),
        ),
      );
    else surroundings.out(surroundings.isTerminal ? sanitizeText(answer.text) : answer.text);
    if (answer.files.length === 0 && options.json !== true)
      surroundings.err(`${of} has changed nothing yet\n`);
    return 0;
  });
}
