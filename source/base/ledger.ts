/**
 * A list of numbered things (1, 2, 3, …) that is never changed, only followed by a newer list.
 * Pages keep a change cheap however long the list grows, so that folding a long history stays linear.
 */
export type Ledger<T> = {
  readonly size: number;
  readonly pages: readonly (readonly T[])[];
};

const pageSize = 64;

export const emptyLedger: Ledger<never> = {size: 0, pages: []};

export function entryOf<T>(ledger: Ledger<T>, number: number): T | undefined {
  const index = number - 1;
  return ledger.pages[Math.floor(index / pageSize)]?.[index % pageSize];
}

/** Sets entry `number`; only an existing one or the very next can be set. */
export function withEntry<T>(ledger: Ledger<T>, number: number, entry: T): Ledger<T> {
  if (!Number.isInteger(number) || number < 1 || number > ledger.size + 1) {
    throw new RangeError(`expected an entry from 1 to ${ledger.size + 1}, got ${number}`);
  }

  const page = Math.floor((number - 1) / pageSize);
  const entries = [...(ledger.pages[page] ?? [])];
  entries[(number - 1) % pageSize] = entry;
  const pages = [...ledger.pages];
  pages[page] = entries;
  return {size: Math.max(ledger.size, number), pages};
}

export function entriesOf<T>(ledger: Ledger<T>): T[] {
  return ledger.pages.flat();
}
