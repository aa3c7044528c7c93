import path from 'node:path';
import {readlinkSync} from 'node:fs';
import {
  type KernelFact,
  getValue,
  type Kernel,
  printable,
  type KernelProof,
  tryRead,
} from '../kernel.ts';
import type {Process} from '../processes/process.ts';
import {readCommand, readProgram} from '../processes/proc.ts';
import {findOwners, type OwnedListener} from './socket-holders.ts';
import {
  type PortAnswer,
  type PortFinding,
  type PortOwner,
  type PortState,
  toLoopbacks,
  toPortAnswer,
} from './port-answer.ts';
import {type AcceptProbe, type Loopback, probeAccept, probeTcp} from './probe-port.ts';
import {
  inspectSessions,
  type SessionInspection,
  type SessionRoot,
} from '../processes/process-tree.ts';
import {readListeners} from './listeners.ts';

export type InspectedListener = {
  readonly finding: PortFinding;
  readonly proof: readonly KernelProof[];
  /**
   * The parts of the answer are consistent. Otherwise something changed meanwhile, and it should be
   * read again.
   */
  readonly isSettled: boolean;
};

export type PortSnapshot = {
  readonly inspection: SessionInspection;
  /** Processes whose open files we may not read. */
  readonly hidden: readonly Process[];
  readonly acceptWithinMs: number;
};

/** What a listening socket means for the sessions. Connects only to sockets of sessions. */
export async function inspectListener(
  {listener, holder}: OwnedListener,
  snapshot: PortSnapshot,
  kernel: Kernel,
): Promise<InspectedListener> {
  const {address, port, uid, inode} = listener;
  const {owners, cookies} = snapshot.inspection;
  const row: KernelProof = {
    source: inode === undefined ? 'lsof' : '/proc/net/tcp',
    text: `${address}:${port} listens, socket ${inode ?? 'unknown'}, user ${uid}`,
  };
  if (holder === undefined)
    return {
      ...findForeignListener(uid, address, snapshot, kernel),
      proof: [
        row,
        {source: '/proc/<pid>/fd', text: 'no process that you may inspect has the socket'},
      ],
    };
  const {pid} = holder.identity;
  const whose = owners.get(pid);
  const base = {address, owner: readOwner(holder, cookies.get(pid), kernel)};
  const held: KernelProof = {
    source: `/proc/${pid}/fd`,
    text: `held by ${pid} (${base.owner.name}), state ${holder.state}`,
  };
  if (whose === undefined)
    return {
      finding: {...base, state: 'foreign'},
      proof: [row, held, {source: `/proc/${pid}/environ`, text: 'of none of the sessions'}],
      isSettled: true,
    };
  const {state, isSettled, probe} = await probeService(
    address,
    port,
    snapshot.acceptWithinMs,
    kernel,
  );
  return {
    finding: {...base, state, session: whose.session},
    proof: [
      row,
      held,
      {source: `/proc/${pid}`, text: `of ${whose.session} by ${whose.found}`},
      ...probe,
    ],
    isSettled,
  };
}

/**
 * The holder is unknown: it can be a session's process that we may not read (under `sudo`), a
 * foreign process, or one that just ended.
 */
function findForeignListener(
  uid: number,
  address: string,
  {inspection, hidden}: PortSnapshot,
  kernel: Kernel,
): Pick<InspectedListener, 'finding' | 'isSettled'> {
  const couldBe = hidden.some(
    (process) =>
      inspection.owners.has(process.identity.pid) && (process.uid === uid || process.uid === 0),
  );
  return couldBe
    ? {finding: {state: 'unknown', address}, isSettled: true}
    : {finding: {state: 'foreign', address}, isSettled: uid !== kernel.uid};
}

const stateByProbe: Readonly<Record<AcceptProbe, PortState>> = {
  taken: 'accepting',
  connected: 'listening',
  queued: 'listening-not-accepting',
  'timed-out': 'listening-not-accepting',
  refused: 'listening-not-accepting',
  broken: 'listening-not-accepting',
};

async function probeService(
  address: string,
  port: number,
  timeoutMs: number,
  kernel: Kernel,
): Promise<{state: PortState; isSettled: boolean; probe: KernelProof[]}> {
  const table = address.includes(':') ? 'tcp6' : 'tcp';
  const probe: KernelProof[] = [];
  let outcome: AcceptProbe | undefined;
  for (const host of toLoopbacks(address)) {
    outcome = await probeAccept({host, port, timeoutMs, table}, kernel);
    probe.push({source: 'connect', text: `${host}:${port} ${outcome}`});
    if (outcome !== 'refused') break;
  }

  if (outcome === undefined) return {state: 'listening-elsewhere', isSettled: true, probe};
  return {
    state: stateByProbe[outcome],
    isSettled: outcome !== 'refused' && outcome !== 'broken',
    probe,
  };
}

function readOwner(process: Process, cookie: string | undefined, kernel: Kernel): PortOwner {
  const directory = getValue(
    tryRead(() => readlinkSync(path.join(kernel.proc, String(process.identity.pid), 'cwd'))),
  );
  return {
    identity: process.identity,
    name: readProgram(process, kernel),
    command: readCommand(process, kernel),
    ...(directory === undefined ? {} : {directory: printable(directory, 1000)}),
    ...(cookie === undefined ? {} : {cookie: printable(cookie)}),
    since: process.startedAt,
  };
}

export type PortOptions = {
  /** How long a process may take to accept a connection before it counts as hung. */
  readonly acceptWithinMs?: number;
};

/** Servers start and stop meanwhile, so an inconsistent answer is read again. */
const maxAttempts = 4;
const pauseMs = 20;

/**
 * Whether one of the sessions serves this port now. Connects to a session's own server, which sees
 * a connection that closes at once; `readHeldPorts` works without connecting.
 */
export async function explainPort(
  port: number,
  sessions: readonly SessionRoot[],
  kernel: Kernel,
  {acceptWithinMs = 1000}: PortOptions = {},
): Promise<PortAnswer> {
  const at = kernel.now();
  for (let attempt = 1; ; attempt += 1) {
    const found = await inspectPort(port, sessions, kernel, acceptWithinMs);
    if ('unknown' in found)
      return toPortAnswer(
        port,
        [{state: 'unknown'}],
        [{source: found.source, text: found.unknown}],
        at,
      );
    const isSettled = found.value.every((one) => one.isSettled);
    if (isSettled || attempt === maxAttempts) {
      return toPortAnswer(
        port,
        found.value.map(({finding}) => finding),
        found.value.flatMap(({proof}) => proof),
        at,
      );
    }

    await new Promise((resolve) => setTimeout(resolve, pauseMs * attempt));
  }
}

async function inspectPort(
  port: number,
  sessions: readonly SessionRoot[],
  kernel: Kernel,
  acceptWithinMs: number,
): Promise<KernelFact<readonly InspectedListener[]>> {
  const [listeners, inspection] = await Promise.all([
    readListeners(kernel),
    inspectSessions(sessions, kernel),
  ]);
  if ('unknown' in listeners) return listeners;
  if ('unknown' in inspection) return inspection;
  const current = listeners.value.filter((listener) => listener.port === port);
  if (current.length === 0)
    return {...listeners, value: [await findNobody(port, listeners.source, acceptWithinMs)]};
  const {owned, hidden} = await findOwners(current, inspection.value, kernel);
  const snapshot = {inspection: inspection.value, hidden, acceptWithinMs};
  return {
    ...listeners,
    value: await Promise.all(owned.map((one) => inspectListener(one, snapshot, kernel))),
  };
}

/**
 * No socket is listed. If a connection succeeds, the listener is not visible (another user's on
 * macOS, Windows under WSL, a forwarded port) or just started.
 */
async function findNobody(
  port: number,
  source: string,
  timeoutMs: number,
): Promise<InspectedListener> {
  const hosts: readonly Loopback[] = ['127.0.0.1', '::1'];
  const probes = await Promise.all(
    hosts.map(async (host) => ({host, outcome: await probeTcp({host, port, timeoutMs})})),
  );
  const answered = probes.find(({outcome}) => outcome.at === 'connected');
  const proof: KernelProof[] = [
    {source, text: `nobody listens on ${port}`},
    ...probes.map(({host, outcome}) => ({
      source: 'connect',
      text: `${host}:${port} ${outcome.at}`,
    })),
  ];
  if (answered === undefined) return {finding: {state: 'free'}, proof, isSettled: true};
  return {finding: {state: 'foreign', address: answered.host}, proof, isSettled: false};
}
