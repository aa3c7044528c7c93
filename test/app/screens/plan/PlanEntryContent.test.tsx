import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Box} from 'ink';
import type {PlanEntry} from '../../../../source/app/select/plan-entries.ts';
import {
  EntryContent,
  formatForReader,
} from '../../../../source/app/screens/plan/PlanEntryContent.tsx';
import {
  assertAscii,
  assertFits,
  assertSafe,
  hostile,
  paintText,
  replaceText,
} from '../../components/render.tsx';
import {plannedTask} from '../../../domain/support/samples.ts';
import {atPlan, atPlanOf} from '../plan-fixtures.ts';
import {entryOf, shownPlan} from './shown.ts';

const content = (entry: PlanEntry) => (
  <Box>
    <EntryContent entry={entry} isChosen={false} />
  </Box>
);
const textOf = (entry: PlanEntry, columns = 80): string => paintText(content(entry), {columns});

test('a task has its lane, number, title, what it waits for, its words and files', () => {
  const entries = shownPlan(atPlan()).entries;
  const third = entries.find((one) => one.kind === 'task' && one.task.number === 3 && one.isFirst)!;
  assert.match(textOf(third), /3 {2}Count refreshes +● web {2}after 1/);
  assert.match(textOf(entryOf(atPlan(), 'task')), /● .*1 {2}Share the refresh in flight/);
});

test('nothing of what is approved is cut', () => {
  const title = 'word '.repeat(60).trim();
  const fixture = atPlanOf({tasks: [plannedTask('t1', {title, files: ['src/a.ts']})]});
  assert.equal(textOf(entryOf(fixture, 'task'), 50).match(/\bword\b/g)?.length, 60);
  assert.equal(
    textOf({...entryOf(atPlan(), 'objective'), text: title}, 40).match(/\bword\b/g)?.length,
    60,
  );
});

test('why has its label on the left', () => {
  assert.match(textOf(entryOf(atPlan(), 'why')), /^ +problem {2}When two requests fail/);
});

test('a screen reader hears sentences', () => {
  assert.match(
    formatForReader(entryOf(atPlan(), 'task'), 4),
    /^Task 1 of 4: Share the refresh in flight\./,
  );
  assert.match(formatForReader(entryOf(atPlan(), 'objective'), 4), /^Objective: Stop refreshing/);
  assert.match(formatForReader(entryOf(atPlan(), 'why'), 4), /^problem: When two/);
});

test('plans are foreign', () => {
  for (const kind of ['objective', 'task', 'why'] as const) {
    const entry = entryOf(atPlan(), kind);
    const text = kind === 'task' ? 'Share the refresh in flight' : (entry as {text: string}).text;
    const foreign = replaceText(entry, text, hostile);
    assertSafe(content(foreign), {columns: 70});
    assertFits(content(foreign), {rows: 40, widths: [40, 60, 100]});
    assertAscii(content(entry));
  }
});
