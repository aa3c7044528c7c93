import assert from 'node:assert/strict';
import {test} from 'node:test';
import {NeedLead, NeedParts} from '../../../../source/app/components/needs/NeedParts.tsx';
import type {NeedPart} from '../../../../source/app/select/need-view.ts';
import {assertAscii, assertFits, assertSafe, hostile, paintRows, rowsOf} from '../render.tsx';

const parts = (text: string): readonly NeedPart[] =>
  [
    {kind: 'text', text},
    {kind: 'list', items: [{text}, {text, sign: 'passed'}]},
    {kind: 'fact', name: 'branch', text},
  ] as readonly NeedPart[];

test('paragraphs, lists and facts have a blank row after each', () => {
  assert.deepEqual(rowsOf(<NeedParts parts={parts('words')} />).slice(0, 6), [
    'words',
    '',
    '– words',
    '✓ words',
    '',
    'branch  words',
  ]);
});

test('nothing is cut, and prose is at most 110 cells wide', () => {
  const rows = paintRows(<NeedParts parts={parts('word '.repeat(80).trim())} />, {columns: 200});
  assert.equal(rows.join(' ').match(/word/g)?.length, 4 * 80);
  assert.ok(rows.every((row) => row.length <= 110));
  assert.ok(!rows.some((row) => row.includes('…')));
});

test('the lead is read whole', () => {
  const rows = rowsOf(<NeedLead>{'word '.repeat(20).trim()}</NeedLead>, {columns: 30});
  assert.equal(rows.join(' ').match(/word/g)?.length, 20);
});

test('a screen reader hears no signs', () => {
  assert.doesNotMatch(
    rowsOf(<NeedParts parts={parts('words')} />, {isScreenReader: true}).join('\n'),
    /[–✓]/,
  );
});

test('their text is foreign', () => {
  assertSafe(<NeedParts parts={parts(hostile)} />);
  assertFits(<NeedParts parts={parts(hostile)} />, {rows: 90});
  assertFits(<NeedLead>{hostile}</NeedLead>, {rows: 40});
  assertAscii(<NeedParts parts={parts('words')} />);
});
