/** One path that git could not merge by itself. */
export type MergeProblem = {readonly path: string; readonly kind: string};

export type MergeReading = {readonly tree: string; readonly problems: readonly MergeProblem[]};

/** What `git merge-tree --write-tree -z --messages` prints: a tree, the stages of each path in conflict, then what was noticed. */
export function readMergeTree(text: string): MergeReading {
  const parts = text.split('\0');
  const tree = parts[0] ?? '';
  const stages = new Map<string, Set<string>>();
  let at = 1;
  for (; at < parts.length && parts[at] !== ''; at++) {
    const entry = /^\d+ [\da-f]+ (?<stage>[123])\t(?<path>[\s\S]+)$/.exec(parts[at] ?? '')?.groups;
    if (entry === undefined) continue;
    const path = entry['path'] ?? '';
    stages.set(path, new Set([...(stages.get(path) ?? []), entry['stage'] ?? '']));
  }

  const kinds = new Map<string, string>();
  for (at += 1; at < parts.length;) {
    const count = Number(parts[at]);
    if (!Number.isInteger(count) || parts[at]?.trim() === '') break;
    const paths = parts.slice(at + 1, at + 1 + count);
    const kind = /^CONFLICT \((?<kind>[^)]*)\)/.exec(parts[at + 1 + count] ?? '')?.groups?.['kind'];
    // The first word about a path is the most particular one: "binary" comes before "contents".
    if (kind !== undefined) for (const path of paths) if (!kinds.has(path)) kinds.set(path, kind);
    at += count + 3;
  }

  const paths = [
    ...new Set([
      ...stages.keys(),
      ...[...kinds.keys()].filter((path) => stages.size === 0 || stages.has(path)),
    ]),
  ];
  return {
    tree,
    problems: paths.map((path) => ({
      path,
      kind: kindOf(kinds.get(path) ?? 'contents', stages.get(path)),
    })),
  };
}

function kindOf(kind: string, stages: ReadonlySet<string> | undefined): string {
  if (kind === 'contents')
    return stages !== undefined && !stages.has('1') && stages.size === 2 ? 'add/add' : 'content';
  return kind.startsWith('submodule') ? 'submodule' : kind;
}
