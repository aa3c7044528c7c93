import {selectRun} from '../../../source/domain/index.ts';
import {conclude, type Harness, report, userCommand} from '../../domain/support/harness.ts';
import {failed, passed, plannedTask} from '../../domain/support/samples.ts';
import {check, makeWorktree, mergeTask, work, working} from '../../domain/support/stages.ts';

/** Two tasks, one of which was repaired once; everything is merged. */
export function readyStory(title = 'Cache price lookups for one second'): Harness {
  const harness = working([
    plannedTask('t1', {title}),
    plannedTask('t2', {title: 'Export orders as CSV', after: ['t1']}),
  ]);
  makeWorktree(harness, 'r1.t1');
  harness.time += 40_000;
  work(harness, 'r1.t1');
  check(harness, 'r1.t1', failed('test'));
  harness.time += 60_000;
  work(harness, 'r1.t1');
  for (const name of ['test', 'build']) check(harness, 'r1.t1', passed(name));
  commitAndMerge(harness, 'r1.t1', 2);
  makeWorktree(harness, 'r1.t2');
  harness.time += 90_000;
  work(harness, 'r1.t2');
  for (const name of ['test', 'build']) check(harness, 'r1.t2', passed(name));
  commitAndMerge(harness, 'r1.t2', 1);
  return harness;
}

function commitAndMerge(harness: Harness, task: 'r1.t1' | 'r1.t2', attempt: number): void {
  report(
    harness,
    {type: 'change-committed', task, attempt, commit: `c${attempt}`},
    `${task}.a${attempt}/commit/tree-1`,
  );
  mergeTask(harness, task);
}

export function accept(harness: Harness): void {
  userCommand(harness, {
    type: 'accept-run',
    run: 'r1',
    commit: selectRun(harness.state, 'r1')!.head!,
  });
  conclude(harness, 'bring-home', {
    type: 'run-accepted',
    run: 'r1',
    commit: 'c758968aaaa',
    into: 'main',
  });
}
