import {Buffer} from 'node:buffer';

/**
 * A seccomp program (classic BPF, as `bwrap --seccomp` takes it) that leaves the socket families which a network namespace
 * confines: unix, IPv4, IPv6, netlink. Others are not confined by it: a virtual machine's `AF_VSOCK` reaches its host. io_uring
 * makes sockets behind seccomp's back, and the system calls of other architectures are not the ones that are looked at.
 */
export function socketFilter(arch: string): Buffer | undefined {
  const own = machines[arch];
  return own && assemble(own);
}

type Machine = {
  /** The kernel's number for the architecture, and for the 32-bit one beside it. */
  readonly audit: number;
  readonly compat: {readonly audit: number; readonly denied: readonly number[]};
  readonly socket: number;
  /** From this number on, system calls are those of another ABI. */
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

const code = {load: 0x20, equal: 0x15, atLeast: 0x35, answer: 0x06};
/** Where things stand in `struct seccomp_data`; the low half of the first argument. */
const at = {number: 0, architecture: 4, firstArgument: 16};
const allow = 0x7fff_0000;
const errno = (number: number): number => 0x0005_0000 + number;
const [noSystemCall, noFamily] = [errno(38), errno(97)];

type Step = {
  readonly code: number;
  readonly value: number;
  /** How many steps are left out when it holds, and when not. */ readonly yes?: number;
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
      : [{code: code.atLeast, value: foreignFrom, no: 1}, answer(noSystemCall)]),
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

/** `struct sock_filter`: 16 bits of code, two jumps of 8 bits, 32 bits of value. Both architectures are little-endian. */
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
