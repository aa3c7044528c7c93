/** What bubblewrap is told to take the network away: also the abstract sockets go. */
export function networkOptions({
  filter,
  isSupervised,
  variables = {},
}: {
  readonly filter?: number;
  readonly isSupervised: boolean;
  readonly variables?: Readonly<Record<string, string>>;
}): readonly string[] {
  return [
    '--unshare-net',
    // Who supervises it is the proxy; a sandbox without one would go on without a network and without anybody who knows.
    ...(isSupervised ? ['--die-with-parent'] : []),
    ...(filter === undefined ? [] : ['--seccomp', String(filter)]),
    ...Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value]),
  ];
}

/** What stands in `/run` and is needed to run programs at all (NixOS). */
const programsInRun = [
  '/run/current-system',
  '/run/booted-system',
  '/run/opengl-driver',
  '/run/wrappers',
];

/** More sockets than a machine has; each is one mount. */
const maxSockets = 128;

/**
 * Sockets that are files lead out of a network namespace. Services that keep theirs in `/run` resolve names, print, mount and
 * fetch for whoever connects, so all of it is hidden; and of all others those that listen now. `apart` are directories whose
 * sockets are left: hidden ones, and those where sockets come and go.
 */
export function networkDoors(
  listening: readonly string[],
  apart: readonly string[],
): {readonly hidden: readonly string[]; readonly readOnly: readonly string[]} {
  const isApart = (file: string): boolean =>
    ['/run', '/var/run', ...apart].some(
      (directory) => file === directory || file.startsWith(`${directory}/`),
    );
  const sockets = [...new Set(listening.filter((file) => file.startsWith('/') && !isApart(file)))];
  return {hidden: ['/run', ...sockets.slice(0, maxSockets)], readOnly: programsInRun};
}
