import type {House} from '../../domain/support/house.ts';
import {report, wish} from '../../domain/support/house.ts';
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

/** One task that is merged after its repair, one that stopped, one at work that asks something, one that waits for it. */
export function tokenStory(): {readonly house: House; readonly left: number; readonly now: number} {
  const house = working(
    [
      plannedTask('t1', {title: 'Share the refresh in flight'}),
      plannedTask('t2', {title: 'Say when a token is refreshed'}),
      plannedTask('t3', {title: 'Count refreshes', after: ['t1']}),
      plannedTask('t4', {title: 'Release', after: ['t3']}),
    ],
    {tokens: 100_000},
  );
  wish(house, {type: 'start-service', service: 'web'});
  const left = house.time;
  house.time += 3_600_000;
  makeWorktree(house, 'r1.t1');
  makeWorktree(house, 'r1.t2');
  report(house, {
    type: 'usage-counted',
    session: sessionOfTask(house, 'r1.t1'),
    usage: {input: 9000, output: 700},
  });
  work(house, 'r1.t1');
  check(house, 'r1.t1', failed('test', 'token.test.js:7\n  expected 1 refresh, got 2'));
  report(house, {
    type: 'usage-counted',
    session: sessionOfTask(house, 'r1.t1'),
    usage: {input: 4000, output: 300},
  });
  work(house, 'r1.t1');
  check(house, 'r1.t1', passed('test', 'npm test'));
  check(house, 'r1.t1', passed('build'));
  report(
    house,
    {type: 'change-committed', task: 'r1.t1', attempt: 2, commit: '1111111111111111'},
    'r1.t1.a2/commit/tree-1',
  );
  mergeTask(house, 'r1.t1');
  house.time += 600_000;
  work(house, 'r1.t2');
  check(house, 'r1.t2', failed('test', 'docs.test.js:3 a link leads nowhere'));
  work(house, 'r1.t2');
  check(house, 'r1.t2', failed('test', 'docs.test.js:9 another link leads nowhere'));
  makeWorktree(house, 'r1.t3');
  startSession(house, sessionOfTask(house, 'r1.t3'));
  report(house, {
    type: 'session-waiting',
    session: sessionOfTask(house, 'r1.t3'),
    proof: 'proven',
    secret: false,
    question: 'Overwrite src/metrics.js? [y/N]',
  });
  return {house, left, now: house.time + 300_000};
}
