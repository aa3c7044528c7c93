import process from 'node:process';
import {getTable, median, type Section, show} from './figures.ts';
import type {OrchestraBench, OrchestraSeat} from './orchestra.ts';

const rounds = 3;

/**
 * How long the sessions of a repository are without an answer when their daemon is replaced; they
 * themselves notice nothing.
 */
export async function benchRestart(
  bench: OrchestraBench,
  seats: readonly OrchestraSeat[],
): Promise<Section> {
  const plain: number[] = [];
  const restarts: number[] = [];
  const deaths: number[] = [];
  for (let round = 0; round < rounds; round++) {
    plain.push(await getTime(bench, seats, () => Promise.resolve()));
    restarts.push(await getTime(bench, seats, () => bench.run('daemon', 'restart')));
    const daemon = await bench.daemonPid();
    deaths.push(
      await getTime(bench, seats, () => {
        process.kill(daemon, 'SIGKILL');
        return Promise.resolve();
      }),
    );
  }

  return {
    title: `A new daemon with ${seats.length} live sessions: until \`orchestra sessions\` has answered (ms, median of ${rounds})`,
    lines: [
      ...getTable(
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

async function getTime(
  bench: OrchestraBench,
  seats: readonly OrchestraSeat[],
  act: () => Promise<unknown>,
): Promise<number> {
  const start = performance.now();
  await act();
  const sessions = await bench.sessions();
  const time = performance.now() - start;
  const missing = seats.filter(
    ({session, pid}) =>
      !sessions.some(
        (one) =>
          one.session === session && one.pid === pid && ['running', 'waiting'].includes(one.status),
      ),
  );
  if (missing.length > 0)
    throw new Error(
      `expected ${seats.length} live sessions under a new daemon, but ${missing.map(({session}) => session).join(', ')} are not: ${JSON.stringify(sessions)}`,
    );
  return time;
}
