/** Few enough to take about a millisecond: the process that asks also passes key presses on. */
const sliceSize = 64;

/** Maps a long list and lets the event loop turn in between; what maps to nothing is left out. */
export async function inSlices<T, R>(items: readonly T[], map: (item: T) => R | undefined): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += sliceSize) {
    if (start > 0) await new Promise((resolve) => setImmediate(resolve));
    for (const item of items.slice(start, start + sliceSize)) {
      const result = map(item);
      if (result !== undefined) results.push(result);
    }
  }

  return results;
}
