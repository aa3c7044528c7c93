import assert from 'node:assert/strict';
import {test} from 'node:test';
import {selectNeeds} from '../../../source/domain/index.ts';
import {textOfLine} from '../../../source/app/model/line.ts';
import {headerLine} from '../../../source/app/screens/bars.ts';
import {renderChrome} from '../../../source/app/screens/render-chrome.ts';
import {formatNeedInBrief} from '../../../source/app/screens/need-in-brief.ts';
import {needing, type NeedKind, needKinds} from './need-fixtures.ts';
import {answer, type Fixture, happen, open, press} from './fixtures.ts';
import {tokenStory} from '../../reports/runs/token-story.ts';

function briefly(kind: NeedKind, cells: number): string {
  const state = needing(kind);
  return formatNeedInBrief(selectNeeds(state)[0]!, state, cells);
}

function header({model, state, now}: Fixture): string {
  return textOfLine(headerLine({model, state, size: model.size, now}));
}

test('where there is room a need has all its words, where there is none the short reason', () => {
  assert.match(briefly('trouble', 400), /making its worktree: Expected at least .* then go on\.$/);
  assert.deepEqual(Object.fromEntries(needKinds.map((kind) => [kind, briefly(kind, 52)])), {
    trouble: 'r1.t1 is in trouble: making its worktree failed',
    'trouble-setup': 'r1.t1 is in trouble: its setup ended with exit 127',
    'trouble-agent': 'r1.t1 is in trouble: its agent is not available',
    'trouble-pauses': 'r1.t1 is in trouble: its agent is not available',
    'branch-ahead': 'r1: somebody moved its branch',
    'branch-apart': 'r1: somebody moved its branch',
    unstoppable: 'r1.t1 was to end and does not',
    parked: 'r1 is set aside: somebody changed what runs in git',
    planless: 'r1 has no plan: the planner failed',
    'planless-invalid': 'r1 has no plan: what came was not a plan, twice',
    budget: 'r1 has used up its budget: 1204511 of 1200000 tokens',
    'accept-refused': 'r1 could not be brought into your branch',
    'nothing-left': 'r1 has nothing left: every task was discarded',
    service: 'the port of search-index belongs to somebody else',
    'service-missing': 'r1.t1 waits for the service search-index-of-the-other-team',
    asked: briefly('asked', 52),
    dialog: 'r1.t1 asks: Do you want to make this edit to src/token.ts?',
    uncertain: briefly('uncertain', 52),
    intrusion: 's1 tried to approve-plan; it was refused',
  });
});

test('the key that leads to it is never cut, however narrow the window is', () => {
  for (const kind of needKinds) {
    for (const columns of [60, 80, 100, 140]) {
      const fixture = open(needing(kind), 65_000, {columns, rows: 24});
      assert.match(header(fixture), / n shows it $/, `${kind} at ${columns}`);
      assert.equal(header(fixture).length, columns);
    }
  }
});

test('what can be answered is said once, with its number, and all of it is in sight', () => {
  const fixture = open(needing('asked'), 65_000);
  press(fixture, 'n');
  const text =
    renderChrome({
      model: fixture.model,
      state: fixture.state,
      size: fixture.model.size,
      now: fixture.now,
    })
      .find(({name}) => name === 'main')
      ?.lines.map((row) => textOfLine(row).trimEnd())
      .join('\n') ?? '';
  for (const option of ['  1 Keep the old', '  2 Drop it now', '  3 Rename it'])
    assert.equal(text.split(option).length, 2, option);
  assert.doesNotMatch(text, /… \d+ more/);
});

test('what to do about the journal is said before what goes without saying', () => {
  const {harness, now} = tokenStory();
  const fixture = open(harness.state, now);
  const remedy = 'Free some space for /state; the journal then goes on by itself.';
  happen(fixture, {
    type: 'journal-changed',
    journal: {mode: 'degraded', reason: `ENOSPC. ${remedy}`, remedy, isFull: true},
  });
  assert.match(
    header(fixture),
    /^ ! the disk is full\. Free some space for \/state; the journal .* 2 need you $/,
  );
});

test('the ways on from a task that stopped are whole with keys of any name', () => {
  const {harness, now} = tokenStory();
  const fixture = open(harness.state, now, undefined, {
    settings: {keys: {'need-stopped.grant': 'ctrl-page-down'}},
  });
  press(fixture, 'enter', 'n');
  answer(fixture, harness);
  const text =
    renderChrome({
      model: fixture.model,
      state: fixture.state,
      size: fixture.model.size,
      now: fixture.now,
    })
      .find(({name}) => name === 'main')
      ?.lines.map((row) => textOfLine(row).trim())
      .join(' ') ?? '';
  assert.match(
    text,
    /Ctrl-PgDn one more attempt, with your hint; what failed is told to the agent again T take over/,
  );
});
