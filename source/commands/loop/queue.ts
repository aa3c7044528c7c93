import {columns, formatJson} from '../../documents/index.ts';
import {runOf} from '../../domain/index.ts';
import {Impossible} from '../here.ts';
import type {ExitCode, Surroundings} from '../surroundings.ts';
import {findRun, readRunId} from './find-subject.ts';
import {withLive} from './with-live.ts';

type Options = {readonly json?: boolean};

/** Objectives that wait for room, in the order in which they will start. */
export async function queueList(options: Options, surroundings: Surroundings): Promise<ExitCode> {
  return withLive(surroundings, (live) => {
    const state = live.state();
    const waiting = state.queue.map((run, index) => ({
      run,
      place: index + 1,
      objective: runOf(state, run)?.request.objective ?? '',
    }));
    if (options.json === true) surroundings.out(formatJson({queue: waiting}));
    else if (waiting.length === 0)
      surroundings.out(
        'The queue is empty. Add to it: orchestra queue add "what should be different"\n',
      );
    else
      surroundings.out(
        columns(
          [
            ['PLACE', 'RUN', 'OBJECTIVE'],
            ...waiting.map(({run, place, objective}) => [String(place), run, objective]),
          ],
          surroundings.columns,
        ),
      );
    return Promise.resolve(0);
  });
}

export async function queueMove(
  id: string,
  place: string,
  options: Options,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const position = Number(place);
  if (!Number.isInteger(position))
    throw new Impossible(`expected a place such as 1, got ${JSON.stringify(place)}`);
  return withLive(surroundings, async (live) => {
    const run = readRunId(id);
    await live.ask({about: 'wish', wish: {type: 'move-in-queue', run, position}});
    surroundings.out(
      options.json === true
        ? formatJson({run, place: position})
        : `${run} is number ${position} now\n`,
    );
    return 0;
  });
}

export async function queueDrop(
  id: string,
  options: Options,
  surroundings: Surroundings,
): Promise<ExitCode> {
  return withLive(surroundings, async (live) => {
    const run = findRun(live.state(), id);
    if (!live.state().queue.includes(run.id))
      throw new Impossible(`${id} is not in the queue; to end a run: orchestra discard ${id}`);
    await live.ask({about: 'wish', wish: {type: 'discard', what: run.id}});
    surroundings.out(
      options.json === true ? formatJson({run: run.id, dropped: true}) : `${run.id} is dropped\n`,
    );
    return 0;
  });
}
