import os from 'node:os';
import path from 'node:path';
import {accessSync, constants, mkdirSync} from 'node:fs';
import {type Observation, selectSession, type Session, type SessionId} from '../../domain/index.ts';
import {tryReadText, writeFileAtomic} from '../../files/index.ts';
import {
  bridged,
  filtered,
  inheritedFiles,
  parseRefusals,
  proxyVariables,
  type BlockedRequest,
  supervised,
  type SupervisorOrders,
} from '../../network/index.ts';
import type {
  DaemonDirectory,
  DaemonLog,
  KernelAccess,
  SessionFiles,
  SessionLaunching,
  StateReader,
} from '../daemon-context.ts';
import {parseNetworkEntries} from '../../shared/index.ts';
import {getSandbox} from '../../project-config/index.ts';
import {readUnixListeners} from '../../system/index.ts';
import {
  chooseNetwork,
  networkOptions,
  networkRuleFor,
  networkSockets,
  type SandboxChoice,
  type SandboxPolicy,
  socketFilter,
} from '../../sandbox/index.ts';
import type {ProgramLaunch} from './task-launch.ts';

/** Fifty refusals, the most that the supervisor records, take a fifth of this. */
const maxRefusalsBytes = 64 * 1024;

/** Reports blocked hosts that the journal does not know yet. */
export async function reportRefusals(
  context: StateReader & SessionFiles,
  id: SessionId,
  report: (saw: Observation) => Promise<unknown>,
): Promise<void> {
  const known = selectSession(context.state(), id)?.networkRefused ?? [];
  const fresh = readRefusals(context, id).filter(
    ({host, port}) => !known.some((other) => other.host === host && other.port === port),
  );
  for (const refusal of fresh) await report({type: 'network-refused', session: id, ...refusal});
}

/** Empty if the session's network is not restricted or nothing was blocked. */
export function readRefusals(context: SessionFiles, id: SessionId): readonly BlockedRequest[] {
  return parseRefusals(
    tryReadText(getRefusalsFile(context, {id}), {maxBytes: maxRefusalsBytes}) ?? '',
  );
}

/**
 * How a restricted network changes a launch: the command inside the sandbox, the sandbox policy,
 * and the command around it.
 */
export type NetworkLaunch = {
  readonly inside: (argv: readonly string[]) => readonly string[];
  readonly restrict: (policy: SandboxPolicy) => SandboxPolicy;
  readonly outside: (argv: readonly string[]) => readonly string[];
};

const noteFile = 'network.json';
const refusalsFile = 'network-refused.json';

/** The list of blocked hosts, in the directory of the session, which agents cannot see. */
export function getRefusalsFile({store}: SessionFiles, {id}: Pick<Session, 'id'>): string {
  return path.join(store.directoryOf(id), refusalsFile);
}

const untouched: NetworkLaunch = {
  inside: (argv) => argv,
  restrict: (policy) => policy,
  outside: (argv) => argv,
};

/** A session, or without one a single command on what an agent wrote, which counts as a check. */
export type NetworkOwner = {readonly name: string; readonly session: Session | undefined};

/**
 * Files that only the supervisor and the daemon see. Those of a single command are removed with it.
 */
export function getNetworkDirectory(
  {store, stateDirectory}: SessionFiles & DaemonDirectory,
  {name, session}: NetworkOwner,
): string {
  return session === undefined
    ? path.join(stateDirectory, 'confined', name)
    : store.directoryOf(session.id);
}

/**
 * `hosts` are those of the agent's own service. Throws if the project's network rule must be
 * enforced and cannot be.
 */
export async function networkLaunch(
  context: StateReader &
    SessionFiles &
    DaemonDirectory &
    Pick<SessionLaunching, 'networkProgram' | 'ownProgram' | 'sandbox'> &
    KernelAccess &
    DaemonLog,
  owner: NetworkOwner,
  launch: ProgramLaunch,
  {sandbox, hosts}: {readonly sandbox: SandboxChoice; readonly hosts: readonly string[]},
): Promise<NetworkLaunch> {
  const {project} = context.state();
  const network = chooseNetwork(networkRuleFor(project, owner.session?.purpose ?? {for: 'check'}), {
    use: getSandbox(project),
    sandbox,
    facts: await context.sandbox(),
    own: hosts,
  });
  if (network.at === 'refused') throw new Error(network.words);
  if (network.at === 'all') {
    if (network.isWeaker === true) noteUnrestricted(context, owner, network.words);
    return untouched;
  }

  const directory = getNetworkDirectory(context, owner);
  mkdirSync(directory, {recursive: true, mode: 0o700});
  const filter = writeFilter(directory);
  const listening = await listeningSockets(context);
  const restrictWith =
    (isSupervised: boolean) =>
    (policy: SandboxPolicy): SandboxPolicy => {
      const sockets = networkSockets(listening, [...policy.hidden, '/tmp', os.tmpdir()]);
      const options = networkOptions({
        isSupervised,
        ...(filter === undefined ? {} : {filter: inheritedFiles.filter}),
        ...(isSupervised ? {variables: proxyVariables()} : {}),
      });
      return {
        ...policy,
        options: [...(policy.options ?? []), ...options],
        hidden: [...policy.hidden, ...sockets.hidden],
        readOnly: [...(policy.readOnly ?? []), ...sockets.readOnly],
      };
    };

  if (network.at === 'none') {
    writeFileAtomic(
      path.join(directory, noteFile),
      JSON.stringify({at: network.at, words: network.words}),
    );
    return {
      inside: (argv) => argv,
      restrict: restrictWith(false),
      outside: (argv) => (filter === undefined ? argv : filtered(argv, filter)),
    };
  }

  const orders: SupervisorOrders = {
    allow: network.hosts,
    refusals: path.join(directory, refusalsFile),
    shows: showsLines(context, owner, launch),
    ...(filter === undefined ? {} : {filter}),
  };
  const ordersFile = path.join(directory, noteFile);
  writeFileAtomic(ordersFile, JSON.stringify({at: network.at, words: network.words, ...orders}));
  return {
    inside: (argv) => bridged(argv, context.networkProgram, parseNetworkEntries(network.hosts)),
    restrict: restrictWith(true),
    outside: (argv) => supervised(argv, context.networkProgram, ordersFile),
  };
}

/** Logged, and noted for `explain`. */
function noteUnrestricted(
  {store, log}: SessionFiles & DaemonLog,
  {name, session}: NetworkOwner,
  text: string,
): void {
  log(`${session?.id ?? name}: ${text}`);
  if (session !== undefined) store.writeNote(session.id, 'network', {at: 'all', words: text});
}

/**
 * Whether the supervisor may print blocked hosts into the output. Not for programs that draw a
 * screen; `explain` and the timeline show them.
 */
function showsLines(
  {ownProgram}: Pick<SessionLaunching, 'ownProgram'>,
  {session}: NetworkOwner,
  {argv}: ProgramLaunch,
): boolean {
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
  writeFileAtomic(file, program);
  return file;
}

/** Unix sockets that the person, and so an agent, may connect to. */
async function listeningSockets({
  kernel,
}: Pick<KernelAccess, 'kernel'>): Promise<readonly string[]> {
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
