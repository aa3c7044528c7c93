import {accessSync, constants, mkdirSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {networkEntriesOf} from '../../base/index.ts';
import {sandboxOf as wishOf} from '../../documents/index.ts';
import type {Session} from '../../domain/index.ts';
import {writeWhole} from '../../files/index.ts';
import {readUnixListeners} from '../../machine/index.ts';
import {
  bridged,
  filtered,
  inheritedFiles,
  proxyVariables,
  supervised,
  type SupervisorOrders,
} from '../../network/index.ts';
import {
  chooseNetwork,
  networkDoors,
  networkOptions,
  networkRuleFor,
  socketFilter,
  type SandboxChoice,
  type SandboxPolicy,
} from '../../sandbox/index.ts';
import type {Workshop} from '../workshop.ts';
import type {Launch} from './task-launch.ts';

/** What a session's network makes of its command: inside of the sandbox, of the sandbox itself, and around it. */
export type NetworkLaunch = {
  readonly inside: (argv: readonly string[]) => readonly string[];
  readonly restrict: (policy: SandboxPolicy) => SandboxPolicy;
  readonly outside: (argv: readonly string[]) => readonly string[];
};

const noteFile = 'network.json';
const refusalsFile = 'network-refused.json';

/** What was refused of the network, in the directory of the session, which agents do not see. */
export function refusalsFileOf(
  {store}: Pick<Workshop, 'store'>,
  {id}: Pick<Session, 'id'>,
): string {
  return path.join(store.directoryOf(id), refusalsFile);
}

const untouched: NetworkLaunch = {
  inside: (argv) => argv,
  restrict: (policy) => policy,
  outside: (argv) => argv,
};

/** Whose network it is: a session's, or that of a single command on what an agent wrote, which is a check. */
export type NetworkOwner = {readonly name: string; readonly session: Session | undefined};

/** Files that only the supervisor and the daemon see. A single command's go with it. */
export function networkDirectoryOf(
  {store, stateDirectory}: Pick<Workshop, 'store' | 'stateDirectory'>,
  {name, session}: NetworkOwner,
): string {
  return session === undefined
    ? path.join(stateDirectory, 'confined', name)
    : store.directoryOf(session.id);
}

/** `hosts` are those that the session's agent itself asks. Throws where the project's rule cannot be kept and must be. */
export async function networkLaunch(
  workshop: Workshop,
  owner: NetworkOwner,
  launch: Launch,
  {sandbox, hosts}: {readonly sandbox: SandboxChoice; readonly hosts: readonly string[]},
): Promise<NetworkLaunch> {
  const {project} = workshop.state();
  const network = chooseNetwork(networkRuleFor(project, owner.session?.purpose ?? {for: 'check'}), {
    wish: wishOf(project),
    sandbox,
    facts: await workshop.sandbox(),
    own: hosts,
  });
  if (network.at === 'refused') throw new Error(network.words);
  if (network.at === 'all') {
    if (network.isWeaker === true) sayUnrestricted(workshop, owner, network.words);
    return untouched;
  }

  const directory = networkDirectoryOf(workshop, owner);
  mkdirSync(directory, {recursive: true, mode: 0o700});
  const filter = writeFilter(directory);
  const listening = await listeningSockets(workshop);
  const restrict =
    (isSupervised: boolean) =>
    (policy: SandboxPolicy): SandboxPolicy => {
      const doors = networkDoors(listening, [...policy.hidden, '/tmp', os.tmpdir()]);
      const options = networkOptions({
        isSupervised,
        ...(filter === undefined ? {} : {filter: inheritedFiles.filter}),
        ...(isSupervised ? {variables: proxyVariables()} : {}),
      });
      return {
        ...policy,
        options: [...(policy.options ?? []), ...options],
        hidden: [...policy.hidden, ...doors.hidden],
        readOnly: [...(policy.readOnly ?? []), ...doors.readOnly],
      };
    };

  if (network.at === 'none') {
    writeWhole(
      path.join(directory, noteFile),
      JSON.stringify({at: network.at, words: network.words}),
    );
    return {
      inside: (argv) => argv,
      restrict: restrict(false),
      outside: (argv) => (filter === undefined ? argv : filtered(argv, filter)),
    };
  }

  const orders: SupervisorOrders = {
    allow: network.hosts,
    refusals: path.join(directory, refusalsFile),
    shows: showsLines(workshop, owner, launch),
    ...(filter === undefined ? {} : {filter}),
  };
  const ordersFile = path.join(directory, noteFile);
  writeWhole(ordersFile, JSON.stringify({at: network.at, words: network.words, ...orders}));
  return {
    inside: (argv) => bridged(argv, workshop.networkProgram, networkEntriesOf(network.hosts)),
    restrict: restrict(true),
    outside: (argv) => supervised(argv, workshop.networkProgram, ordersFile),
  };
}

/** In the daemon's log, and kept for `explain`. */
function sayUnrestricted(
  {store, log}: Workshop,
  {name, session}: NetworkOwner,
  words: string,
): void {
  log(`${session?.id ?? name}: ${words}`);
  if (session !== undefined) store.writeNote(session.id, 'network', {at: 'all', words});
}

/** Where lines are printed one after the other, one of ours does no harm. What draws a screen of its own is left alone; `explain` and the timeline have it. */
function showsLines({ownProgram}: Workshop, {session}: NetworkOwner, {argv}: Launch): boolean {
  const purpose = session?.purpose.for ?? 'check';
  const isRendered = ownProgram.every((part, index) => argv[index] === part);
  return (
    purpose === 'check' ||
    purpose === 'baseline' ||
    purpose === 'setup' ||
    purpose === 'worktree-setup' ||
    isRendered
  );
}

function writeFilter(directory: string): string | undefined {
  const program = socketFilter(process.arch);
  if (program === undefined) return undefined;
  const file = path.join(directory, 'socket-filter');
  writeWhole(file, program);
  return file;
}

/** Those that the person, and so an agent, may connect to. Others are nobody's way out. */
async function listeningSockets({kernel}: Workshop): Promise<readonly string[]> {
  const found = await readUnixListeners(kernel);
  return ('value' in found ? found.value : [])
    .map((listener) => listener.path)
    .filter((file) => {
      try {
        accessSync(file, constants.W_OK);
        return true;
      } catch {
        return false;
      }
    });
}
