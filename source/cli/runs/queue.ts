import {formatColumns, formatJson} from '../../reports/index.ts';
import {selectRun} from '../../domain/index.ts';
import {UsageError} from '../repo-paths.ts';
import type {CliContext, ExitCode} from '../cli-context.ts';
import {findRun, parseRunId} from './find-subject.ts';
import {withLive} from '../with-daemon.ts';

type Options = {readonly json?: boolean};

/** Lists queued objectives in the order in which they will start. */
export async function queueList(options: Options, cli: CliContext): Promise<ExitCode> {
  return withLive(cli, (live) => {
    const state = live.state();
    const waiting = state.queue.map((run, index) => ({
      run,
      place: index + 1,
      objective: selectRun(state, run)?.request.objective ?? '',
    }));
    if (options.json === true) cli.out(formatJson({queue: waiting}));
    else if (waiting.length === 0)
      cli.out('The queue is empty. Add to it: orchestra queue add "what should be different"\n');
    else
      cli.out(
        formatColumns(
          [
            ['PLACE', 'RUN', 'OBJECTIVE'],
            ...waiting.map(({run, place, objective}) => [String(place), run, objective]),
          ],
          cli.columns,
        ),
      );
    return Promise.resolve(0);
  });
}

export async function queueMove(
  id: string,
  place: string,
  options: Options,
  cli: CliContext,
): Promise<ExitCode> {
  const position = Number(place);
  if (!Number.isInteger(position))
    throw new UsageError(`expected a place such as 1, got ${JSON.stringify(place)}`);
  return withLive(cli, async (live) => {
    const run = parseRunId(id);
    await live.ask({about: 'wish', wish: {type: 'move-in-queue', run, position}});
    cli.out(
      options.json === true
        ? formatJson({run, place: position})
        : `${run} is now number ${position}\n`,
    );
    return 0;
  });
}

export async function queueDrop(id: string, options: Options, cli: CliContext): Promise<ExitCode> {
  return withLive(cli, async (live) => {
    const run = findRun(live.state(), id);
    if (!live.state().queue.includes(run.id))
      throw new UsageError(`${id} is not in the queue. To discard a run: orchestra discard ${id}`);
    await live.ask({about: 'wish', wish: {type: 'discard', what: run.id}});
    cli.out(
      options.json === true
        ? formatJson({run: run.id, dropped: true})
        : `${run.id} is removed from the queue\n`,
    );
    return 0;
  });
}
