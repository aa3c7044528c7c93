import path from 'node:path';
import {z} from 'zod';
import {tryReadText, writeWhole} from '../files/index.ts';
import {
  ancestorsOf,
  findAdopter,
  readCredentials,
  readProcesses,
  type Ancestry,
  type Kernel,
  type Process,
  type ProcessIdentity,
} from '../machine/index.ts';

/** What the daemons of this boot have noted about themselves, for whoever has to tell a person from what a session left. */
export type Origins = Required<Pick<Ancestry, 'adopters' | 'logins'>> & {
  /** The person said at the start that services and their own sessions do not ask in their name. */
  readonly trustsServices: boolean;
  /** Why that was said and does not count. */
  readonly distrust?: string;
};

export type NotingOptions = {
  readonly stateDirectory: string;
  readonly bootId: string;
  readonly kernel: Kernel;
  readonly log: (line: string) => void;
  /** It was asked for at this start. */
  readonly trustsServices: boolean;
  /** Something ran without a sandbox in this boot before this daemon. */
  readonly hasBegun: boolean;
};

const shape = z.object({
  bootId: z.string(),
  adopters: z.array(z.object({pid: z.number(), startTime: z.number(), bootId: z.string()})),
  /** Nothing for a daemon that had no login. */
  logins: z.array(z.number().nullable()),
  isTrusted: z.boolean(),
});

type Noted = z.infer<typeof shape>;

const mostBytes = 1024 * 1024;
const mostAdopters = 200;

/**
 * Looks where this daemon comes from and who adopts what its sessions leave, and writes it beside what those before it found in this
 * boot: what their sessions left may still be there, under whoever adopted it then.
 */
export async function noteOrigins(options: NotingOptions): Promise<Origins> {
  const {stateDirectory, bootId, kernel, log, trustsServices, hasBegun} = options;
  if (kernel.platform !== 'linux') return {adopters: [], logins: [], trustsServices: false};
  const file = path.join(stateDirectory, 'origins.json');
  const before = readNoted(file, bootId);
  const all = await readProcesses(kernel);
  const processes = 'value' in all ? all.value : [];
  const adopters = [
    ...(before?.adopters ?? (hasBegun ? managersIn(processes) : [])),
    ...(await adoptersOf(processes)),
  ];
  const logins = [...(before?.logins ?? []), readCredentials(process.pid, kernel).audit ?? null];
  // Who runs without a sandbox could end the daemon and start another that trusts it.
  const mayTrust = before?.isTrusted === true || !hasBegun;
  const noted: Noted = {
    bootId,
    isTrusted: trustsServices && mayTrust,
    logins: [...new Set(logins)],
    adopters: [
      ...new Map(adopters.map((one) => [`${one.pid} ${one.startTime}`, one])).values(),
    ].slice(-mostAdopters),
  };
  try {
    writeWhole(file, JSON.stringify(noted), {mode: 0o600});
  } catch (error) {
    log(
      `${path.basename(file)} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
    );
  }

  return {
    adopters: noted.adopters,
    logins: noted.logins.map((login) => login ?? undefined),
    trustsServices: noted.isTrusted,
    ...(trustsServices &&
      !mayTrust && {
        distrust:
          'something already ran without a sandbox since this machine was started, and it could have started this daemon',
      }),
  };
}

/** Whoever adopts, and all above it, for it may end. Where it could not be tried, everybody above us may. */
async function adoptersOf(processes: readonly Process[]): Promise<ProcessIdentity[]> {
  const own = processes.find(({identity}) => identity.pid === process.pid);
  const above = own === undefined ? [] : ancestorsOf(own, processes);
  const adopter = await findAdopter();
  const index = above.findIndex(({identity}) => identity.pid === adopter);
  if (adopter !== undefined && index === -1) return [{pid: adopter, startTime: 0, bootId: ''}];
  return above.slice(Math.max(0, index)).map(({identity}) => identity);
}

/** Daemons of earlier versions noted nothing. What their sessions left went to the first process, or to a manager of a user's services. */
function managersIn(processes: readonly Process[]): ProcessIdentity[] {
  return processes
    .filter(({parent, name}) => parent === 1 && name === 'systemd')
    .map(({identity}) => identity);
}

function readNoted(file: string, bootId: string): Noted | undefined {
  try {
    const noted = shape.parse(JSON.parse(tryReadText(file, {maxBytes: mostBytes}) ?? ''));
    return noted.bootId === bootId ? noted : undefined;
  } catch {
    return undefined;
  }
}
