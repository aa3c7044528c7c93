import path from 'node:path';
import {readFile} from 'node:fs/promises';
import {type KernelFact, type Kernel, printable} from '../kernel.ts';
import {askProgram} from '../programs.ts';

/** Fields, one per line: `p` pid, `u` user, `t` type, `n` name. */
export const lsofArgv: readonly string[] = ['-nP', '-iTCP', '-sTCP:LISTEN', '-Fputn'];

/**
 * Parses the output of macOS's `lsof`, which has only processes of the same user. Unverified:
 * written from its manual.
 */
export function parseLsof(text: string): Listener[] {
  const listeners: Listener[] = [];
  let [pid, uid, type] = ['', '', ''];
  for (const line of text.split('\n')) {
    const value = line.slice(1);
    if (line.startsWith('p')) pid = value;
    else if (line.startsWith('u')) uid = value;
    else if (line.startsWith('t')) type = value;
    const {host, port} = line.startsWith('n')
      ? (/^(?<host>\*|\[.+\]|[^:]+):(?<port>\d+)$/.exec(value)?.groups ?? {})
      : {};
    if (host === undefined) continue;
    const anywhere = type === 'IPv6' ? '::' : '0.0.0.0';
    listeners.push({
      address: host === '*' ? anywhere : host.replaceAll(/[[\]]/g, ''),
      port: Number(port),
      uid: Number(uid),
      holder: Number(pid),
    });
  }

  return listeners;
}

/** One line of `/proc/net/tcp` or `tcp6`. */
export type SocketRow = {
  readonly address: string;
  readonly port: number;
  readonly remotePort: number;
  /** Number from include/net/tcp_states.h. */
  readonly state: number;
  readonly uid: number;
  /** 0 without a holder: a connection that is not accepted yet, or is being closed. */
  readonly inode: number;
};

export const listeningState = 10;

const tcpRow =
  /^ *\d+: (?<address>[\dA-F]{8}|[\dA-F]{32}):(?<port>[\dA-F]{4}) [\dA-F]+:(?<remotePort>[\dA-F]{4}) (?<state>[\dA-F]{2}) \S+ \S+ \S+ +(?<uid>\d+) +\d+ (?<inode>\d+)/;

/** Parses only the wanted rows completely, because a busy machine has thousands. */
export function parseSocketTable(
  text: string,
  isWanted: (row: Omit<SocketRow, 'address'>) => boolean,
): SocketRow[] {
  return text.split('\n').flatMap((line) => {
    const {address, port, remotePort, state, uid, inode} = tcpRow.exec(line)?.groups ?? {};
    if (address === undefined) return [];
    const hex = (digits: string | undefined): number => Number.parseInt(digits ?? '', 16);
    const found = {
      port: hex(port),
      remotePort: hex(remotePort),
      state: hex(state),
      uid: Number(uid),
      inode: Number(inode),
    };
    return isWanted(found) ? [{...found, address: parseAddress(address)}] : [];
  });
}

export type UnixListener = {
  /** Safe to print. `@` begins an abstract name. */
  readonly path: string;
  readonly inode: number;
};

/** `__SO_ACCEPTCON` of a stream or a packet socket that has a name. */
const unixRow =
  /^[\da-f]+: [\dA-F]{8} [\dA-F]{8} 00010000 000[15] [\dA-F]{2} +(?<inode>\d+) (?<path>.+)$/;

/**
 * The listening sockets in `/proc/net/unix`. A path can contain a newline and forge a row, so a
 * path proves nothing. The holder of the inode does.
 */
export function parseUnixTable(text: string): UnixListener[] {
  return text.split('\n').flatMap((line) => {
    const {inode, path} = unixRow.exec(line)?.groups ?? {};
    return inode === undefined || path === undefined
      ? []
      : [{path: printable(path), inode: Number(inode)}];
  });
}

const lsofLimits = {timeoutMs: 5000, maxBytes: 4 * 1024 * 1024};

/** Every listening TCP socket of this network namespace. Opens no connection. */
export async function readListeners(kernel: Kernel): Promise<KernelFact<readonly Listener[]>> {
  const at = kernel.now();
  if (kernel.platform === 'darwin') return askLsof(kernel);
  const tables = await Promise.all([readNet('tcp', kernel), readNet('tcp6', kernel)]);
  const source = '/proc/net/tcp, /proc/net/tcp6';
  if (tables[0] === undefined)
    return {source, at, unknown: `${kernel.proc}/net/tcp cannot be read on ${kernel.platform}`};
  const value = tables
    .flatMap((table) => parseSocketTable(table ?? '', ({state}) => state === listeningState))
    .map(({address, port, uid, inode}) => ({address, port, uid, inode}));
  return {source, at, value};
}

export async function readUnixListeners(
  kernel: Kernel,
): Promise<KernelFact<readonly UnixListener[]>> {
  const at = kernel.now();
  const table = await readNet('unix', kernel);
  return table === undefined
    ? {
        source: '/proc/net/unix',
        at,
        unknown: `${kernel.proc}/net/unix cannot be read on ${kernel.platform}`,
      }
    : {source: '/proc/net/unix', at, value: parseUnixTable(table)};
}

async function askLsof(kernel: Kernel): Promise<KernelFact<readonly Listener[]>> {
  const at = kernel.now();
  const {outcome} = await askProgram('lsof', lsofArgv, {
    env: {PATH: kernel.path, LC_ALL: 'C'},
    ...lsofLimits,
  });
  // Exit status 1: no match.
  if (outcome?.at !== 'exited' || outcome.code > 1)
    return {source: 'lsof', at, unknown: 'lsof did not answer'};
  return {source: 'lsof', at, value: parseLsof(outcome.stdout)};
}

/** A listening TCP socket. */
export type Listener = {
  readonly address: string;
  readonly port: number;
  readonly uid: number;
  /** For finding its holders on Linux. */
  readonly inode?: number;
  /** Pid of its holder, on macOS. */
  readonly holder?: number;
};

/**
 * Asynchronous, because the kernel walks its whole connection table: some milliseconds on a large
 * machine.
 */
export async function readNet(
  name: 'tcp' | 'tcp6' | 'unix',
  kernel: Kernel,
): Promise<string | undefined> {
  try {
    return await readFile(path.join(kernel.proc, 'net', name), 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * `0100007F` → `127.0.0.1`, 32 digits → `::1`. The kernel prints 32-bit words in the machine's byte
 * order; all architectures that we support are little-endian.
 */
export function parseAddress(hex: string): string {
  const bytes = (hex.match(/.{8}/g) ?? []).flatMap((word) =>
    [6, 4, 2, 0].map((start) => Number.parseInt(word.slice(start, start + 2), 16)),
  );
  if (bytes.length === 4) return bytes.join('.');
  if (hex.startsWith('0000000000000000FFFF0000')) return `::ffff:${bytes.slice(12).join('.')}`;
  const groups = Array.from({length: 8}, (_, index) =>
    ((bytes[index * 2] ?? 0) * 256 + (bytes[index * 2 + 1] ?? 0)).toString(16),
  );
  // URL normalises it to RFC 5952.
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}
