import type {Buffer} from 'node:buffer';
import {
  type DecisionRecord,
  encodeRecords,
  type Entry,
  startOfFile,
} from '../../../source/journal/encode-records.ts';

export type SampleRecord = {
  /** Where its line starts and where the next one starts. */
  readonly start: number;
  readonly end: number;
  /**
   * How many records stand before the decision that it belongs to, and at which byte that one
   * starts.
   */
  readonly before: number;
  readonly decisionStart: number;
};

export type Sample = {
  readonly bytes: Buffer;
  readonly entries: readonly Entry[];
  readonly records: readonly SampleRecord[];
};

/**
 * A journal of 60 records: decisions of one to three events, texts in many scripts, one large
 * record, one empty.
 */
export function makeSample(): Sample {
  const decisions = Array.from({length: 30}, (_, index) => getDecision(index));
  const {bytes, entries} = encodeRecords(decisions, startOfFile);
  const records: SampleRecord[] = [];
  let start = 0;
  for (const {length} of entries) {
    const before = records.length;
    const decisionStart = start;
    for (let index = 0; index < length; index += 1) {
      const end = bytes.indexOf('\n', start) + 1;
      records.push({start, end, before, decisionStart});
      start = end;
    }
  }

  return {bytes, entries: entries.flat(), records};
}

function getDecision(index: number): DecisionRecord {
  const drafts = Array.from({length: (index % 3) + 1}, (_, event) => ({
    type: types[(index + event) % types.length]!,
    data: getData(index * 3 + event),
  }));
  return {
    at: 1_700_000_000_000 + index,
    mono: String(9_007_199_254_740_993n + BigInt(index)),
    boot: 'b1',
    drafts,
  };
}

const types = ['run-started', 'task-started', 'attempt-failed', 'noted'];
const texts = [
  '',
  'plain',
  'tab\tnewline\nquote"\\',
  'äöü ß',
  '試験',
  '🎼🎻',
  '\u{0}\u{7}',
  'e\u0301',
  '\uD800',
];

function getData(index: number): Record<string, unknown> {
  if (index === 40) return {log: 'assertion failed: expected 1, got 2\n'.repeat(20)};
  if (index % 10 === 0) return {};
  return {task: `r1.t${index}`, text: texts[index % texts.length]};
}
