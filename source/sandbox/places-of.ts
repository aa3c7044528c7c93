import path from 'node:path';
import {type BoundPath, type LookAtPath, type SandboxPolicy, SandboxRefusal} from './policy.ts';

/** One thing to put over the read-only file system. */
export type Place = {
  readonly path: string;
  readonly as: 'writable' | 'read-only' | 'hidden-directory' | 'hidden-file' | 'empty-file';
  /** What is put there, if it is not what stands at the path itself. */
  readonly from?: string;
};

export type Places = {
  /** Outer ones first. */
  readonly places: readonly Place[];
  /** Directories on the way to what is protected: who could rename one could put another file at the protected path. */
  readonly pinned: readonly string[];
};

/** The policy as places, without links and without what is not there. */
export function placesOf(policy: SandboxPolicy, directory: string, look: LookAtPath): Places {
  const roots = policy.writable.map((name) => ({
    name: path.resolve(name),
    real: look(path.resolve(name)).real,
  }));
  for (const {name, real} of roots) refuseKernel(name, real);
  const bounds = (policy.bound ?? [])
    .map(({path: name}) => ({name: path.resolve(name), real: look(path.resolve(name)).real}))
    .sort((a, b) => depthOf(a.name) - depthOf(b.name));
  const found = new Map<string, Place>();
  const add = (
    name: string,
    placeAs: (kind: 'directory' | 'file' | 'missing') => Place['as'] | undefined,
  ): void => {
    const seen = look(path.resolve(name));
    const inside = roots.filter((root) => contains(root.name, path.resolve(name)));
    for (const root of inside) refuseLink(path.resolve(name), seen.real, root);
    if (seen.kind === 'link' && inside.length > 0)
      throw new SandboxRefusal(
        `expected a file or nothing at ${name}, got a link that leads nowhere. An agent may have put it there: remove it.`,
      );
    const as = placeAs(seen.kind === 'link' ? 'missing' : seen.kind);
    if (as !== undefined) found.set(seen.real, {path: seen.real, as});
  };

  const addBound = ({path: name, from, isWritable}: BoundPath): void => {
    const outer = bounds.filter((other) => contains(other.name, path.resolve(name))).at(-1);
    const seen = look(path.resolve(name));
    // Inside of a directory of the command's own the mount point is made, whatever stands at that name outside; elsewhere nobody could.
    if (outer === undefined && seen.kind === 'missing') return;
    const place =
      outer === undefined
        ? seen.real
        : path.join(outer.real, path.relative(outer.name, path.resolve(name)));
    found.set(place, {path: place, as: isWritable ? 'writable' : 'read-only', from});
  };

  // The later word replaces the earlier one at the same path.
  for (const name of policy.writable)
    add(name, (kind) => (kind === 'missing' ? undefined : 'writable'));
  for (const name of policy.readOnly ?? [])
    add(name, (kind) => (kind === 'missing' ? undefined : 'read-only'));
  for (const name of policy.sealed ?? [])
    add(name, (kind) => (kind === 'missing' ? 'empty-file' : 'read-only'));
  if (policy.kind === 'read-only') add(directory, () => 'read-only');
  for (const bound of policy.bound ?? []) addBound(bound);
  for (const name of policy.hidden)
    add(
      name,
      (kind) =>
        (({missing: undefined, file: 'hidden-file', directory: 'hidden-directory'}) as const)[kind],
    );

  const places = [...found.values()].sort(
    (a, b) => depthOf(a.path) - depthOf(b.path) || (a.path < b.path ? -1 : 1),
  );
  checkKind(policy, look(directory).real, places);
  const needed = places.filter((place) => isNeeded(place, places));
  return {places: needed, pinned: [...new Set(needed.flatMap((place) => waysTo(place, needed)))]};
}

/** Who may write these may change the machine itself, or take the sandbox away. */
function refuseKernel(name: string, real: string): void {
  if (
    real !== '/' &&
    !['/proc', '/sys', '/dev'].some((kernel) => real === kernel || contains(kernel, real))
  )
    return;
  throw new SandboxRefusal(
    `expected a directory of files among what may be written, got ${name}, which is the kernel's or everything.`,
  );
}

/** An agent that could write there before may have left a link to what it wants to write next. */
function refuseLink(
  name: string,
  real: string,
  root: {readonly name: string; readonly real: string},
): void {
  const expected = path.join(root.real, path.relative(root.name, name));
  if (real === expected) return;
  throw new SandboxRefusal(
    `expected ${name} to be ${expected}, got a link to ${real}. An agent that may write ${root.name} may have put it there: remove it.`,
  );
}

function checkKind({kind}: SandboxPolicy, directory: string, places: readonly Place[]): void {
  if (kind === 'worktree') {
    if (coverOf(directory, places)?.as === 'writable') return;
    throw new SandboxRefusal(
      `expected the command's directory ${directory} to be writable, and no writable path holds it.`,
    );
  }

  const inside = places.find(({path: name, as}) => as === 'writable' && contains(directory, name));
  if (inside !== undefined)
    throw new SandboxRefusal(
      `expected nothing writable in ${directory}, which is read-only, got ${inside.path}.`,
    );
}

/** An empty file in a place that nobody can write is not needed, and could not be made. */
function isNeeded(place: Place, places: readonly Place[]): boolean {
  if (place.from !== undefined) return true;
  const around = coverOf(path.dirname(place.path), places)?.as;
  return place.as === 'empty-file'
    ? around === 'writable'
    : place.as !== 'writable' || around !== 'writable';
}

function waysTo(place: Place, places: readonly Place[]): string[] {
  const cover = coverOf(path.dirname(place.path), places);
  // What the command does to a directory of its own is its own affair: only the way through somebody else's is pinned.
  if (place.as === 'writable' || cover?.as !== 'writable' || cover.from !== undefined) return [];
  const ways: string[] = [];
  for (let way = path.dirname(place.path); way !== cover.path; way = path.dirname(way))
    ways.unshift(way);
  return ways;
}

/** The deepest place that the path is in. */
function coverOf(name: string, places: readonly Place[]): Place | undefined {
  return places.findLast((place) => place.path === name || contains(place.path, name));
}

/** Really inside, not the same. */
function contains(directory: string, name: string): boolean {
  return (
    name !== directory && name.startsWith(directory.endsWith('/') ? directory : `${directory}/`)
  );
}

function depthOf(name: string): number {
  return name.split('/').filter((part) => part !== '').length;
}
