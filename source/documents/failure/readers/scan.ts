/** Index of the last line before `end` that is meant. */
export function lastBefore(
  lines: readonly string[],
  end: number,
  isMeant: (line: string) => boolean,
): number | undefined {
  for (let index = end - 1; index >= 0; index -= 1) if (isMeant(lines[index] ?? '')) return index;
  return undefined;
}

/** Index of the first line from `start` that is meant, within `most` lines. */
export function firstFrom(
  lines: readonly string[],
  start: number,
  isMeant: (line: string) => boolean,
  most = Infinity,
): number | undefined {
  for (let index = start; index < lines.length && index - start < most; index += 1)
    if (isMeant(lines[index] ?? '')) return index;
  return undefined;
}
