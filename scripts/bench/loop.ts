// From approval to eight workers at work, beside eight times `git worktree add` and a spawn, in one
// run; and the start of a
// daemon that has much to remember.
import path from 'node:path';
import process from 'node:process';
import {execFileSync, spawn} from 'node:child_process';
import {type LoopFixture, openStage} from '../../test/e2e/loop/support/loop-fixture.ts';
import {benchStart} from './loop-start.ts';
import {getTable, median, show} from './sessions/figures.ts';

const workers = 8;
const rounds = 3;
const tracked = 2000;

export async function benchLoop(): Promise<string> {
  const ours: number[] = [];
  const plain: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const tasks = Array.from({length: workers}, (_, index) => ({id: `t${index + 1}`}));
    const files = Object.fromEntries(
      Array.from({length: tracked}, (_, index) => [
        `files/${index % 50}/${index}.txt`,
        `${index}\n`,
      ]),
    );
    const fixture = openStage({
      tasks,
      files,
      project: `limits:\n  workers: ${workers}\n`,
      acts: Object.fromEntries(tasks.map(({id}) => [id, 'exec sleep 600'])),
    });
    try {
      plain.push(plainly(fixture, workers));
      ours.push(await timeApproval(fixture, workers));
    } finally {
      await fixture.close();
    }
  }

  return [
    `${tracked} files, ${workers} tasks, ${rounds} rounds; load ${execFileSync('cat', ['/proc/loadavg'], {encoding: 'utf8'}).split(' ')[0] ?? ''}.`,
    '',
    ...getTable(
      ['what', 'plain git and spawn (ms)', 'orchestra (ms)', 'ratio'],
      [
        [
          `approval to ${workers} agents that run, journaled, in keepers`,
          show(median(plain)),
          show(median(ours)),
          `${show(median(ours) / median(plain))} times as long`,
        ],
      ],
    ),
    '',
    ...(await benchStart()),
  ].join('\n');
}

/**
 * From approval to so many agents that run, once the worktrees are made ahead. The run is discarded
 * again.
 */
export async function timeApproval(fixture: LoopFixture, workers: number): Promise<number> {
  await fixture.objective();
  // A person reads for a while; worktrees are made ahead meanwhile.
  await new Promise((resolve) => {
    setTimeout(resolve, 3000);
  });
  const begun = performance.now();
  fixture.run('plan', 'approve', 'r1');
  await fixture.until(
    'all agents run',
    (state) =>
      state.sessions.pages
        .flat()
        .filter(({purpose, life}) => purpose.for === 'attempt' && life.at === 'running').length ===
      workers,
  );
  const took = performance.now() - begun;
  fixture.run('discard', 'r1');
  await fixture.until('nobody is left', (state) => state.live.length === 0);
  return took;
}

export function plainly({git, home}: LoopFixture, workers: number): number {
  const begun = performance.now();
  const children = Array.from({length: workers}, (_, index) => {
    const place = path.join(home, 'plain', String(index));
    git('worktree', 'add', '-q', '-b', `plain-${index}`, place, 'HEAD');
    return spawn(process.execPath, ['-e', 'setTimeout(() => {}, 600000)'], {
      cwd: place,
      stdio: 'ignore',
    });
  });
  const took = performance.now() - begun;
  for (const child of children) child.kill('SIGKILL');
  for (let index = 0; index < workers; index++)
    git('worktree', 'remove', '--force', path.join(home, 'plain', String(index)));
  return took;
}
