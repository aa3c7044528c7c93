import {isDead, isSameProcess, type Process, type ProcessIdentity} from './process.ts';
import type {Cookies} from './read-cookies.ts';

/** What is known of a session's processes beforehand. */
export type TreeRoot = {
  readonly cookie: string;
  /** The process that the session began with. It led the kernel's session of its terminal. */
  readonly root?: ProcessIdentity | undefined;
  /** Members of an earlier answer. One that still lives is a member, whatever it has done to its environment. */
  readonly earlier?: readonly ProcessIdentity[] | undefined;
  /** Roots and keepers of other sessions. They and what descends from them are never members, wherever they were started. */
  readonly apart?: readonly ProcessIdentity[] | undefined;
};

/** `process-session`: in a kernel session that a member began; only descendants of its leader can be in it. */
export type Link = 'cookie' | 'root' | 'earlier' | 'descendant' | 'process-session';

export type Linked = {readonly process: Process; readonly found: Link};

/**
 * The living processes that are provably the session's, each with the proof; those that left by setsid or a double fork as well.
 * Descent counts whatever cookie a process has given itself: a process chooses its environment, but not its parent.
 */
export function treeOf(start: TreeRoot, processes: readonly Process[], cookies: Cookies): Linked[] {
  const {cookie, root, earlier = [], apart = []} = start;
  const others = new Set(apart.map(({pid}) => pid));
  const isApart = ({identity}: Process): boolean =>
    others.has(identity.pid) && apart.some((other) => isSameProcess(other, identity));
  const candidates = processes.filter((process) => !isDead(process) && !isApart(process));
  const members = new Map<number, Linked>();
  const add = (process: Process, found: Link): void => {
    if (!members.has(process.identity.pid)) members.set(process.identity.pid, {process, found});
  };

  for (const process of candidates) {
    if (cookies.get(process.identity.pid) === cookie) add(process, 'cookie');
    else if (root !== undefined && isSameProcess(process.identity, root)) add(process, 'root');
    else if (earlier.some((identity) => isSameProcess(process.identity, identity)))
      add(process, 'earlier');
  }

  const ledByRoot = root !== undefined && isUnused(root, processes) ? root.pid : undefined;
  for (let before = -1; before !== members.size;) {
    before = members.size;
    for (const process of candidates) {
      // What we started ourselves is not the session's, though we may have been started in it.
      if (process.parent !== ownPid && isChildOf(process, members.get(process.parent)?.process))
        add(process, 'descendant');
      else if (
        process.session === ledByRoot ||
        members.get(process.session)?.process.session === process.session
      )
        add(process, 'process-session');
    }
  }

  return [...members.values()];
}

const ownPid = process.pid;

/** In the same boot the kernel gives a number out anew only when nobody is left in the session that it named. */
function isUnused(root: ProcessIdentity, processes: readonly Process[]): boolean {
  return processes.every(
    ({identity}) =>
      identity.bootId === root.bootId &&
      (identity.pid !== root.pid || isSameProcess(identity, root)),
  );
}

/** Nobody is older than its parent; a number that was used again while we read could make it seem so. */
function isChildOf(process: Process, parent: Process | undefined): boolean {
  return parent !== undefined && process.identity.startTime >= parent.identity.startTime;
}
