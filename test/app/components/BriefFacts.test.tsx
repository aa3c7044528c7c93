import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  BriefCost,
  BriefHeadline,
  formatMoment,
} from '../../../source/app/components/BriefFacts.tsx';
import {answer, type Fixture, open, tokenStory} from '../screens/fixtures.ts';
import {assertFits, paintText, rowsOf} from './render.tsx';

function back(awayMs = 42 * 60_000): Fixture {
  const {harness, left, now} = tokenStory();
  const fixture = open(harness.state, now, {columns: 100, rows: 35}, {leftAt: now - awayMs});
  answer(fixture, harness, left);
  return fixture;
}

function briefOf(fixture: Fixture) {
  const {brief} = fixture.model.answers;
  assert.ok(brief !== undefined, 'expected the daemon to have answered');
  return brief;
}

test('the moment has its day only if it is another one', () => {
  const at = Date.UTC(2026, 10, 17, 23, 50);
  assert.equal(formatMoment(at, at + 60_000), '23:50');
  assert.equal(formatMoment(at, at + 3_600_000), 'Tue 17 Nov 2026 23:50');
});

test('says how long the person was away, what is merged and what waits', () => {
  const fixture = back();
  const brief = briefOf(fixture);
  const text = (needs: number): string =>
    paintText(<BriefHeadline brief={brief} needs={needs} />, {fixture, columns: 100});
  assert.match(text(2), /You were away for \d+ minutes|What happened so far\./);
  assert.match(text(2), /since \d\d:\d\d/);
  assert.match(text(2), /1 of 4 tasks is merged; 2 things wait for you\./);
  assert.match(text(1), /1 thing waits for you\./);
  assert.match(text(0), /nothing waits for you\./);
});

test('says a long absence in hours or days, and begins with a capital without tasks', () => {
  const fixture = back();
  const brief = briefOf(fixture);
  const view = brief.view!;
  const text = (awayMs: number, all = 4): string =>
    paintText(
      <BriefHeadline
        brief={{...brief, view: {...view, awayMs, progress: {merged: 0, all}}}}
        needs={0}
      />,
      {fixture, columns: 100},
    );
  assert.match(text(3 * 3_600_000), /away for 3 hours/);
  assert.match(text(60 * 3_600_000), /away for 2 days/);
  assert.match(text(60_000), /away for 1 minute\b/);
  assert.match(text(60_000, 0), /Nothing waits for you\.$/m);
});

test('stays in its box', () => {
  const fixture = back();
  assertFits(<BriefHeadline brief={briefOf(fixture)} needs={50} />, {fixture});
});

test('the cost has what was used and how much of it meanwhile, or is not there', () => {
  const fixture = back();
  const shown = paintText(<BriefCost />, {fixture, columns: 100});
  assert.match(shown, /What it cost meanwhile\s+─+\n.*\d+k of 100k {3}14k tokens since 00:00$/);
  assertFits(<BriefCost />, {fixture, widths: [60, 100]});
  assert.equal(
    rowsOf(<BriefCost />)
      .join('')
      .trim(),
    '',
  );
});

test('a limit has a bar', () => {
  const fixture = back();
  const {answers} = fixture.model;
  const brief = briefOf(fixture);
  fixture.model = {
    ...fixture.model,
    answers: {
      ...answers,
      brief: {...brief, view: {...brief.view!, used: {...brief.view!.used, limit: 20_000}}},
    },
  };
  assert.match(paintText(<BriefCost />, {fixture, columns: 100}), /━{20,}.*of 20k/);
});
