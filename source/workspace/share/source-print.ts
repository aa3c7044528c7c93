import {createHash} from 'node:crypto';
import {lstatSync} from 'node:fs';
import path from 'node:path';
import {namesIn} from '../../files/index.ts';

/** Looked at in this order: the directory, what is in it, what is in that, up to so many names. */
const maxNames = 2000;
/** Tools write there while they run; nothing was installed by that. */
const caches: ReadonlySet<string> = new Set(['.cache', '.vite', '.vite-temp', '__pycache__']);

/**
 * Tells cheaply whether dependencies were installed since. An installer changes what lies near the top: the names of packages, or the
 * lock file that it keeps there (`node_modules/.package-lock.json`, `.modules.yaml`). Nothing deeper is read.
 */
export function sourcePrint(directory: string): string {
  const hash = createHash('sha256');
  const queue = [directory];
  let left = maxNames;
  for (let place = queue.shift(); place !== undefined && left > 0; place = queue.shift()) {
    const stats = lstatSync(place, {throwIfNoEntry: false});
    if (stats === undefined) {
      hash.update(`${path.relative(directory, place)}\0gone\n`);
      continue;
    }

    hash.update(
      `${path.relative(directory, place)}\0${stats.ino} ${stats.mtimeMs} ${stats.size} ${stats.mode}\n`,
    );
    left -= 1;
    if (!stats.isDirectory() || queue.length >= left) continue;
    queue.push(
      ...namesIn(place, {maxEntries: maxNames})
        .filter((name) => !caches.has(name))
        .map((name) => path.join(place, name)),
    );
  }

  return hash.digest('hex');
}
