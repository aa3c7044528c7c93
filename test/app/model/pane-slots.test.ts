import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {assignSlots, type SlotCandidate} from '../../../source/app/model/pane-slots.ts';
import {createRandom} from '../../support/random.ts';

/** A letter is a row; in capitals it is at work. */
function toCandidates(text: string): readonly SlotCandidate[] {
  return toNames(text).map((word) => ({
    key: word.toLowerCase(),
    isLive: word !== word.toLowerCase(),
  }));
}

function toNames(text: string): readonly string[] {
  return text === '' ? [] : text.split(' ');
}

type Row = readonly [
  name: string,
  before: string,
  candidates: string,
  capacity: number,
  selected: string,
  after: string,
];

const rows: readonly Row[] = [
  ['the first ones are placed in the order of the list', '', 'A B C', 4, 'a', 'a b c'],
  ['those at work come before those that are over', '', 'a B C', 2, 'b', 'b c'],
  ['one that is over has a place where there is room', '', 'a B C', 3, 'b', 'a b c'],
  ['a row keeps its place when the list is in another order', 'c a b', 'A B C', 3, 'a', 'c a b'],
  ['one that is merged stays', 'a b c', 'a B C', 3, 'b', 'a b c'],
  ['it gives way to one that starts, in its place', 'a b c', 'a B C D', 3, 'b', 'd b c'],
  ['nobody who works gives way', 'a b c', 'A B C D', 3, 'a', 'a b c'],
  ['one that is selected does not give way either', 'a b c', 'a B C D', 3, 'a', 'a b c'],
  ['of two that are over, the first place is taken first', 'a b c', 'a b C D', 3, 'c', 'd b c'],
  ['what is gone leaves its place to the next ones', 'a b c', 'A C', 3, 'a', 'a c'],
  ['the selected one takes a place of one that is over', 'a b', 'a B c', 2, 'c', 'c b'],
  ['or of one at work, if all work', 'a b', 'A B C', 2, 'c', 'c b'],
  [
    'selected and without a place, it takes that of its number',
    'a b c',
    'A B C d',
    3,
    'd',
    'd b c',
  ],
  ['room for fewer: the first places stay', 'a b c', 'A B C', 2, 'a', 'a b'],
  ['room for fewer, and the selected one has none', 'a b c', 'A B C', 2, 'c', 'c b'],
  ['room for one shows the selected one', 'a b c', 'A B C', 1, 'b', 'b'],
  ['a pane more: all are in the order of the list', 'b', 'A B C', 3, 'b', 'a b c'],
  ['something selected that has no terminal takes no place', 'a b', 'A B', 2, 'x', 'a b'],
  ['nothing to show', 'a b', '', 2, 'a', ''],
];

describe('places of panes:', () => {
  for (const [name, before, candidates, capacity, selected, after] of rows) {
    test(name, () => {
      assert.equal(
        assignSlots(toNames(before), toCandidates(candidates), capacity, selected).join(' '),
        after,
      );
    });
  }

  test('a task keeps its place through its whole life beside others that come and go', () => {
    let slots: readonly string[] = [];
    for (const list of ['A B', 'A B C', 'a B C D', 'a b C D', 'a b C D E', 'a b C d E'])
      slots = assignSlots(slots, toCandidates(list), 4, 'c');
    assert.deepEqual(slots, ['e', 'b', 'c', 'd']);
  });

  test('the same places are the same value: nothing renders for them', () => {
    const before = ['a', 'b'];
    assert.equal(assignSlots(before, toCandidates('A B'), 2, 'a'), before);
  });
});

test('whatever happens: no row twice, never more than fit, the selected one always, those that work before others, and nobody moves while there are as many panes', () => {
  for (let seed = 0; seed < 300; seed++) {
    const random = createRandom(`slots ${seed}`);
    let slots: readonly string[] = [];
    for (let step = 0; step < 30; step++) {
      const candidates = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
        .filter(() => random.chance(0.7))
        .map((key) => ({key, isLive: random.chance(0.5)}));
      const capacity = 1 + random.below(6);
      const selected = random.pick(['a', 'd', 'h', 'none']);
      const next = assignSlots(slots, candidates, capacity, selected);
      const where = `seed ${seed}, step ${step}: ${slots.join(' ')} → ${next.join(' ')}`;
      const isKnown = (key: string): boolean => candidates.some((one) => one.key === key);
      assert.equal(new Set(next).size, next.length, where);
      assert.equal(next.length, Math.min(capacity, candidates.length), where);
      assert.ok(next.every(isKnown), where);
      assert.equal(next.includes(selected), isKnown(selected), where);
      const isAtRest = next.some(
        (key) => key !== selected && candidates.some((one) => one.key === key && !one.isLive),
      );
      const waits = candidates.some(({key, isLive}) => isLive && !next.includes(key));
      assert.ok(!(isAtRest && waits), where);
      const isSameCount = slots.every(isKnown) && next.length === slots.length;
      const moved = slots.filter((key, at) => next.includes(key) && next[at] !== key);
      if (isSameCount) assert.deepEqual(moved, [], where);
      slots = next;
    }
  }
});
