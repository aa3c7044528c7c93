import {type DirectoryFacts, inspectDirectory} from './inspect-directory.ts';
import type {Places} from './places-of.ts';

/**
 * The first place that can hold sockets. One that cannot be written is passed over (a read-only home), and so
 * is one that would have to be made inside another user's directory (XDG_RUNTIME_DIR kept by `sudo -E`). An unsafe
 * one is not passed over: it is chosen, and then refused, so that nobody pushes us elsewhere unseen.
 */
export function chooseRuntimeDirectory(
  {runtimeDirectories}: Pick<Places, 'runtimeDirectories'>,
  uid: number,
): {readonly path: string; readonly facts: DirectoryFacts} {
  const inspected = runtimeDirectories.map((path) => ({path, facts: inspectDirectory(path, uid)}));
  const chosen = inspected.find(({facts}) => isWithinReach(facts, uid)) ?? inspected.at(-1);
  if (chosen === undefined) throw new Error('Expected at least one runtime directory, got none.');
  return chosen;
}

function isWithinReach(facts: DirectoryFacts, uid: number): boolean {
  switch (facts.at) {
    case 'missing': {
      return facts.writable === 'yes' && (facts.owner === uid || facts.owner === 0);
    }

    case 'directory': {
      return facts.writable === 'yes' || !facts.isOurs;
    }

    case 'unreachable': {
      return false;
    }

    case 'symlink':
    case 'not-a-directory': {
      return true;
    }
  }
}
