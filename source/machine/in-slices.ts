/** Few enough to take about a millisecond: the process that asks also passes key presses on. */
const sliceSize = 64;

/** Maps a long list and lets the event loop turn in between. What maps to nothing is left out; when it is done, the rest is. */
export async function inSlices<T, R>(
  items: readonly T[],
  map: (item: T) => R | undefined,
  isDone: () => boolean = () => false,
): Promise<R[]> {
  const results: R[] = [];
  for (const [index, item] of items.entries()) {
    if (isDone()) break;
    if (index > 0 && index % sliceSize === 0) await new Promise((resolve) => setImmediate(resolve));
    const result = map(item);
    if (result !== undefined) results.push(result);
  }

  return results;
}
