import process from 'node:process';
import {type Section, median, show, tableOf} from './figures.ts';
import type {OrchestraSeat, OrchestraWorld} from './orchestra.ts';

const rounds = 3;

/** How long the sessions of a repository are without an answer when their daemon is replaced; they themselves notice nothing. */
export async function benchRestart(
  world: OrchestraWorld,
  seats: readonly OrchestraSeat[],
): Promise<Section> {
  const plain: number[] = [];
  const restarts: number[] = [];
  const deaths: number[] = [];
  for (let round = 0; round < rounds; round++) {
    plain.push(await timeOf(world, seats, () => Promise.resolve()));
    restarts.push(await timeOf(world, seats, () => world.run('daemon', 'restart')));
    const daemon = await world.daemonPid();
    deaths.push(
      await timeOf(world, seats, () => {
        process.kill(daemon, 'SIGKILL');
        return Promise.resolve();
      }),
    );
  }

  return {
    title: `A new daemon with ${seats.length} live sessions: until \`orchestra sessions\` has answered (ms, median of ${rounds})`,
    lines: [
      ...tableOf(
        ['what', 'ms'],
        [
          ['`sessions`, daemon running', show(median(plain))],
          ['`daemon restart`, then `sessions`', show(median(restarts))],
          ['daemon killed, then `sessions`', show(median(deaths))],
        ],
      ),
      '',
      'tmux, dtach: n/a, their sessions end with the process that holds them.',
    ],
    goals: [],
  };
}

async function timeOf(
  world: OrchestraWorld,
  seats: readonly OrchestraSeat[],
  act: () => Promise<unknown>,
): Promise<number> {
  const start = performance.now();
  await act();
  const sessions = await world.sessions();
  const time = performance.now() - start;
  const lost = seats.filter(
    ({session, pid}) =>
      !sessions.some(
        (one) =>
          one.session === session && one.pid === pid && ['running', 'waiting'].includes(one.status),
      ),
  );
  if (lost.length > 0)
    throw new Error(
      `expected ${seats.length} live sessions under a new daemon, but ${lost.map(({session}) => session).join(', ')} are not: ${JSON.stringify(sessions)}`,
    );
  return time;
}
