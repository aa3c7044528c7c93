import {setTimeout as pass} from 'node:timers/promises';

/**
 * Looks again and again until there is something to see, and gives it. When that never comes, says
 * what was waited for: the limit is for what hangs, not for what is slow.
 */
export async function eventually<T>(
  what: string,
  look: () => T | Promise<T>,
  limit = 90_000,
): Promise<NonNullable<Exclude<T, false>>> {
  const end = performance.now() + limit;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== null && seen !== false)
      return seen as NonNullable<Exclude<T, false>>;
    if (performance.now() > end) throw new Error(`waited ${limit} ms in vain for: ${what}`);
    await pass(3);
  }
}
