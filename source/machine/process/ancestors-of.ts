import type {Process} from './process.ts';

/** The parents of a process, nearest first, as far as they can be seen. Nobody is older than its parent. */
export function ancestorsOf(process: Process, processes: readonly Process[]): Process[] {
  const ancestors: Process[] = [];
  for (let child = process; ;) {
    const parent = processes.find(({identity}) => identity.pid === child.parent);
    if (
      parent === undefined ||
      parent.identity.startTime > child.identity.startTime ||
      ancestors.includes(parent)
    )
      return ancestors;
    ancestors.push(parent);
    child = parent;
  }
}
