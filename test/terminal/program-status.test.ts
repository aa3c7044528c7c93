import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {createTracker} from '../../source/terminal/index.ts';

function statusesAfter(...reports: readonly string[]): unknown {
  const tracker = createTracker();
  for (const report of reports) tracker.write(Buffer.from(`\u001B]${report}\u001B\\`));
  return tracker.state().statuses;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

describe('a program status', () => {
  test('is what an agent reports', () => {
    assert.deepEqual(
      statusesAfter(
        `7501;state=blocked:kind=permission:app=claude-code:progress=40:msg=${base64('Run npm test?')}`,
      ),
      [
        {
          id: '',
          state: 'blocked',
          kind: 'permission',
          progress: 40,
          app: 'claude-code',
          message: 'Run npm test?',
        },
      ],
    );
  });

  test('is replaced whole by the next report', () => {
    assert.deepEqual(statusesAfter('7501;state=working:progress=40', '7501;state=done'), [
      {id: '', state: 'done'},
    ]);
  });

  test('stands for each part of the work by its id', () => {
    const reports = [
      '7501;state=working',
      '7501;state=blocked:kind=question:id=task-1/tests',
      '7501;state=done:id=task-2',
    ];
    assert.deepEqual(statusesAfter(...reports), [
      {id: '', state: 'working'},
      {id: 'task-1/tests', state: 'blocked', kind: 'question'},
      {id: 'task-2', state: 'done'},
    ]);
    assert.deepEqual(statusesAfter(...reports, '7501;state=clear:id=task-1'), [
      {id: '', state: 'working'},
      {id: 'task-2', state: 'done'},
    ]);
    assert.deepEqual(statusesAfter(...reports, '7501;state=clear'), []);
  });

  test('is told by the fields that are well-formed', () => {
    assert.deepEqual(
      statusesAfter('7501;state=done:msg=*:APP=x:progress:title=:what=ever:progress=101'),
      [{id: '', state: 'done'}],
    );
  });

  test('has a kind only when it is blocked', () => {
    assert.deepEqual(statusesAfter('7501;state=working:kind=permission'), [
      {id: '', state: 'working'},
    ]);
  });

  test('stays when a prompt begins, unless it is working or blocked', () => {
    assert.deepEqual(statusesAfter('7501;state=working:id=a', '7501;state=done:id=b', '133;A'), [
      {id: 'b', state: 'done'},
    ]);
  });

  test('is a bounded text in which nothing acts, hides or reorders', () => {
    const [status] = statusesAfter(
      `7501;state=done:msg=${base64(`\u202E${'x'.repeat(1500)}`)}`,
    ) as [{message: string}];
    assert.match(status.message, /^\\u\{202e\}x+…$/);
    assert.equal(status.message.length, 200);
  });

  test('is kept for at most 64 parts, the latest ones', () => {
    const statuses = statusesAfter(
      ...Array.from({length: 100}, (_, part) => `7501;state=working:id=p${part}`),
    ) as unknown[];
    assert.equal(statuses.length, 64);
    assert.deepEqual(statuses.at(-1), {id: 'p99', state: 'working'});
  });

  for (const [name, report] of [
    ['without a state', '7501;kind=permission'],
    ['with an unknown state', '7501;state=sleeping'],
    ['with a message that is not base64', '7501;state=done:msg=A'],
    ['with a message that is not UTF-8', '7501;state=done:msg=/w=='],
    ['with a control in its message', `7501;state=done:msg=${base64('\u001B]0;x\u0007')}`],
    ['with an id that is none', '7501;state=done:id=a//b'],
    ['with an id that is too deep', `7501;state=done:id=${'a/'.repeat(8)}b`],
    ['that is empty', '7501;'],
    ['that is a query', '7501;?'],
  ] as const) {
    test(`does not change by a report ${name}`, () => {
      assert.deepEqual(statusesAfter('7501;state=working', report), [{id: '', state: 'working'}]);
    });
  }
});
