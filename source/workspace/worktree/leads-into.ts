import {existsSync, realpathSync} from 'node:fs';
import path from 'node:path';
import {isInside, isThere} from './names.ts';

/** Whether the deepest directory on the way that is there really is within the place. */
export function leadsInto(place: string, to: string): boolean {
  let parent = path.dirname(to);
  while (!existsSync(parent)) {
    // A link that leads nowhere would be made through.
    if (isThere(parent)) return false;
    parent = path.dirname(parent);
  }

  return isInside(realpathSync(place), realpathSync(parent));
}
