// What it costs to keep sessions, beside a bare terminal, tmux and dtach in the same run. `npm run
// build` first; BENCH_SCALE=0.1 for a quick look.
import os from 'node:os';
import process from 'node:process';
import {benchAttach} from './sessions/attach.ts';
import {benchDrain} from './sessions/drain.ts';
import {benchEcho} from './sessions/echo.ts';
import {getTable, type Goal, type Section} from './sessions/figures.ts';
import {benchMemory} from './sessions/memory.ts';
import {findPeers} from './sessions/peers.ts';
import {createFixture} from './sessions/fixture.ts';

export async function benchSessions(): Promise<string> {
  const fixture = createFixture(Number(process.env['BENCH_SCALE'] ?? 1));
  const peers = findPeers();
  const start = performance.now();
  const load = loadNow();
  const sections: Section[] = [];
  try {
    for (const bench of [benchDrain, benchEcho, benchAttach, benchMemory]) {
      process.stderr.write(
        `${bench.name}, after ${Math.round((performance.now() - start) / 1000)} s\n`,
      );
      sections.push(...[await bench(fixture, peers)].flat());
    }
  } catch (error) {
    // What is left then is no news, and not the cause.
    await fixture.close().catch(() => undefined);
    throw error;
  }

  await fixture.close();

  return [
    `${os.cpus().length} cores, Linux ${os.release()}, Node ${process.versions.node}, ${peers.versions.join(', ')}; load average ${load} before, ${loadNow()} after; scale ${fixture.scale}; ${Math.round((performance.now() - start) / 1000)} s.`,
    '',
    ...sections.flatMap(({title, lines}) => [`### ${title}`, '', ...lines, '']),
    ...goalLines(sections.flatMap(({goals}) => goals)),
    '',
  ].join('\n');
}

function goalLines(goals: readonly Goal[]): string[] {
  const met = goals.filter(({isMet}) => isMet).length;
  return [
    `### Goals: ${met} of ${goals.length} met in this run`,
    '',
    ...getTable(
      ['what', 'goal', 'here', ''],
      goals.map(({what, goal, got, isMet}) => [what, goal, got, isMet ? 'met' : '**missed**']),
    ),
  ];
}

function loadNow(): string {
  return os.loadavg()[0]!.toFixed(1);
}

if (import.meta.main) process.stdout.write(await benchSessions());
