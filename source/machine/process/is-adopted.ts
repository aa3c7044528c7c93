import type {Process} from './process.ts';

/**
 * Whether it has for a parent who adopts those whose own have ended: the first process, also where that can't be seen, and the
 * manager of a user's services. The kernel does not tell of others. In a container the first process may be the person's own
 * shell: who is in one kernel session with it was not adopted from another.
 */
export function isAdopted(process: Process, parent: Process | undefined): boolean {
  const isReaper = process.parent === 1 || (parent?.parent === 1 && parent.name === 'systemd');
  return isReaper && process.session !== parent?.session;
}
