/**
 * A count with its noun: `1 file`, `3 files`. Pass `many` where the plural is not the noun with an
 * "s".
 */
export function pluralize(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
