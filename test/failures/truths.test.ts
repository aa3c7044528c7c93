// The logs whose first failure was named before a reader saw them: is each truth in its log, and is
// nothing of the machine that recorded it? scripts/failure-goldens/measure.ts says how much of them
// parseFirstFailure reads.
import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {parseFirstFailure, toPlainLines} from '../../source/failures/index.ts';
import {folded, judgeReading, parseTruth, truthLogs} from './truth-logs.ts';

for (const half of ['goldens', 'held-out'] as const) {
  describe(`truths of ${half}:`, () => {
    for (const {name, log, truth} of truthLogs(half)) {
      test(name, () => {
        const text = folded(toPlainLines(log).join('\n'));
        assert.ok(truth.messages.length > 0, 'a truth has at least one message');
        assert.ok(truth.kinds.length > 0, 'a truth has at least one kind');
        for (const part of [...truth.messages, ...(truth.test === undefined ? [] : [truth.test])])
          assert.ok(text.includes(folded(part)), `not in the log: ${part}`);
        for (const place of truth.places) {
          const [file = '', line] = place.split(/:(?=\d+$)/);
          const base = file.slice(file.lastIndexOf('/') + 1);
          assert.ok(text.includes(base), `file not in the log: ${place}`);
          assert.ok(
            line === undefined || new RegExp(`(?<!\\d)${line}(?!\\d)`).test(text),
            `line not in the log: ${place}`,
          );
        }

        assert.doesNotMatch(log, /\/tmp\/failure-goldens|\/root\b|\/work\/|registry\./);
      });
    }
  });
}

test('a reading is whole when test, message and place are right', () => {
  const truth = parseTruth('test: adds\nmessage: 3 != 4\nplace: a.js:2\nplace: b.js\nkind: test\n');
  const reading = parseFirstFailure('nothing of it');
  const right = {
    ...reading,
    test: 'cart > adds',
    message: 'Error:  3 !=\n 4',
    file: 'a.js',
    line: 2,
  };
  assert.ok(judgeReading(truth, right).isWhole);
  assert.ok(judgeReading(truth, {...right, file: 'b.js'}).isWhole);
  assert.deepEqual(judgeReading(truth, {...right, line: 3}), {
    hasTest: true,
    hasMessage: true,
    hasPlace: false,
    isWhole: false,
  });
  assert.ok(!judgeReading(truth, {...right, test: 'divides'}).hasTest);
  assert.ok(!judgeReading(truth, {...right, message: '3 != 5'}).hasMessage);
});
