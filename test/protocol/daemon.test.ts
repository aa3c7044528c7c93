import assert from 'node:assert/strict';
import {test} from 'node:test';
import {parseDaemonStarts} from '../../source/protocol/index.ts';

test('what was written of daemons that started is read, and whatever else stands there is nothing', () => {
  assert.deepEqual(parseDaemonStarts('[{"pid":7,"at":1000,"more":1},{"pid":8,"at":2000}]'), [
    {pid: 7, at: 1000},
    {pid: 8, at: 2000},
  ]);
  for (const text of [
    '',
    '[',
    'null',
    '{}',
    '7',
    '[null,7,{"pid":7},{"at":1},{"pid":"7","at":1},{"pid":-7,"at":1}]',
  ])
    assert.deepEqual(parseDaemonStarts(text), [], text);
});
