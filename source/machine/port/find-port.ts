import {readlinkSync} from 'node:fs';
import path from 'node:path';
import type {Proof} from '../fact.ts';
import type {Kernel} from '../kernel.ts';
import {lookAt, valueOf} from '../look-at.ts';
import {printable} from '../printable.ts';
import type {Process} from '../process/process.ts';
import {readCommand, readProgram} from '../process/read-command.ts';
import type {Owned} from './find-owners.ts';
import {loopbacksOf, type PortFinding, type PortOwner, type PortState} from './port-answer.ts';
import {type AcceptProbe, probeAccept} from './probe-accept.ts';
import type {Survey} from './survey-sessions.ts';

export type Found = {
  readonly finding: PortFinding;
  readonly proof: readonly Proof[];
  /** The parts of the answer fit together. If not, something changed in between, and it is worth looking again. */
  readonly isSettled: boolean;
};

export type Scene = {
  readonly survey: Survey;
  /** Processes whose open files we may not see. */
  readonly hidden: readonly Process[];
  readonly acceptWithinMs: number;
};

/** What a listening socket means for the sessions. Only a socket of theirs is connected to. */
export async function findPort(
  {listener, holder}: Owned,
  scene: Scene,
  kernel: Kernel,
): Promise<Found> {
  const {address, port, uid, inode} = listener;
  const {owners, cookies} = scene.survey;
  const row: Proof = {
    source: inode === undefined ? 'lsof' : '/proc/net/tcp',
    text: `${address}:${port} listens, socket ${inode ?? 'unknown'}, user ${uid}`,
  };
  if (holder === undefined)
    return {
      ...findStranger(uid, address, scene, kernel),
      proof: [
        row,
        {source: '/proc/<pid>/fd', text: 'no process that we may look into holds the socket'},
      ],
    };
  const {pid} = holder.identity;
  const whose = owners.get(pid);
  const base = {address, owner: ownerOf(holder, cookies.get(pid), kernel)};
  const held: Proof = {
    source: `/proc/${pid}/fd`,
    text: `held by ${pid} (${base.owner.name}), state ${holder.state}`,
  };
  if (whose === undefined)
    return {
      finding: {...base, state: 'foreign'},
      proof: [row, held, {source: `/proc/${pid}/environ`, text: 'of none of the sessions'}],
      isSettled: true,
    };
  const {state, isSettled, probe} = await serve(address, port, scene.acceptWithinMs, kernel);
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

/** A process of a session that we may not look into (under `sudo`) could be the one. Else it is somebody else, or it has just gone. */
function findStranger(
  uid: number,
  address: string,
  {survey, hidden}: Scene,
  kernel: Kernel,
): Pick<Found, 'finding' | 'isSettled'> {
  const couldBe = hidden.some(
    (process) =>
      survey.owners.has(process.identity.pid) && (process.uid === uid || process.uid === 0),
  );
  return couldBe
    ? {finding: {state: 'unknown', address}, isSettled: true}
    : {finding: {state: 'foreign', address}, isSettled: uid !== kernel.uid};
}

const states: Readonly<Record<AcceptProbe, PortState>> = {
  taken: 'accepting',
  connected: 'listening',
  queued: 'listening-not-accepting',
  'timed-out': 'listening-not-accepting',
  refused: 'listening-not-accepting',
  broken: 'listening-not-accepting',
};

async function serve(
  address: string,
  port: number,
  timeoutMs: number,
  kernel: Kernel,
): Promise<{state: PortState; isSettled: boolean; probe: Proof[]}> {
  const table = address.includes(':') ? 'tcp6' : 'tcp';
  const probe: Proof[] = [];
  let outcome: AcceptProbe | undefined;
  for (const host of loopbacksOf(address)) {
    outcome = await probeAccept({host, port, timeoutMs, table}, kernel);
    probe.push({source: 'connect', text: `${host}:${port} ${outcome}`});
    if (outcome !== 'refused') break;
  }

  if (outcome === undefined) return {state: 'listening-elsewhere', isSettled: true, probe};
  return {state: states[outcome], isSettled: outcome !== 'refused' && outcome !== 'broken', probe};
}

function ownerOf(process: Process, cookie: string | undefined, kernel: Kernel): PortOwner {
  const directory = valueOf(
    lookAt(() => readlinkSync(path.join(kernel.proc, String(process.identity.pid), 'cwd'))),
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
