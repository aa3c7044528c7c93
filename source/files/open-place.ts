import {closeSync, constants, lstatSync, openSync, readlinkSync, realpathSync} from 'node:fs';
import path from 'node:path';
import {kindOf} from './kind-of.ts';
import {codeOf, refuse, refuseError, refuseKind, type FileRefusal} from './refusal.ts';

/** A directory that was looked at and cannot be exchanged for another one as long as it is open. */
export type Place = {
  readonly at: 'open';
  /** A name of it that leads to this very directory, whatever happens to its path meanwhile. */
  readonly name: string;
  readonly close: () => void;
};

/** Opens a name without reading it, so that a directory which may only be passed through can be opened, too. Linux only; Node has no name for it. */
const pathOnly = 0o10_000_000;

/**
 * Opens a directory below a root that is trusted. No part of the path below the root may be a link; links above the root
 * are the person's own.
 */
export function openPlace(root: string, directory: string): Place | FileRefusal {
  try {
    const relative = path.relative(root, directory);
    if (relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative))
      return refuse('link', `is not inside of ${root}`);
    const expected = path.join(realpathSync(root), relative);
    const obstacle = firstObstacle(expected, relative);
    if (obstacle !== undefined) return obstacle;
    return process.platform === 'linux'
      ? openOnLinux(expected)
      : {at: 'open', name: expected, close: () => undefined};
  } catch (error) {
    return refuseError(error);
  }
}

/** The first part that is no directory, told by name; nothing when all are. */
function firstObstacle(expected: string, relative: string): FileRefusal | undefined {
  const parts = relative === '' ? [] : relative.split(path.sep);
  let place = relative === '' ? expected : expected.slice(0, -relative.length - 1);
  for (const part of parts) {
    place = `${place === path.sep ? '' : place}${path.sep}${part}`;
    const stats = lstatSync(place, {throwIfNoEntry: false});
    if (stats === undefined) return refuse('missing', 'is not there');
    if (stats.isDirectory()) continue;
    const kind = kindOf(stats);
    return {
      ...refuseKind(kind),
      message:
        kind === 'link'
          ? `goes over the link ${place}, and links are not followed here`
          : `is not there: ${place} is not a directory`,
    };
  }

  return undefined;
}

/** What was opened is compared with what was meant: between the look and the open a link could have been put in the way. */
function openOnLinux(expected: string): Place | FileRefusal {
  const opened = openSync(expected, pathOnly | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  const name = `/proc/self/fd/${opened}`;
  const close = (): void => {
    closeSync(opened);
  };
  try {
    if (readlinkSync(name) === expected) return {at: 'open', name, close};
    close();
    return refuse('link', 'was exchanged while it was opened');
  } catch (error) {
    // Without /proc the look before has to do.
    if (codeOf(error) === 'ENOENT') return {at: 'open', name: expected, close};
    close();
    throw error;
  }
}
