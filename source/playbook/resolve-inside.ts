import {lstatSync, realpathSync} from 'node:fs';
import path from 'node:path';
import {readPlanPath} from '../documents/index.ts';

export type Resolved = {readonly file: string} | {readonly refused: string};

/**
 * Where a path of the playbook leads: inside the worktree and not into git's own files, whatever links stand on the way.
 * With `followLast` a link in the last place is followed as well; without, the link itself is meant. Refusals are
 * sentences that begin with the path.
 */
export function resolveInside(
  directory: string,
  file: string,
  {followLast}: {readonly followLast: boolean},
): Resolved {
  const written = readPlanPath(file);
  if ('refused' in written) return {refused: `${file} ${written.refused}`};
  const root = realpathSync(directory);
  const names = written.path.split('/');
  let [current, isThere] = [root, true];
  for (const [index, name] of names.entries()) {
    current = path.join(current, name);
    const status = isThere ? lstatSync(current, {throwIfNoEntry: false}) : undefined;
    isThere = status !== undefined;
    if (status?.isSymbolicLink() !== true || (index === names.length - 1 && !followLast)) continue;
    const target = targetOf(current);
    if (target === undefined)
      return {
        refused: `${file} goes over the link ${path.relative(root, current)}, which leads nowhere. Name the file itself.`,
      };
    current = target;
    const fault = faultOf(root, current);
    if (fault !== undefined) return {refused: `${file} goes over a link that leads ${fault}`};
  }

  return {file: current};
}

function targetOf(link: string): string | undefined {
  try {
    return realpathSync(link);
  } catch {
    // A circle of links, a target that is gone, one that we may not look at: the same to us.
    return undefined;
  }
}

function faultOf(root: string, target: string): string | undefined {
  const inside = path.relative(root, target);
  if (inside === '') return undefined;
  if (inside === '..' || inside.startsWith(`..${path.sep}`) || path.isAbsolute(inside))
    return 'out of the worktree. Name a file inside.';
  return 'refused' in readPlanPath(inside)
    ? 'into what no task may change. Name another file.'
    : undefined;
}
