/** A count of tokens at a glance: `872`, `47k`, `1.2M`. */
export function formatTokens(count: number): string {
  const tokens = Number.isFinite(count) && count > 0 ? Math.round(count) : 0;
  if (tokens < 1000) return String(tokens);
  // 999,500 would be rounded to `1000k`.
  if (tokens < 999_500) return `${Math.round(tokens / 1000)}k`;
  return `${(tokens / 1_000_000).toFixed(1)}M`;
}

/** A whole number for a table: `48,210`. */
export function formatCount(count: number): string {
  return String(Number.isFinite(count) ? Math.round(count) : 0).replaceAll(
    /\B(?=(?:\d{3})+$)/g,
    ',',
  );
}

/** `$0.18`; `–` where no price is known. */
export function formatCost(cost: number | undefined): string {
  return cost === undefined || !Number.isFinite(cost) ? '–' : `$${cost.toFixed(2)}`;
}

/** A hash at a glance. Where it is approved, pass `approvedHashLength`. */
export function shortHash(hash: string, length: number = glanceHashLength): string {
  return hash.slice(0, length);
}

const glanceHashLength = 7;

export const approvedHashLength = 10;

/**
 * A count with its noun: `1 file`, `3 files`. Pass `many` where the plural is not the noun with an
 * "s".
 */
export function pluralize(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
