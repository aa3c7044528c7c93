import assert from 'node:assert/strict';
import {test} from 'node:test';
import {createSeats, type Seats, type Standing} from '../../../source/daemon/server/serve.ts';

function prepare(busy: ReadonlySet<string> = new Set()): {
  readonly seats: Seats<string>;
  readonly gone: string[];
} {
  const gone: string[] = [];
  const seats = createSeats<string>({
    isBusy: (one) => busy.has(one),
    dismiss: (one, from) => gone.push(`${one} (${from})`),
    limits: {unauthenticated: 3, asking: 2, arriving: 2, following: 2},
  });
  return {seats, gone};
}

test('each standing has places of its own: strangers never take the place of somebody with the token', () => {
  const {seats, gone} = prepare();
  seats.move('a', 'asking');
  seats.move('f', 'following');
  for (const client of ['1', '2', '3', '4', '5']) assert.ok(seats.move(client, 'unauthenticated'));
  assert.deepEqual(gone, ['1 (unauthenticated)', '2 (unauthenticated)']);
  assert.deepEqual(seats.in('unauthenticated'), ['3', '4', '5']);
  assert.deepEqual([seats.in('asking'), seats.in('following')], [['a'], ['f']]);
});

test('whoever was idle for longest makes room; whoever waits for an answer stays', () => {
  const busy = new Set(['b']);
  const {seats, gone} = prepare(busy);
  seats.move('a', 'asking');
  seats.move('b', 'asking');
  seats.use('a');
  assert.ok(seats.move('c', 'asking'));
  assert.deepEqual(gone, ['a (asking)']);
  busy.add('c');
  assert.equal(seats.move('d', 'asking'), false, 'all of them wait for an answer');
  assert.deepEqual(seats.in('asking'), ['b', 'c']);
});

test('whoever moves or leaves frees its place, and moving to where it is changes nothing', () => {
  const {seats, gone} = prepare();
  for (const to of [
    'unauthenticated',
    'asking',
    'arriving',
    'following',
    'following',
  ] satisfies Standing[])
    assert.ok(seats.move('a', to));
  assert.deepEqual(
    [seats.count('unauthenticated'), seats.count('asking'), seats.count('following')],
    [0, 0, 1],
  );
  seats.leave('a');
  assert.equal(seats.count('following'), 0);
  assert.deepEqual(gone, []);
});
