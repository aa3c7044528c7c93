import assert from 'node:assert/strict';
import {test} from 'node:test';
import {NeedFrame} from '../../../../source/app/components/needs/NeedFrame.tsx';
import {SafeText} from '../../../../source/app/components/SafeText.tsx';
import type {Fixture} from '../../screens/fixtures.ts';
import {atStart} from '../app-fixtures.ts';
import {assertFits, assertSafe, hostile, rowsOf} from '../render.tsx';

const frame = (text: string) => (
  <NeedFrame title={<SafeText>{text}</SafeText>}>
    <SafeText>inside</SafeText>
  </NeedFrame>
);

function rows(columns: number, frames: Fixture['model']['settings']['frames'] = 'full') {
  const fixture = atStart({columns, rows: columns === 60 ? 15 : 24});
  fixture.model = {...fixture.model, settings: {...fixture.model.settings, frames}};
  return rowsOf(frame('title'), {fixture, columns: 20});
}

test('has fewer lines in narrower windows', () => {
  assert.deepEqual(rows(120), [
    '╭─ title ──────────╮',
    '│ inside           │',
    `╰${'─'.repeat(18)}╯`,
  ]);
  assert.deepEqual(rows(80), ['─ title ────────────', ' inside', '─'.repeat(20)]);
  assert.deepEqual(rows(60), ['─ title ────────────', ' inside']);
});

test('has the lines that the person chose', () => {
  assert.deepEqual(rows(120, 'rules'), rows(80));
  assert.deepEqual(rows(120, 'none'), rows(60));
});

test('keeps a hostile title in its line', () => {
  assertSafe(frame(hostile));
  assertFits(frame(hostile));
});
