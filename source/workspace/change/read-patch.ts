/** The added lines of one file in a patch. */
export type PatchPart = readonly {readonly line: number; readonly text: string}[];

/**
 * A patch without context (`-U0`), as one part for each of its files, in the order of the files. Names are not read: they
 * are known by the order, and a name can hold what looks like a patch. Nor can a line of a file: hunks say how many lines they have.
 */
export function readPatch(text: string): readonly PatchPart[] {
  const parts: {line: number; text: string}[][] = [];
  let at = 0;
  const next = (): string => {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, end === -1 ? text.length : end);
    at = end === -1 ? text.length : end + 1;
    return line;
  };

  while (at < text.length) {
    const line = next();
    if (line.startsWith('diff --git ')) {
      parts.push([]);
      continue;
    }

    const hunk = /^@@ -\d+(?:,(?<removed>\d+))? \+(?<from>\d+)(?:,(?<added>\d+))? @@/.exec(
      line,
    )?.groups;
    if (hunk === undefined) continue;
    const from = Number(hunk['from']);
    const [removed, added] = [Number(hunk['removed'] ?? 1), Number(hunk['added'] ?? 1)];
    for (
      let seen = {removed: 0, added: 0};
      (seen.removed < removed || seen.added < added) && at < text.length;
    ) {
      const content = next();
      if (content.startsWith('-')) seen = {...seen, removed: seen.removed + 1};
      if (!content.startsWith('+')) continue;
      parts.at(-1)?.push({line: from + seen.added, text: content.slice(1)});
      seen = {...seen, added: seen.added + 1};
    }
  }

  return parts;
}
