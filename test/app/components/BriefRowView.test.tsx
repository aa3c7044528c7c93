import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {BriefHeading, BriefRowView} from '../../../source/app/components/BriefRowView.tsx';
import type {BriefRow} from '../../../source/app/select/brief-rows.ts';
import {assertAscii, assertFits, assertSafe, hostile, paintText, rowsOf, show} from './render.tsx';

const need = {
  kind: 'need',
  need: {
    id: 'n1',
    number: 2,
    sign: 'asks',
    title: 'Retry webhooks',
    words: 'asks',
    text: 'asks',
    waitingMs: 130_000,
  },
  detail: 'Which answers are final?',
} as unknown as BriefRow;
const merged = {
  kind: 'merged',
  task: 'r1.t1',
  number: 1,
  title: 'Validate cards',
  tries: 2,
  helped: 'secret',
  durationMs: 72_000,
  tokens: 47_000,
  cost: 0.18,
} as unknown as BriefRow;
const running = {
  kind: 'running',
  task: 'r1.t3',
  number: 3,
  title: 'Export orders',
  track: {work: 'active', rules: 'todo', checks: 'todo', merge: 'todo'},
  words: 'works 2m10',
  elapsedMs: 125_000,
} as unknown as BriefRow;
const at = Date.UTC(2026, 10, 17, 7, 1, 24);
const failed = {
  kind: 'failed',
  number: 3,
  title: 'Cache prices',
  text: 'test failed',
  at,
} as unknown as BriefRow;
const service = {kind: 'service', name: 'web', text: 'is up'} as unknown as BriefRow;
const before = {kind: 'before', text: 'you approved the plan', at} as unknown as BriefRow;

function textOf(row: BriefRow, columns = 100, isScreenReader = false): string {
  return rowsOf(<BriefRowView row={row} isCursor={false} />, {
    columns,
    isScreenReader,
    size: {columns: 120, rows: 35},
  }).join('\n');
}

describe('a row of the brief', () => {
  test('that needs you has its title, its age, and what is asked', () => {
    assert.match(textOf(need), /^ \? 2 Retry webhooks +2m\n {3}Which answers are final\?$/);
  });

  test('that is merged has its tries, what you did, time, tokens and cost', () => {
    assert.match(
      textOf(merged),
      /✓ 1 Validate cards +after 2 tries; you typed a secret +1m12 +47k +\$0\.18$/,
    );
  });

  test('that runs has its track, and a time in the steps of the clock', () => {
    assert.match(textOf(running), /● 3 Export orders .*━╸─ ─── ─── ─── works 2m10 +2m10$/);
  });

  test('that failed, a service, and what happened before have one line', () => {
    assert.match(textOf(failed), /✗ .*3 Cache prices +test failed/);
    assert.match(textOf(service), /^ web {2}is up$/);
    assert.match(textOf(before), /07:01 .*you approved the plan$/);
  });

  test('under the cursor has its mark as high as it is, and is inverse without colours', () => {
    const shown = show(<BriefRowView row={need} isCursor />, {columns: 60});
    assert.deepEqual(
      shown.rows().map((row) => row[0]),
      ['▌', '▌'],
    );
    assert.deepEqual(
      shown.regions().map(({kind}) => kind),
      ['inverse'],
    );
    shown.close();
  });

  test('is a sentence for a screen reader', () => {
    assert.match(textOf(need, 100, true), /Retry webhooks, asks: Which answers are final\?/);
    assert.match(textOf(merged, 100, true), /Validate cards, merged, after 2 tries/);
  });

  test('is safe, stays in its box, and has ASCII signs', () => {
    for (const row of [need, merged, running, failed, service, before]) {
      const foreign = JSON.parse(
        JSON.stringify(row, (key, value: unknown) =>
          ['title', 'text', 'words', 'name'].includes(key) && typeof value === 'string'
            ? hostile
            : value,
        ),
      ) as BriefRow;
      assertSafe(<BriefRowView row={foreign} isCursor={false} />, {columns: 60});
      assertFits(<BriefRowView row={foreign} isCursor={false} />, {rows: 3, widths: [60, 100]});
      assertAscii(<BriefRowView row={row} isCursor />, {rows: 3});
    }
  });
});

test('a heading has its count and a line to the edge; the first has no blank row above', () => {
  const rows = rowsOf(<BriefHeading kind="merged" count={3} isFirst />, {columns: 30});
  assert.deepEqual(rows, [` Merged  3  ${'─'.repeat(18)}`]);
  assert.equal(
    rowsOf(<BriefHeading kind="before" count={3} isFirst={false} />, {columns: 30})[1],
    ` Where you were  ${'─'.repeat(13)}`,
  );
  assert.match(
    paintText(<BriefHeading kind="need" count={50} isFirst />, {columns: 30}),
    /Needs you {2}50/,
  );
});
