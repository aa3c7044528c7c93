import path from 'node:path';
import {closeSync, constants, lstatSync, openSync, readlinkSync, realpathSync} from 'node:fs';
import {errorCode} from '../shared/index.ts';
import {type FileRefusal, refuseFile, refuseError, refuseKind, toFileKind} from './refusal.ts';

/** A checked directory that cannot be exchanged for another one while it is open. */
export type OpenDirectory = {
  readonly at: 'open';
  /** A path that leads to this directory, whatever happens to its original path meanwhile. */
  readonly name: string;
  readonly close: () => void;
};

/**
 * O_PATH: opens a directory without read permission, which is enough to pass through it. Linux
 * only; Node has no constant for it.
 */
const pathOnly = 0o10_000_000;

/**
 * Opens a directory below a trusted root. No part of the path below the root may be a link; links
 * above it belong to the person.
 */
export function openDirectory(root: string, directory: string): OpenDirectory | FileRefusal {
  try {
    if (!isWithin(root, directory)) return refuseFile('link', `is not inside of ${root}`);
    const relative = path.relative(root, directory);
    const expected = path.join(realpathSync(root), relative);
    const obstacle = findObstacle(expected, relative);
    if (obstacle !== undefined) return obstacle;
    return process.platform === 'linux'
      ? openOnLinux(expected)
      : {at: 'open', name: expected, close: () => undefined};
  } catch (error) {
    return refuseError(error);
  }
}

/** Whether a path is a directory or below it, by the names alone. */
export function isWithin(directory: string, place: string): boolean {
  const relative = path.relative(directory, place);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

/** The first part of the path that is not a directory; `undefined` when all parts are. */
function findObstacle(expected: string, relative: string): FileRefusal | undefined {
  const parts = relative === '' ? [] : relative.split(path.sep);
  let place = relative === '' ? expected : expected.slice(0, -relative.length - 1);
  for (const part of parts) {
    place = `${place === path.sep ? '' : place}${path.sep}${part}`;
    const stats = lstatSync(place, {throwIfNoEntry: false});
    if (stats === undefined) return refuseFile('missing', 'is not there');
    if (stats.isDirectory()) continue;
    const kind = toFileKind(stats);
    return {
      ...refuseKind(kind),
      message:
        kind === 'link'
          ? `passes through the link ${place}, and links are not followed here`
          : `is not there: ${place} is not a directory`,
    };
  }

  return undefined;
}

/**
 * Compares what was opened with the expected path: a link may have been put in the way since the
 * check.
 */
function openOnLinux(expected: string): OpenDirectory | FileRefusal {
  const opened = openSync(expected, pathOnly | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  const name = `/proc/self/fd/${opened}`;
  const close = (): void => {
    closeSync(opened);
  };
  try {
    if (readlinkSync(name) === expected) return {at: 'open', name, close};
    close();
    return refuseFile('link', 'was exchanged while it was opened');
  } catch (error) {
    // Without /proc the earlier check has to be enough.
    if (errorCode(error) === 'ENOENT') return {at: 'open', name: expected, close};
    close();
    throw error;
  }
}
