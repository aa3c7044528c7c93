import {Buffer} from 'node:buffer';

/**
 * A seccomp program (classic BPF, as `bwrap --seccomp` takes it) that allows only the socket
 * families which a network namespace confines: unix, IPv4, IPv6, netlink. Others are not confined:
 * a virtual machine's `AF_VSOCK` reaches its host. io_uring is denied because it makes sockets
 * without seccomp seeing it, and so are system calls of other architectures, whose numbers differ.
 */
export function socketFilter(arch: string): Buffer | undefined {
  const own = machines[arch];
  return own && assemble(own);
}

type Machine = {
  /** The kernel's number of the architecture, and of its 32-bit variant. */
  readonly audit: number;
  readonly compat: {readonly audit: number; readonly denied: readonly number[]};
  readonly socket: number;
  /** System calls from this number on belong to another ABI. */
  readonly foreignFrom?: number;
};

const ioUringSetup = 425;

const machines: Readonly<Record<string, Machine>> = {
  // 102 is socketcall, 359 socket.
  x64: {
    audit: 0xc000_003e,
    compat: {audit: 0x4000_0003, denied: [102, 359, ioUringSetup]},
    socket: 41,
    foreignFrom: 0x4000_0000,
  },
  arm64: {
    audit: 0xc000_00b7,
    compat: {audit: 0x4000_0028, denied: [281, ioUringSetup]},
    socket: 198,
  },
};

const families = {unix: 1, inet: 2, inet6: 10, netlink: 16};

const code = {load: 0x20, equal: 0x15, greaterOrEqual: 0x35, answer: 0x06};
/** Offsets in `struct seccomp_data`; the low half of the first argument. */
const at = {number: 0, architecture: 4, firstArgument: 16};
const allow = 0x7fff_0000;
const errno = (number: number): number => 0x0005_0000 + number;
const [noSystemCall, noFamily] = [errno(38), errno(97)];

type Step = {
  readonly code: number;
  readonly value: number;
  /** How many steps to skip when the condition holds, and when not. */ readonly yes?: number;
  readonly no?: number;
};

function assemble({audit, compat, socket, foreignFrom}: Machine): Buffer {
  const ifEqual = (value: number, then: Step): Step[] => [{code: code.equal, value, no: 1}, then];
  const answer = (value: number): Step => ({code: code.answer, value});
  const load = (value: number): Step => ({code: code.load, value});
  const other = [
    load(at.number),
    ...compat.denied.flatMap((number) => ifEqual(number, answer(noSystemCall))),
    answer(allow),
  ];
  const families4 = [
    load(at.firstArgument),
    ...Object.values(families).flatMap((family) => ifEqual(family, answer(allow))),
    answer(noFamily),
  ];
  const own = [
    load(at.number),
    ...(foreignFrom === undefined
      ? []
      : [{code: code.greaterOrEqual, value: foreignFrom, no: 1}, answer(noSystemCall)]),
    ...ifEqual(ioUringSetup, answer(noSystemCall)),
    {code: code.equal, value: socket, yes: 1},
    answer(allow),
    ...families4,
  ];
  return encode([
    load(at.architecture),
    {code: code.equal, value: audit, yes: other.length + 2},
    {code: code.equal, value: compat.audit, yes: 1},
    answer(noSystemCall),
    ...other,
    ...own,
  ]);
}

/**
 * `struct sock_filter`: 16 bits of code, two jumps of 8 bits, 32 bits of value. Both architectures
 * are little-endian.
 */
function encode(steps: readonly Step[]): Buffer {
  const bytes = Buffer.alloc(steps.length * 8);
  for (const [index, step] of steps.entries()) {
    bytes.writeUInt16LE(step.code, index * 8);
    bytes.writeUInt8(step.yes ?? 0, index * 8 + 2);
    bytes.writeUInt8(step.no ?? 0, index * 8 + 3);
    bytes.writeUInt32LE(step.value, index * 8 + 4);
  }

  return bytes;
}

/** The bubblewrap options that take the network away, including abstract sockets. */
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
    // The supervisor is the proxy; without it the sandbox would run on without a network and
    // unnoticed.
    ...(isSupervised ? ['--die-with-parent'] : []),
    ...(filter === undefined ? [] : ['--seccomp', String(filter)]),
    ...Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value]),
  ];
}

/** Paths in `/run` that are needed to run programs at all (NixOS). */
const programsInRun = [
  '/run/current-system',
  '/run/booted-system',
  '/run/opengl-driver',
  '/run/wrappers',
];

/** More sockets than a machine has; each one is a mount. */
const maxSockets = 128;

/**
 * Socket files lead out of a network namespace. Services with sockets in `/run` resolve names,
 * print, mount and fetch for any client, so all of `/run` is hidden; elsewhere, the sockets that
 * listen now. `apart` are directories whose sockets are left out: hidden ones, and those where
 * sockets come and go.
 */
export function networkSockets(
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
