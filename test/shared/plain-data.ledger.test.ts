import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  emptyLedger,
  type Ledger,
  ledgerEntries,
  ledgerEntry,
  withLedgerEntry,
} from '../../source/shared/index.ts';
import {createRandom} from '../support/random.ts';

test('entries are numbered from 1, and a newer list leaves the older one as it was', () => {
  const one = withLedgerEntry<string>(emptyLedger, 1, 'a');
  const two = withLedgerEntry(one, 2, 'b');
  const changed = withLedgerEntry(two, 1, 'c');
  assert.deepEqual(
    [ledgerEntries(one), ledgerEntries(two), ledgerEntries(changed)],
    [['a'], ['a', 'b'], ['c', 'b']],
  );
  assert.deepEqual(
    [ledgerEntry(two, 1), ledgerEntry(two, 2), ledgerEntry(two, 3), ledgerEntry(two, 0)],
    ['a', 'b', undefined, undefined],
  );
});

test('it equals a plain array, over many random changes and page borders', () => {
  const random = createRandom(7);
  let ledger: Ledger<number> = emptyLedger;
  const plain: number[] = [];
  for (let step = 0; step < 2000; step++) {
    const number = random.chance(0.3)
      ? plain.length + 1
      : 1 + random.below(Math.max(1, plain.length));
    plain[number - 1] = step;
    ledger = withLedgerEntry(ledger, number, step);
    assert.equal(ledger.size, plain.length);
  }

  assert.deepEqual(ledgerEntries(ledger), plain);
  assert.deepEqual(
    plain.map((_, index) => ledgerEntry(ledger, index + 1)),
    plain,
  );
});

for (const number of [0, -1, 3, 1.5, Number.NaN]) {
  test(`entry ${number} of a list of one cannot be set`, () => {
    assert.throws(
      () => withLedgerEntry(withLedgerEntry<string>(emptyLedger, 1, 'a'), number, 'x'),
      /expected an entry from 1 to 2/,
    );
  });
}
