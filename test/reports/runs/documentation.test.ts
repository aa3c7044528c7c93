import assert from 'node:assert/strict';
import path from 'node:path';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {
  buildBrief,
  buildNeedsReport,
  buildStatus,
  buildTimeline,
} from '../../../source/reports/index.ts';
import {parseSummary} from '../../../source/knowledge/index.ts';
import {outcomes} from '../../../source/reports/summary/summary-of-task.ts';
import {readGoldenInput} from '../../support/golden.ts';
import {tokenStory} from './token-story.ts';

const docs = (name: string): string =>
  readFileSync(path.join(import.meta.dirname, '..', '..', '..', 'docs', name), 'utf8');
const golden = (name: string): string => readGoldenInput(name).toString().trimEnd();

test('docs/brief.md shows the brief and the needs as they are printed', () => {
  const text = docs('brief.md');
  assert.ok(text.includes(`\n${golden('story/brief.txt')}\n`));
  assert.ok(text.includes(`\n${golden('story/needs.txt')}\n`));
});

test('docs/brief.md names every field of the JSON', () => {
  const text = docs('brief.md');
  const {
    harness: {state, events},
    left,
    now,
  } = tokenStory();
  const status = buildStatus(state, now);
  const brief = buildBrief(state, events, {since: left, now});
  const shapes: readonly object[] = [
    status,
    status.runs[0]!,
    status.runs[0]!.tasks[0]!,
    status.sessions[0]!,
    status.services[0]!,
    buildNeedsReport(state, now),
    buildNeedsReport(state, now).needs[0]!,
    buildNeedsReport(state, now).needs[0]!.ways[0]!,
    buildTimeline(events),
    buildTimeline(events).entries[0]!,
    brief,
    brief.before[0]!,
    brief.happened[0]!,
  ];
  for (const shape of shapes)
    assert.ok(text.includes(`{${Object.keys(shape).join(', ')}}`), Object.keys(shape).join(', '));
});

test('docs/summaries.md shows a summary and an explanation as they are written, and names every field and outcome', () => {
  const text = docs('summaries.md');
  assert.ok(text.includes(`\n${golden('summary/merged.md')}\n`));
  assert.ok(text.includes(`\n${golden('summary/explanation.md')}\n`));
  for (const field of ['run', 'task', 'outcome', 'date', 'files', 'commits', 'tokens'] as const) {
    assert.ok(parseSummary(golden('summary/merged.md')).value[field] !== undefined);
    assert.match(text, new RegExp(`^\\| .*\`${field}\`.* \\|`, 'm'));
  }

  for (const outcome of outcomes) assert.ok(text.includes(`\`${outcome}\``), outcome);
});
