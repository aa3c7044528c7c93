import {lstatSync, readlinkSync} from 'node:fs';
import path from 'node:path';
import type {Workspace} from '../open-workspace.ts';
import {aside} from './aside.ts';
import type {Difference} from './differences-of.ts';

/** A symbolic link that a change makes or turns elsewhere. */
export type Link = {readonly path: string; readonly target: string; readonly isOutside: boolean};

/** The kernel's own limit. */
const mostLinks = 40;

export async function linksOf(
  workspace: Workspace,
  directory: string,
  differences: readonly Difference[],
): Promise<readonly Link[]> {
  const links: Link[] = [];
  for (const one of differences) {
    if (one.new?.mode !== '120000') continue;
    const target = await aside(workspace, ['cat-file', 'blob', one.new.object], {isRead: true});
    links.push({path: one.path, target, isOutside: leadsOut(directory, one.path, target)});
  }

  return links;
}

/** Out of the directory, or into git's own: also by way of another link. An absolute target is out, wherever it leads: the place moves, the link does not. */
export function leadsOut(directory: string, file: string, target: string): boolean {
  let place: string[] = path.posix
    .dirname(file)
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  let rest = target.split('/');
  if (target.startsWith('/')) return true;
  for (let followed = 0; rest.length > 0;) {
    const [part = '', ...others] = rest;
    rest = others;
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (place.length === 0) return true;
      place = place.slice(0, -1);
      continue;
    }

    if (part.toLowerCase() === '.git') return true;
    const next = linkAt(path.join(directory, ...place, part));
    if (next === undefined) {
      place = [...place, part];
      continue;
    }

    followed += 1;
    if (next.startsWith('/') || followed > mostLinks) return true;
    rest = [...next.split('/'), ...rest];
  }

  return false;
}

function linkAt(file: string): string | undefined {
  try {
    return lstatSync(file).isSymbolicLink() ? readlinkSync(file) : undefined;
  } catch {
    return undefined;
  }
}
