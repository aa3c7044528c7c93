import {errorText} from '../../shared/index.ts';
import path from 'node:path';
import {z} from 'zod';
import {tryReadText, writeFileAtomic} from '../../files/index.ts';
import {
  type Ancestry,
  findAdopter,
  getAncestors,
  type Kernel,
  type Process,
  type ProcessKey,
  readCredentials,
  readProcesses,
} from '../../system/index.ts';
import {
  type DaemonStart,
  daemonStartsFile,
  parseDaemonStarts,
  startsWindowMs,
} from '../../protocol/index.ts';

/**
 * Where the daemons of this boot come from. With it, `identify-actor.ts` tells a person from a
 * process that left a session.
 */
export type Origins = Required<Pick<Ancestry, 'adopters' | 'logins'>> & {
  /** The person started the daemon with trust in services and in their own sessions. */
  readonly trustsServices: boolean;
  /** Why that trust does not count. */
  readonly distrust?: string;
};

export type NotingOptions = {
  readonly stateDirectory: string;
  readonly bootId: string;
  readonly kernel: Kernel;
  readonly log: (line: string) => void;
  /** Requested at this start. */
  readonly trustsServices: boolean;
  /** Something ran without a sandbox in this boot, before this daemon. */
  readonly hasBegun: boolean;
};

const originsSchema = z.object({
  bootId: z.string(),
  adopters: z.array(z.object({pid: z.number(), startTime: z.number(), bootId: z.string()})),
  /** Null for a daemon without a login. */
  logins: z.array(z.number().nullable()),
  isTrusted: z.boolean(),
});

type Noted = z.infer<typeof originsSchema>;

const maxBytes = 1024 * 1024;
const maxAdopters = 200;

/**
 * Records which login this daemon comes from and which process adopts its orphans, together with
 * the records of earlier daemons of this boot: orphans of their sessions may still run under an
 * earlier adopter.
 */
export async function noteOrigins(options: NotingOptions): Promise<Origins> {
  const {stateDirectory, bootId, kernel, log, trustsServices, hasBegun} = options;
  if (kernel.platform !== 'linux') return {adopters: [], logins: [], trustsServices: false};
  const file = path.join(stateDirectory, 'origins.json');
  const before = readNoted(file, bootId);
  const all = await readProcesses(kernel);
  const processes = 'value' in all ? all.value : [];
  const adopters = [
    ...(before?.adopters ?? (hasBegun ? selectManagers(processes) : [])),
    ...(await findAdopters(processes)),
  ];
  const logins = [...(before?.logins ?? []), readCredentials(process.pid, kernel).audit ?? null];
  // A program without a sandbox could stop the daemon and start one that trusts it.
  const mayTrust = before?.isTrusted === true || !hasBegun;
  const noted: Noted = {
    bootId,
    isTrusted: trustsServices && mayTrust,
    logins: [...new Set(logins)],
    adopters: [
      ...new Map(adopters.map((one) => [`${one.pid} ${one.startTime}`, one])).values(),
    ].slice(-maxAdopters),
  };
  try {
    writeFileAtomic(file, JSON.stringify(noted), {mode: 0o600});
  } catch (error) {
    log(`${path.basename(file)} cannot be written: ${errorText(error)}`);
  }

  return {
    adopters: noted.adopters,
    logins: noted.logins.map((login) => login ?? undefined),
    trustsServices: noted.isTrusted,
    ...(trustsServices &&
      !mayTrust && {
        distrust:
          'something already ran without a sandbox since this machine was started, and ' +
          'it could have started this daemon',
      }),
  };
}

/**
 * The process that adopts orphans, and all its ancestors, since it may end. If it is unknown, all
 * ancestors of the daemon.
 */
async function findAdopters(processes: readonly Process[]): Promise<ProcessKey[]> {
  const own = processes.find(({identity}) => identity.pid === process.pid);
  const above = own === undefined ? [] : getAncestors(own, processes);
  const adopter = await findAdopter();
  const index = above.findIndex(({identity}) => identity.pid === adopter);
  if (adopter !== undefined && index === -1) return [{pid: adopter, startTime: 0, bootId: ''}];
  return above.slice(Math.max(0, index)).map(({identity}) => identity);
}

/**
 * Daemons of earlier versions recorded nothing. Their orphans went to process 1 or to a user's
 * systemd.
 */
function selectManagers(processes: readonly Process[]): ProcessKey[] {
  return processes
    .filter(({parent, name}) => parent === 1 && name === 'systemd')
    .map(({identity}) => identity);
}

function readNoted(file: string, bootId: string): Noted | undefined {
  try {
    const noted = originsSchema.parse(JSON.parse(tryReadText(file, {maxBytes}) ?? ''));
    return noted.bootId === bootId ? noted : undefined;
  } catch {
    return undefined;
  }
}

export type NotedStart = {
  /** Call it when the daemon is asked to stop or is idle: its end is then not a crash. */
  readonly settle: () => void;
};

/**
 * Records the start of a daemon, so that clients notice repeated crashes. Only for the owner of the
 * lock.
 */
export function noteStart(
  directory: string,
  own: DaemonStart,
  log: (line: string) => void,
): NotedStart {
  const file = path.join(directory, daemonStartsFile);
  const write = (starts: readonly DaemonStart[]): void => {
    try {
      writeFileAtomic(file, JSON.stringify(starts));
    } catch (error) {
      // On a full disk a crash may not be counted; nothing else depends on it.
      log(`${daemonStartsFile} cannot be written: ${errorText(error)}`);
    }
  };

  const others = readStarts(file).filter(({at}) => Math.abs(own.at - at) < startsWindowMs);
  write([...others, own]);
  return {
    settle: () => {
      write(others);
    },
  };
}

function readStarts(file: string): DaemonStart[] {
  try {
    return parseDaemonStarts(tryReadText(file, {maxBytes: 1024 * 1024}) ?? '');
  } catch {
    return [];
  }
}
