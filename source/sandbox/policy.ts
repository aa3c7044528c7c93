/**
 * What a command may do to the file system. All of it may be read and nothing written, but for what is listed. Where lists
 * speak of the same file the deepest path decides, and at the same path the strictest word: hidden, read-only, writable.
 */
export type SandboxPolicy = {
  /** `read-only`: the directory of the command is never written. `worktree`: it is. */
  readonly kind: 'read-only' | 'worktree';
  /** What is not there is left out: it can't be made inside either. */
  readonly writable: readonly string[];
  /** Directories look empty, files can't be opened, sockets lead nowhere. What is not there is left out. */
  readonly hidden: readonly string[];
  /** Read-only though what is around it is writable. What is not there is left out. */
  readonly readOnly?: readonly string[];
  /** Files that are read-only, and that can't be made where they are not there. An empty file is left in their place. */
  readonly sealed?: readonly string[];
  /** A directory of the command's own that stands in for `/tmp`, where people's programs keep their sockets. */
  readonly temporary?: string;
  /** More options of bubblewrap's: those that take the network away (`networkOptions`). */
  readonly options?: readonly string[];
  /** Directories and files that stand at another path than their own. Inside of another bound path the mount point is made. */
  readonly bound?: readonly BoundPath[];
  /** Directories that are mounted before the command starts and that `bound` may then use. */
  readonly layered?: readonly LayeredDirectory[];
};

export type BoundPath = {
  /** Where the command sees it. */
  readonly path: string;
  /** Where it really is. */
  readonly from: string;
  readonly isWritable: boolean;
};

/** Layers that look like one directory: what is written goes to `upper`, whatever is below stays as it is (overlayfs). */
export type LayeredDirectory = {
  /** An empty directory, where the whole appears. If it cannot be mounted, the command finds the directory empty. */
  readonly path: string;
  /** The uppermost first. */
  readonly lower: readonly string[];
  readonly upper: string;
  /** For the kernel's own use, on the same disk as `upper`. */
  readonly work: string;
};

/** What not every machine allows, shown by trying it. */
export type SandboxAbilities = {
  /** A namespace of processes: what a command leaves behind is ended by the kernel. */
  readonly processes: boolean;
  /** Layered directories: caches that are read from the person's and written elsewhere. */
  readonly layers: boolean;
  /** The group that we are in; needed where layers are mounted. */
  readonly gid?: number;
};

/** What a path really is. `link`: one that leads nowhere. */
export type PathKind = 'directory' | 'file' | 'link' | 'missing';

/** Looks at a path: what it is, and its name without any links. The room asks nobody by itself. */
export type LookAtPath = (path: string) => {readonly kind: PathKind; readonly real: string};

/** The policy can't be kept as it is written. Starting the command all the same would be worse. */
export class SandboxRefusal extends Error {
  override readonly name = 'SandboxRefusal';
}
