import assert from 'node:assert/strict';
import {test} from 'node:test';
import {emptyLedger, entriesOf, entryOf, withEntry, type Ledger} from '../../source/base/index.ts';
import {createRandom} from '../support/random.ts';

test('entries are numbered from 1, and a newer list leaves the older one as it was', () => {
  const one = withEntry<string>(emptyLedger, 1, 'a');
  const two = withEntry(one, 2, 'b');
  const changed = withEntry(two, 1, 'c');
  assert.deepEqual(
    [entriesOf(one), entriesOf(two), entriesOf(changed)],
    [['a'], ['a', 'b'], ['c', 'b']],
  );
  assert.deepEqual(
    [entryOf(two, 1), entryOf(two, 2), entryOf(two, 3), entryOf(two, 0)],
    ['a', 'b', undefined, undefined],
  );
});

test('it says the same as a plain array, over many random changes and page borders', () => {
  const random = createRandom(7);
  let ledger: Ledger<number> = emptyLedger;
  const plain: number[] = [];
  for (let step = 0; step < 2000; step++) {
    const number = random.chance(0.3)
      ? plain.length + 1
      : 1 + random.below(Math.max(1, plain.length));
    plain[number - 1] = step;
    ledger = withEntry(ledger, number, step);
    assert.equal(ledger.size, plain.length);
  }

  assert.deepEqual(entriesOf(ledger), plain);
  assert.deepEqual(
    plain.map((_, index) => entryOf(ledger, index + 1)),
    plain,
  );
});

for (const number of [0, -1, 3, 1.5, Number.NaN]) {
  test(`entry ${number} of a list of one cannot be set`, () => {
    assert.throws(
      () => withEntry(withEntry<string>(emptyLedger, 1, 'a'), number, 'x'),
      /expected an entry from 1 to 2/,
    );
  });
}
