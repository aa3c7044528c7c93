import {type Harness, report, userCommand} from '../../domain/support/harness.ts';
import {failed, passed, plannedTask} from '../../domain/support/samples.ts';
import {
  check,
  makeWorktree,
  mergeTask,
  sessionOfTask,
  startSession,
  work,
  working,
} from '../../domain/support/stages.ts';

/**
 * One task that is merged after its repair, one that stopped, one at work that asks something, one
 * that waits for it.
 */
export function tokenStory(): {
  readonly harness: Harness;
  readonly left: number;
  readonly now: number;
} {
  const harness = working(
    [
      plannedTask('t1', {title: 'Share the refresh in flight'}),
      plannedTask('t2', {title: 'Say when a token is refreshed'}),
      plannedTask('t3', {title: 'Count refreshes', after: ['t1']}),
      plannedTask('t4', {title: 'Release', after: ['t3']}),
    ],
    {tokens: 100_000},
  );
  userCommand(harness, {type: 'start-service', service: 'web'});
  const left = harness.time;
  harness.time += 3_600_000;
  makeWorktree(harness, 'r1.t1');
  makeWorktree(harness, 'r1.t2');
  report(harness, {
    type: 'usage-counted',
    session: sessionOfTask(harness, 'r1.t1'),
    usage: {input: 9000, output: 700},
  });
  work(harness, 'r1.t1');
  check(harness, 'r1.t1', failed('test', 'token.test.js:7\n  expected 1 refresh, got 2'));
  report(harness, {
    type: 'usage-counted',
    session: sessionOfTask(harness, 'r1.t1'),
    usage: {input: 4000, output: 300},
  });
  work(harness, 'r1.t1');
  check(harness, 'r1.t1', passed('test', 'npm test'));
  check(harness, 'r1.t1', passed('build'));
  report(
    harness,
    {type: 'change-committed', task: 'r1.t1', attempt: 2, commit: '1111111111111111'},
    'r1.t1.a2/commit/tree-1',
  );
  mergeTask(harness, 'r1.t1');
  harness.time += 600_000;
  work(harness, 'r1.t2');
  check(harness, 'r1.t2', failed('test', 'docs.test.js:3 a link leads nowhere'));
  work(harness, 'r1.t2');
  check(harness, 'r1.t2', failed('test', 'docs.test.js:9 another link leads nowhere'));
  makeWorktree(harness, 'r1.t3');
  startSession(harness, sessionOfTask(harness, 'r1.t3'));
  report(harness, {
    type: 'session-waiting',
    session: sessionOfTask(harness, 'r1.t3'),
    proof: 'proven',
    secret: false,
    question: 'Overwrite src/metrics.js? [y/N]',
  });
  return {harness, left, now: harness.time + 300_000};
}
