import assert from 'node:assert/strict';
import {test} from 'node:test';
import {TaskSign, toneOfSign} from '../../../source/app/components/TaskSign.tsx';
import {rowsOf} from './render.tsx';

const signs = [
  'works',
  'waits',
  'asks',
  'stopped',
  'merged',
  'held',
  'yours',
  'discarded',
] as const;

test('every state has a mark of its own, one cell wide, also in ASCII', () => {
  for (const set of ['auto', 'ascii'] as const) {
    const marks = signs.map((sign) => rowsOf(<TaskSign sign={sign} />, {signs: set}).join(''));
    assert.equal(new Set(marks).size, signs.length, marks.join(' '));
    for (const mark of marks) assert.equal(Array.from(mark).length, 1, mark);
  }
});

test('what asks is loud, what stopped is bad, what is merged is good', () => {
  assert.deepEqual(
    [toneOfSign('asks'), toneOfSign('stopped'), toneOfSign('merged')],
    ['warn', 'bad', 'good'],
  );
});

test('is skipped by a screen reader: the words stand beside it', () => {
  assert.deepEqual(rowsOf(<TaskSign sign="asks" />, {isScreenReader: true}), ['']);
});
