import path from 'node:path';

/**
 * What a command may do to the file system. Everything may be read and nothing written, except what
 * is listed. Where lists overlap the deepest path wins, and at the same path the strictest rule:
 * hidden, read-only, writable.
 */
export type SandboxPolicy = {
  /** `read-only`: the command's directory is never written. `worktree`: it is writable. */
  readonly kind: 'read-only' | 'worktree';
  /** Missing paths are skipped: they cannot be made inside either. */
  readonly writable: readonly string[];
  /**
   * Directories look empty, files cannot be opened, sockets cannot be reached. Missing paths are
   * skipped.
   */
  readonly hidden: readonly string[];
  /** Read-only inside of a writable path. Missing paths are skipped. */
  readonly readOnly?: readonly string[];
  /**
   * Read-only files that cannot be created if they are missing: an empty file is mounted in their
   * place.
   */
  readonly sealed?: readonly string[];
  /** A private directory that replaces `/tmp`, where other programs keep their sockets. */
  readonly temporary?: string;
  /** Further options of bubblewrap, such as those that take the network away (`networkOptions`). */
  readonly options?: readonly string[];
  /**
   * Directories and files that appear at another path. Inside of another bound path the mount point
   * is made.
   */
  readonly bound?: readonly BoundPath[];
  /** Directories that are mounted before the command starts and that `bound` may use. */
  readonly layered?: readonly LayeredDirectory[];
};

export type BoundPath = {
  /** The path inside of the sandbox. */
  readonly path: string;
  /** The real path. */
  readonly from: string;
  readonly isWritable: boolean;
};

/**
 * Layers that look like one directory: writes go to `upper`, the layers below stay unchanged
 * (overlayfs).
 */
export type LayeredDirectory = {
  /** An empty directory for the mount. If mounting fails, the command finds it empty. */
  readonly path: string;
  /** The uppermost first. */
  readonly lower: readonly string[];
  readonly upper: string;
  /** For the kernel's own use, on the same disk as `upper`. */
  readonly work: string;
};

/** Abilities that not every machine has, found by a trial. */
export type SandboxAbilities = {
  /** A process namespace: the kernel ends what a command leaves behind. */
  readonly processes: boolean;
  /** Layered directories: caches that are read from the person's and written elsewhere. */
  readonly layers: boolean;
  /** Our group; needed to mount layers. */
  readonly gid?: number;
};

/** What a path is. `link`: a link without a target. */
export type PathKind = 'directory' | 'file' | 'link' | 'missing';

/** Inspects a path: its kind, and its path without links. This module has no I/O of its own. */
export type LookAtPath = (path: string) => {readonly kind: PathKind; readonly real: string};

/** The policy cannot be applied as written. Starting the command anyway would be worse. */
export class SandboxRefusal extends Error {
  override readonly name = 'SandboxRefusal';
}

/** One mount over the read-only file system. */
export type Mount = {
  readonly path: string;
  readonly as: 'writable' | 'read-only' | 'hidden-directory' | 'hidden-file' | 'empty-file';
  /** The source, if it is not the path itself. */
  readonly from?: string;
};

type Mounts = {
  /** Outer ones first. */
  readonly places: readonly Mount[];
  /**
   * Directories on the way to a protected path: renaming one would allow another file at the
   * protected path.
   */
  readonly pinned: readonly string[];
};

/** Turns the policy into places, without links and without missing paths. */
export function resolvePolicy(policy: SandboxPolicy, directory: string, look: LookAtPath): Mounts {
  const roots = policy.writable.map((name) => ({
    name: path.resolve(name),
    real: look(path.resolve(name)).real,
  }));
  for (const {name, real} of roots) refuseKernel(name, real);
  const bounds = (policy.bound ?? [])
    .map(({path: name}) => ({name: path.resolve(name), real: look(path.resolve(name)).real}))
    .sort((a, b) => countDepth(a.name) - countDepth(b.name));
  const found = new Map<string, Mount>();
  const add = (
    name: string,
    placeAs: (kind: 'directory' | 'file' | 'missing') => Mount['as'] | undefined,
  ): void => {
    const seen = look(path.resolve(name));
    const inside = roots.filter((root) => contains(root.name, path.resolve(name)));
    for (const root of inside) refuseLink(path.resolve(name), seen.real, root);
    if (seen.kind === 'link' && inside.length > 0)
      throw new SandboxRefusal(
        `expected a file or nothing at ${name}, got a link that leads nowhere. An agent ` +
          'may have put it there: remove it.',
      );
    const as = placeAs(seen.kind === 'link' ? 'missing' : seen.kind);
    if (as !== undefined) found.set(seen.real, {path: seen.real, as});
  };

  const addBound = ({path: name, from, isWritable}: BoundPath): void => {
    const outer = bounds.filter((other) => contains(other.name, path.resolve(name))).at(-1);
    const seen = look(path.resolve(name));
    // Inside of a private directory the mount point is made, whatever exists at that path outside;
    // elsewhere it could not be made.
    if (outer === undefined && seen.kind === 'missing') return;
    const place =
      outer === undefined
        ? seen.real
        : path.join(outer.real, path.relative(outer.name, path.resolve(name)));
    found.set(place, {path: place, as: isWritable ? 'writable' : 'read-only', from});
  };

  // A later rule replaces an earlier one for the same path.
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
    (a, b) => countDepth(a.path) - countDepth(b.path) || (a.path < b.path ? -1 : 1),
  );
  checkKind(policy, look(directory).real, places);
  const needed = places.filter((place) => isNeeded(place, places));
  return {places: needed, pinned: [...new Set(needed.flatMap((place) => waysTo(place, needed)))]};
}

/** Writing there would change the machine itself, or remove the sandbox. */
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

/** An agent that could write there before may have left a link to its next target. */
function refuseLink(
  name: string,
  real: string,
  root: {readonly name: string; readonly real: string},
): void {
  const expected = path.join(root.real, path.relative(root.name, name));
  if (real === expected) return;
  throw new SandboxRefusal(
    `expected ${name} to be ${expected}, got a link to ${real}. An agent that may write ` +
      `${root.name} may have put it there: remove it.`,
  );
}

function checkKind({kind}: SandboxPolicy, directory: string, places: readonly Mount[]): void {
  if (kind === 'worktree') {
    if (findCover(directory, places)?.as === 'writable') return;
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

/** An empty file in a read-only place is not needed, and could not be made. */
function isNeeded(place: Mount, places: readonly Mount[]): boolean {
  if (place.from !== undefined) return true;
  const around = findCover(path.dirname(place.path), places)?.as;
  return place.as === 'empty-file'
    ? around === 'writable'
    : place.as !== 'writable' || around !== 'writable';
}

function waysTo(place: Mount, places: readonly Mount[]): string[] {
  const cover = findCover(path.dirname(place.path), places);
  // The command may do anything to its own directory: only the way through other directories is
  // pinned.
  if (place.as === 'writable' || cover?.as !== 'writable' || cover.from !== undefined) return [];
  const ways: string[] = [];
  for (let way = path.dirname(place.path); way !== cover.path; way = path.dirname(way))
    ways.unshift(way);
  return ways;
}

/** The deepest place that contains the path. */
function findCover(name: string, places: readonly Mount[]): Mount | undefined {
  return places.findLast((place) => place.path === name || contains(place.path, name));
}

/** Strictly inside, not the same. */
function contains(directory: string, name: string): boolean {
  return (
    name !== directory && name.startsWith(directory.endsWith('/') ? directory : `${directory}/`)
  );
}

function countDepth(name: string): number {
  return name.split('/').filter((part) => part !== '').length;
}
