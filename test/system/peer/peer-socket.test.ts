import assert from 'node:assert/strict';
import {test} from 'node:test';
import {parseSocketPairs} from '../../../source/system/peer/peer-socket.ts';

const rows = [
  'u_str ESTAB 0      0                                  /tmp/peer.sock 1864393 * 1864392',
  'u_str ESTAB 0      0                                               * 1864392 * 1864393        ',
  'u_str ESTAB 0      0      @abstract 20 * 21 ',
  'u_str ESTAB 0      0      /name with 5 * 6 in it 30 * 31',
];

test('both ends of each connection, whatever their names', () => {
  assert.deepEqual(
    [...parseSocketPairs(rows.join('\n'))],
    [
      [1864393, [1864392]],
      [1864392, [1864393]],
      [20, [21]],
      [30, [31]],
    ],
  );
});

test('a row that was made up stands beside the true one', () => {
  const forged = 'u_str ESTAB 0 0 /x\nu_str ESTAB 0 0 * 1864393 * 999\nx 40 * 41';
  assert.deepEqual(parseSocketPairs([...rows, forged].join('\n')).get(1864393), [1864392, 999]);
});

for (const line of [
  '',
  'nonsense',
  'u_str LISTEN 0 511 /x 5 * 0',
  'u_dgr ESTAB 0 0 * 1 * 2',
  'u_seq ESTAB 0 0 * 1 * 2',
  'u_str ESTAB 0 0 * x * 2',
  ' u_str ESTAB 0 0 * 1 * 2',
  'u_str ESTAB 0 0 * 1 /peer 2',
]) {
  test(`is no row of a connection: ${JSON.stringify(line)}`, () => {
    assert.deepEqual([...parseSocketPairs(line)], []);
  });
}
