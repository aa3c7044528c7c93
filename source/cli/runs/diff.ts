import {formatJson} from '../../reports/index.ts';
import {UsageError} from '../repo-paths.ts';
import {runIdIn} from '../../domain/index.ts';
import {sanitizeText} from '../../shared/index.ts';
import type {CliContext, ExitCode} from '../cli-context.ts';
import {findRun, findTask} from './find-subject.ts';
import {withLive} from '../with-daemon.ts';

type DiffReply = {
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

/**
 * Shows what a run or a task changed: to a pipe as git writes it, to a terminal without control
 * sequences.
 */
export async function diff(
  id: string | undefined,
  task: string | undefined,
  options: {readonly json?: boolean; readonly stat?: boolean; readonly against?: string},
  cli: CliContext,
): Promise<ExitCode> {
  return withLive(cli, async (live) => {
    const isTask = id?.includes('.') === true;
    const run = isTask ? undefined : findRun(live.state(), id);
    const named = isTask ? id : task;
    const found = named === undefined ? undefined : findTask(live.state(), named, run);
    const of = found?.id ?? run?.id;
    if (of === undefined) throw new UsageError('expected a run or a task, such as r1 or r1.t2');
    if (options.against !== undefined && found === undefined)
      throw new UsageError(
        'expected a task to compare, such as: orchestra diff r1.t2 --against r1.t1',
      );
    const against =
      options.against === undefined
        ? undefined
        : findTask(live.state(), options.against, findRun(live.state(), runIdIn(of)));
    const answer = (await live.ask({
      about: 'diff',
      of,
      ...(against === undefined ? {} : {against: against.id}),
    })) as DiffReply;
    if (options.json === true) cli.out(formatJson(answer));
    else if (options.stat === true)
      cli.out(
        sanitizeText(
          answer.files
            .map(
              ({path, how, added, removed}) => `${how.padEnd(8)} +${added} -${removed}  ${path}\n`,
            )
            .join(''),
        ),
      );
    else cli.out(cli.isTerminal ? sanitizeText(answer.text) : answer.text);
    if (answer.files.length === 0 && options.json !== true)
      cli.err(
        against === undefined
          ? `${of} has changed nothing yet\n`
          : `${of} and ${against.id} are the same\n`,
      );
    return 0;
  });
}
