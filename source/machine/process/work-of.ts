import type {Member} from './processes-of.ts';

export type WorkQuestion = {
  readonly members: readonly Pick<
    Member,
    'identity' | 'parent' | 'cpuMs' | 'reapedMs' | 'command'
  >[];
  /** The process that the session began with. */
  readonly root: number;
  /** It only starts and holds others: a sandbox, our own program. What it starts is the agent itself. */
  readonly isWrapper: (command: string) => boolean;
  /** It is the agent's own program, which a script of the same name may have started. */
  readonly isAgent: (command: string) => boolean;
};

/**
 * Processor time, in milliseconds, that the processes used which an agent started: its builds and tests, those that have ended
 * among them. What the agent's own process uses is not counted: it draws, waits and asks its service again.
 */
export function workOf({members, root, isWrapper, isAgent}: WorkQuestion): number {
  const own = new Set<number>([root]);
  for (let known = 0; known !== own.size;) {
    known = own.size;
    for (const {identity, parent, command} of members) {
      const above = members.find((other) => other.identity.pid === parent);
      if (above !== undefined && own.has(parent) && (isWrapper(above.command) || isAgent(command)))
        own.add(identity.pid);
    }
  }

  return members.reduce((sum, {identity: {pid}, cpuMs, reapedMs = 0, command}) => {
    if (!own.has(pid)) return sum + cpuMs + reapedMs;
    // What a wrapper has waited for is the agent itself.
    return isWrapper(command) ? sum : sum + reapedMs;
  }, 0);
}
