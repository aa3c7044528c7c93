import assert from 'node:assert/strict';
import {test} from 'node:test';
import {selectRun} from '../../../source/domain/index.ts';
import {buildAcceptedCard, formatAcceptedMarkdown} from '../../../source/reports/index.ts';
import {conclude, type Harness, report, userCommand} from '../../domain/support/harness.ts';
import {failed, passed, plannedTask} from '../../domain/support/samples.ts';
import {
  check,
  finished,
  makeWorktree,
  mergeTask,
  work,
  working,
} from '../../domain/support/stages.ts';

/** One task that was repaired once, accepted into main. */
function accepted(title = 'Cache <b>prices</b>'): Harness {
  const harness = working([plannedTask('t1', {title})]);
  makeWorktree(harness, 'r1.t1');
  work(harness, 'r1.t1');
  check(harness, 'r1.t1', failed('test'));
  work(harness, 'r1.t1');
  for (const name of ['test', 'build']) check(harness, 'r1.t1', passed(name));
  report(
    harness,
    {type: 'change-committed', task: 'r1.t1', attempt: 2, commit: 'c2'},
    'r1.t1.a2/commit/tree-1',
  );
  mergeTask(harness, 'r1.t1');
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
  return harness;
}

test('the card of a run with one repair', () => {
  const {state, events} = accepted();
  const card = buildAcceptedCard(state, selectRun(state, 'r1')!, events)!;
  assert.deepEqual(
    [card.files, card.added, card.removed, card.checks, card.rules, card.redTries],
    [1, 3, 1, ['test', 'build'], 2, 1],
  );
  assert.deepEqual([card.branch, card.before, card.commit], ['main', 'base', 'c758968aaaa']);
  assert.deepEqual(card.asked, {times: 0, totalMs: 0});
  assert.ok(card.durationMs > 0);
  assert.deepEqual(
    card.tasks.map(({number, end, segments}) => [number, end, segments.at(-1)?.kind]),
    [[1, 'merged', 'merged']],
  );
});

test('as Markdown, with foreign text escaped', () => {
  const {state, events} = accepted();
  const text = formatAcceptedMarkdown(buildAcceptedCard(state, selectRun(state, 'r1')!, events)!);
  assert.match(text, /^### Stop refreshing tokens twice\n\n1 task in \d+/);
  assert.match(text, /1 file \+3 -1, 0 tokens, –/);
  assert.doesNotMatch(text, /(?<!\\)<b>/);
  assert.match(
    text,
    /- test, build passed after every task and merge\n- 2 rules kept\n- 1 failed try/,
  );
  assert.match(text, /- `main`: `base` → `c758968`/);
});

test('no card before it is accepted', () => {
  const {state, events} = finished();
  assert.equal(buildAcceptedCard(state, selectRun(state, 'r1')!, events), undefined);
});
