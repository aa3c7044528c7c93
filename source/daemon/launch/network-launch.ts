import {accessSync, constants, mkdirSync, writeFileSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {networkEntriesOf} from '../../base/index.ts';
import {sandboxOf as wishOf} from '../../documents/index.ts';
import type {Session} from '../../domain/index.ts';
import {readUnixListeners} from '../../machine/index.ts';
import {bridged, filtered, inheritedFiles, proxyVariables, supervised, type SupervisorOrders} from '../../network/index.ts';
import {chooseNetwork, networkDoors, networkOptions, networkRuleFor, socketFilter, type SandboxChoice, type SandboxPolicy} from '../../sandbox/index.ts';
import type {Workshop} from '../workshop.ts';
import type {Launch} from './task-launch.ts';

/** What a session's network makes of its command: inside of the sandbox, of the sandbox itself, and around it. */
export type NetworkLaunch = {
  readonly inside: (argv: readonly string[]) => readonly string[];
  readonly restrict: (policy: SandboxPolicy) => SandboxPolicy;
  readonly outside: (argv: readonly string[]) => readonly string[];
};

/** What was refused of the network, in the directory of the session, which agents do not see. */
export function refusalsFileOf({store}: Pick<Workshop, 'store'>, {id}: Pick<Session, 'id'>): string {
  return path.join(store.directoryOf(id), 'network-refused.json');
}

const untouched: NetworkLaunch = {inside: (argv) => argv, restrict: (policy) => policy, outside: (argv) => argv};

/** `hosts` are those that the session's agent itself asks. Throws where the project's rule cannot be kept and must be. */
export async function networkLaunch(workshop: Workshop, session: Session, launch: Launch, {sandbox, hosts}: {readonly sandbox: SandboxChoice; readonly hosts: readonly string[]}): Promise<NetworkLaunch> {
  const {project} = workshop.state();
  const network = chooseNetwork(networkRuleFor(project, session.purpose), {wish: wishOf(project), sandbox, facts: await workshop.sandbox(), own: hosts});
  if (network.at === 'refused') throw new Error(network.words);
  if (network.at === 'all') {
    if (network.isWeaker === true) sayUnrestricted(workshop, session, network.words);
    return untouched;
  }

  const filter = writeFilter(workshop, session);
  const listening = await listeningSockets(workshop);
  const restrict = (isSupervised: boolean) => (policy: SandboxPolicy): SandboxPolicy => {
    const doors = networkDoors(listening, [...policy.hidden, '/tmp', os.tmpdir()]);
    const options = networkOptions({isSupervised, ...(filter === undefined ? {} : {filter: inheritedFiles.filter}), ...(isSupervised ? {variables: proxyVariables()} : {})});
    return {...policy, options: [...(policy.options ?? []), ...options], hidden: [...policy.hidden, ...doors.hidden], readOnly: [...(policy.readOnly ?? []), ...doors.readOnly]};
  };

  if (network.at === 'none') {
    workshop.store.writeNote(session.id, 'network', {at: network.at, words: network.words});
    return {inside: (argv) => argv, restrict: restrict(false), outside: (argv) => (filter === undefined ? argv : filtered(argv, filter))};
  }

  const orders: SupervisorOrders = {allow: network.hosts, refusals: refusalsFileOf(workshop, session), shows: showsLines(workshop, session, launch), ...(filter === undefined ? {} : {filter})};
  workshop.store.writeNote(session.id, 'network', {at: network.at, words: network.words, ...orders});
  const ordersFile = path.join(workshop.store.directoryOf(session.id), 'network.json');
  return {
    inside: (argv) => bridged(argv, workshop.networkProgram, networkEntriesOf(network.hosts)),
    restrict: restrict(true),
    outside: (argv) => supervised(argv, workshop.networkProgram, ordersFile),
  };
}

/** In the daemon's log, and kept for `explain`. */
function sayUnrestricted({store, log}: Workshop, {id}: Session, words: string): void {
  log(`${id}: ${words}`);
  store.writeNote(id, 'network', {at: 'all', words});
}

/** Where lines are printed one after the other, one of ours does no harm. What draws a screen of its own is left alone; `explain` and the timeline have it. */
function showsLines({ownProgram}: Workshop, {purpose}: Session, {argv}: Launch): boolean {
  const isRendered = ownProgram.every((part, index) => argv[index] === part);
  return purpose.for === 'check' || purpose.for === 'setup' || isRendered;
}

function writeFilter({store}: Workshop, {id}: Session): string | undefined {
  const program = socketFilter(process.arch);
  if (program === undefined) return undefined;
  const file = path.join(store.directoryOf(id), 'socket-filter');
  mkdirSync(path.dirname(file), {recursive: true, mode: 0o700});
  writeFileSync(file, program, {mode: 0o600});
  return file;
}

/** Those that the person, and so an agent, may connect to. Others are nobody's way out. */
async function listeningSockets({kernel}: Workshop): Promise<readonly string[]> {
  const found = await readUnixListeners(kernel);
  return ('value' in found ? found.value : []).map((listener) => listener.path).filter((file) => {
    try {
      accessSync(file, constants.W_OK);
      return true;
    } catch {
      return false;
    }
  });
}
