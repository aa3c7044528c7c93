import type {PlannedTask} from '../../domain/index.ts';
import {toSafeLine} from '../../reports/index.ts';
import {hasWildcard, pathMatcher} from '../../shared/index.ts';

/** A path that several tasks of a plan may change. */
export type SharedFile = {
  readonly path: string;
  /** Numbers of the tasks. */
  readonly tasks: readonly number[];
  /** Two of the tasks may run at the same time, so that their changes can conflict. */
  readonly isAtOnce: boolean;
};

export function findSharedFiles(tasks: readonly PlannedTask[]): SharedFile[] {
  const patterns = tasks.map(({files}) => ({
    files: new Set(files),
    matches: pathMatcher(files.filter(hasWildcard).slice(0, maxPatterns)),
  }));
  const ancestors = findAncestors(tasks);
  const paths = [...new Set(tasks.flatMap(({files}) => files))];
  return paths.flatMap((path) => {
    const owners = patterns.flatMap(({files, matches}, index) =>
      // Only one variant of a task is merged.
      tasks[index]?.variantOf === undefined &&
      (files.has(path) || (!hasWildcard(path) && matches(path)))
        ? [index]
        : [],
    );
    if (owners.length < 2) return [];
    const isAtOnce = owners.some((one) =>
      owners.some((other) => one < other && !isOrdered(one, other)),
    );
    return [{path: toSafeLine(path), tasks: owners.map((index) => index + 1), isAtOnce}];
  });

  function isOrdered(one: number, other: number): boolean {
    const [first, second] = [tasks[one]?.id ?? '', tasks[other]?.id ?? ''];
    return ancestors.get(second)?.has(first) === true || ancestors.get(first)?.has(second) === true;
  }
}

/** Each pattern costs time for every path. */
const maxPatterns = 50;

/** The tasks that each task waits for, also by way of others. A plan lists them in this order. */
function findAncestors(tasks: readonly PlannedTask[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const {id, after} of tasks)
    found.set(id, new Set(after.flatMap((earlier) => [earlier, ...(found.get(earlier) ?? [])])));
  return found;
}
