import assert from 'node:assert/strict';
import {test} from 'node:test';
import {createEventSequence, type NumberedEvent} from '../../source/client/index.ts';
import {eventually} from '../support/eventually.ts';
import {createRandom} from '../support/random.ts';

const getFact = (seq: number): NumberedEvent => ({
  seq,
  event: {type: 'note-added', at: seq, on: 'r1', text: String(seq)},
});

/** A daemon that has `total` events and sends all after one when it is asked to. */
function createFollower(
  total: number,
  deliver: (facts: readonly NumberedEvent[]) => readonly NumberedEvent[] = (facts) => facts,
) {
  const taken: number[] = [];
  const asked: number[] = [];
  let gaps = 0;
  const sequence = createEventSequence({
    last: () => taken.length,
    onNext: ({seq}) => taken.push(seq),
    refollow: async (after) => {
      asked.push(after);
      await Promise.resolve();
      for (const fact of deliver(
        Array.from({length: total - after}, (_, index) => getFact(after + 1 + index)),
      ))
        sequence.receive(fact);
    },
    onGap: () => {
      gaps += 1;
    },
  });
  return {sequence, taken, asked, gaps: () => gaps};
}

const upTo = (total: number): number[] => Array.from({length: total}, (_, index) => index + 1);

test('events in order are passed on, and what comes twice is passed on once', () => {
  const {sequence, taken, asked} = createFollower(5);
  for (const seq of [1, 2, 2, 1, 3, 4, 3, 5]) sequence.receive(getFact(seq));
  assert.deepEqual(taken, upTo(5));
  assert.deepEqual(asked, []);
});

test('after a gap nothing is believed until the missing ones have come; it is asked once, from the last known one', async () => {
  const {sequence, taken, asked, gaps} = createFollower(6);
  sequence.receive(getFact(1));
  for (const seq of [3, 4, 5, 6]) sequence.receive(getFact(seq));
  assert.deepEqual(taken, [1], 'nothing after the gap is taken');
  await eventually('all are there', () => taken.length === 6);
  assert.deepEqual([taken, asked, gaps()], [upTo(6), [1], 0]);
});

test('a gap that stays after asking is reported, and not folded over', async () => {
  const {sequence, taken, asked, gaps} = createFollower(6, (facts) =>
    facts.filter(({seq}) => seq !== 2),
  );
  sequence.receive(getFact(1));
  sequence.receive(getFact(3));
  await eventually('it is reported', () => gaps() === 1);
  assert.deepEqual([taken, asked], [[1], [1]]);
});

test('whatever is lost on the way, what is passed on is the beginning of the history, in order', async () => {
  for (let seed = 1; seed <= 300; seed++) {
    const random = createRandom(seed);
    const total = 40;
    const lossy = (facts: readonly NumberedEvent[]): readonly NumberedEvent[] =>
      facts.filter(() => !random.chance(0.1));
    const {sequence, taken, gaps} = createFollower(total, lossy);
    for (let tries = 0; tries < 200 && taken.length < total; tries++) {
      for (const fact of lossy(upTo(total).map(getFact))) sequence.receive(fact);
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      assert.deepEqual(taken, upTo(taken.length), `seed ${seed}`);
    }

    assert.equal(
      taken.length,
      total,
      `seed ${seed}: it makes progress (${gaps()} gaps were reported)`,
    );
  }
});
