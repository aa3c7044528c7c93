import assert from 'node:assert/strict';
import {test} from 'node:test';
import {selectNeeds} from '../../../source/domain/index.ts';
import {formatNeedInBrief} from '../../../source/app/screens/need-in-brief.ts';
import {drawCells} from './draw.tsx';
import {needing, type NeedKind, needKinds} from './need-fixtures.ts';
import {answer, type Fixture, happen, open, press} from './fixtures.ts';
import {tokenStory} from '../../reports/runs/token-story.ts';

function briefly(kind: NeedKind, cells: number): string {
  const state = needing(kind);
  return formatNeedInBrief(selectNeeds(state)[0]!, state, cells);
}

function rows({model, state, now}: Fixture): readonly string[] {
  return drawCells(model, state, now).rows;
}

test('where there is room a need has all its words, where there is none the short reason', () => {
  assert.match(briefly('trouble', 400), /making its worktree: Expected at least .* then go on\.$/);
  assert.deepEqual(Object.fromEntries(needKinds.map((kind) => [kind, briefly(kind, 52)])), {
    trouble: 'r1.t1 is blocked: making its worktree failed',
    'trouble-setup': 'r1.t1 is blocked: its setup exited with 127',
    'trouble-agent': 'r1.t1 is blocked: its agent is not available',
    'trouble-pauses': 'r1.t1 is blocked: its agent is not available',
    'branch-ahead': 'r1: somebody moved its branch',
    'branch-apart': 'r1: somebody moved its branch',
    unstoppable: 'r1.t1 was to end and does not',
    parked: 'r1 is paused for safety: somebody changed what git runs',
    planless: 'planning of r1 failed: the planner failed',
    'planless-invalid': 'planning of r1 failed: the planner sent no valid plan, twice',
    budget: 'r1 reached its budget: 1204511 of 1200000 tokens',
    'accept-refused': 'r1 could not be accepted',
    'nothing-left': 'every task of r1 was discarded',
    pick: briefly('pick', 52),
    service: 'the port of search-index belongs to somebody else',
    'service-missing': 'r1.t1 waits for the service search-index-of-the-other-team',
    asked: briefly('asked', 52),
    dialog: 'r1.t1 asks: Do you want to make this edit to src/token.ts?',
    uncertain: briefly('uncertain', 52),
    loop: 'r1.t1 seems to go in circles',
    'stopped-outside': briefly('stopped-outside', 52),
    'stopped-gave-up': briefly('stopped-gave-up', 52),
    'stopped-tokens': 'r1.t1 stopped: it used 412000 of 400000 tokens',
    'stopped-interrupted': 'r1.t1 stopped: it was interrupted 5 times',
    intrusion: 's1 tried to approve a plan; refused: only you can',
  });
});

test('the key that leads to it is never cut, however narrow the window is', () => {
  for (const kind of needKinds) {
    for (const columns of [80, 100, 140]) {
      const fixture = open(needing(kind), 65_000, {columns, rows: 24});
      assert.match(
        rows(fixture)[1]!,
        / n (?:answer|read the plan|decide|accept|look and accept)$/,
        `${kind} at ${columns}`,
      );
    }
  }
});

test('what can be answered is said once, with its number, and all of it is in sight', () => {
  const fixture = open(needing('asked'), 65_000);
  press(fixture, 'n');
  const text = rows(fixture).join('\n');
  for (const option of ['  1  Keep the old', '  2  Drop it now', '  3  Rename it'])
    assert.equal(text.split(option).length, 2, option);
});

test('what to do about the journal is said before what goes without saying', () => {
  const {harness, now} = tokenStory();
  const fixture = open(harness.state, now);
  const remedy = 'Free some space for /state; the journal then goes on by itself.';
  happen(fixture, {
    type: 'journal-changed',
    journal: {mode: 'degraded', reason: `ENOSPC. ${remedy}`, remedy, isFull: true},
  });
  assert.match(rows(fixture)[1]!, /the disk is full\. Free some space for \/state/);
});

test('the ways on from a task that stopped are whole with keys of any name', () => {
  const {harness, now} = tokenStory();
  const fixture = open(harness.state, now, undefined, {
    settings: {keys: {'need-stopped.grant': 'ctrl-page-down'}},
  });
  press(fixture, 'enter', 'n');
  answer(fixture, harness);
  assert.match(
    rows(fixture).join(' ').replaceAll(/\s+/g, ' '),
    /Ctrl-PgDn retry with a hint one more try; the agent is told your words and this failure T take over/,
  );
});
