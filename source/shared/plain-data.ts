/** The variables of a process, passed in: only `source/cli/main.ts` reads the real ones. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * An immutable list of entries numbered from 1. Its pages keep an update cheap however long the
 * list grows, so that folding a long history stays linear.
 */
export type Ledger<T> = {
  readonly size: number;
  readonly pages: readonly (readonly T[])[];
};

const pageSize = 64;

export const emptyLedger: Ledger<never> = {size: 0, pages: []};

export function ledgerEntry<T>(ledger: Ledger<T>, number: number): T | undefined {
  const index = number - 1;
  return ledger.pages[Math.floor(index / pageSize)]?.[index % pageSize];
}

/** Sets entry `number`, which must exist or be the next one. */
export function withLedgerEntry<T>(ledger: Ledger<T>, number: number, entry: T): Ledger<T> {
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

export function ledgerEntries<T>(ledger: Ledger<T>): T[] {
  return ledger.pages.flat();
}

/**
 * Deep equality of plain values. The order of keys does not matter; a missing key equals
 * `undefined`.
 */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) =>
    isSame((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
  );
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A copy without the given keys. */
export function without<T extends object, K extends keyof T>(
  value: T,
  ...keys: readonly K[]
): Omit<T, K> {
  const copy: Partial<T> = {...value};
  for (const key of keys) Reflect.deleteProperty(copy, key);
  return copy as Omit<T, K>;
}

/**
 * Computes once for each object: the state is never changed in place, so the same state has the
 * same result. Results are dropped with their object.
 */
export function memoizeByObject<Input extends object, Result>(
  compute: (input: Input) => Result,
): (input: Input) => Result {
  const results = new WeakMap<Input, {readonly result: Result}>();
  return (input) => {
    const known = results.get(input);
    if (known !== undefined) return known.result;
    const result = compute(input);
    results.set(input, {result});
    return result;
  };
}
