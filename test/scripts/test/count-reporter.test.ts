import assert from 'node:assert/strict';
import {Readable} from 'node:stream';
import {test} from 'node:test';
import type {TestEvent} from 'node:test/reporters';
import countReporter from '../../../scripts/test/count-reporter.ts';

test('what is skipped is counted and named, a whole suite as one', async () => {
  const events = [
    end('test:pass', {name: 'adds', type: 'test', file: 'b.test.ts', nesting: 1, ms: 400}),
    end('test:pass', {name: 'sums', type: 'suite', file: 'b.test.ts', nesting: 0, ms: 500}),
    end('test:pass', {name: 'more', type: 'suite', file: 'b.test.ts', nesting: 0, ms: 1500}),
    end('test:fail', {name: 'divides', type: 'test', file: 'a.test.ts'}),
    end('test:pass', {name: 'draws', type: 'test', skip: 'tmux is not installed'}),
    end('test:pass', {name: 'in the sandbox', type: 'suite', skip: 'bubblewrap is not installed'}),
    end('test:pass', {name: 'later', type: 'test', skip: true}),
  ];
  let report = '';
  for await (const text of countReporter(Readable.from(events))) report += text;
  assert.deepEqual(JSON.parse(report), {
    passed: 1,
    failed: 1,
    failures: ['a.test.ts: divides'],
    skipped: [
      {name: 'draws', reason: 'tmux is not installed'},
      {name: 'in the sandbox', reason: 'bubblewrap is not installed'},
      {name: 'later', reason: 'no reason given'},
    ],
    seconds: [['b.test.ts', 2]],
  });
});

function end(
  type: 'test:pass' | 'test:fail',
  {type: kind, ms, ...data}: Readonly<Record<string, unknown>>,
): TestEvent {
  return {type, data: {...data, details: {type: kind, duration_ms: ms}}} as unknown as TestEvent;
}
