import {type KernelFact, type Kernel, printable} from '../kernel.ts';
import {isSameProcessKey, type Process, type ProcessSample} from './process.ts';
import {askProgram} from '../programs.ts';
import {readAllFromProc, readBoot, readFromProc} from './proc.ts';

/** Numbers only, so that no process name can forge a line. */
export const psArgv: readonly string[] = [
  '-axo',
  'pid=,uid=,ppid=,pgid=,tpgid=,tty=,state=,rss=,time=,lstart=',
];

/** Names for display; a forged line can only spoil a name. */
export const psNamesArgv: readonly string[] = ['-axo', 'pid=,comm='];

const psRow = new RegExp(
  String.raw`^\s*(?<pid>\d+)\s+(?<uid>\d+)\s+(?<parent>\d+)\s+(?<group>\d+)\s+(?<foreground>-?\d+)\s+(?<terminal>\S+)\s+(?<state>[A-Z])\S*\s+(?<kilobytes>\d+)\s+(?:(?<hours>\d+):)?(?<minutes>\d+):(?<seconds>[\d.]+)\s+(?<started>\w{3} .+ \d{4})\s*$`,
);

/** Parses both outputs of macOS's `ps` under LC_ALL=C. Unverified: written from its manual. */
export function parsePs(table: string, names: string, bootId: string): Process[] {
  const nameOf = new Map(
    Array.from(names.matchAll(/^ *(?<pid>\d+) (?<name>.*)$/gm), ({groups}) => [
      groups?.['pid'],
      groups?.['name'],
    ]),
  );
  return table.split('\n').flatMap((line) => {
    const {pid, terminal, state, started, ...fields} = psRow.exec(line)?.groups ?? {};
    if (pid === undefined || terminal === undefined || state === undefined || started === undefined)
      return [];
    const number = (name: string): number => Number(fields[name] ?? 0);
    const startedAt = Date.parse(started);
    return {
      identity: {pid: Number(pid), startTime: startedAt / 1000, bootId},
      uid: number('uid'),
      parent: number('parent'),
      group: number('group'),
      session: 0,
      ...(terminal.startsWith('?') ? {} : {terminal: `/dev/${terminal}`}),
      foreground: terminal.startsWith('?') ? -1 : number('foreground'),
      state,
      cpuMs: (number('hours') * 3600 + number('minutes') * 60 + number('seconds')) * 1000,
      memory: number('kilobytes') * 1024,
      startedAt,
      name: printable(nameOf.get(pid)?.split('/').at(-1) ?? ''),
    };
  });
}

const psLimits = {timeoutMs: 5000, maxBytes: 4 * 1024 * 1024};

/** Reads every process in one pass. Two samples tell which processes used the processor. */
export async function readProcesses(kernel: Kernel): Promise<KernelFact<readonly Process[]>> {
  const at = kernel.now();
  if (kernel.platform === 'darwin') return askPs(kernel);
  const boot = kernel.platform === 'linux' ? readBoot(kernel) : undefined;
  if (boot === undefined)
    return {
      source: kernel.proc,
      at,
      unknown: `the kernel's boot cannot be read under ${kernel.proc} on ${kernel.platform}`,
    };
  return {source: kernel.proc, at, value: await readAllFromProc(boot, kernel)};
}

/** The value is undefined when there is no such process. */
export async function readProcess(
  pid: number,
  kernel: Kernel,
): Promise<KernelFact<Process | undefined>> {
  if (kernel.platform !== 'linux') {
    const all = await readProcesses(kernel);
    return 'unknown' in all
      ? all
      : {...all, value: all.value.find(({identity}) => identity.pid === pid)};
  }

  const at = kernel.now();
  const boot = readBoot(kernel);
  if (boot === undefined)
    return {
      source: kernel.proc,
      at,
      unknown: `the kernel's boot cannot be read under ${kernel.proc}`,
    };
  return {source: `${kernel.proc}/${pid}/stat`, at, value: readFromProc(pid, boot, kernel)};
}

/** Unverified: not tested on a Mac. */
async function askPs(kernel: Kernel): Promise<KernelFact<readonly Process[]>> {
  const at = kernel.now();
  const ask = async (command: string, argv: readonly string[]): Promise<string | undefined> => {
    const {outcome} = await askProgram(command, argv, {
      env: {PATH: kernel.path, LC_ALL: 'C'},
      ...psLimits,
    });
    return outcome?.at === 'exited' && outcome.code === 0 ? outcome.stdout : undefined;
  };

  const [table, names, bootId] = await Promise.all([
    ask('ps', psArgv),
    ask('ps', psNamesArgv),
    ask('sysctl', ['-n', 'kern.bootsessionuuid']),
  ]);
  if (table === undefined || names === undefined || bootId === undefined)
    return {source: 'ps', at, unknown: 'ps or sysctl did not answer'};
  return {source: 'ps', at, value: parsePs(table, names, bootId.trim())};
}

/** Reads the same processes again, without those that ended; on Linux no others are read. */
export async function rereadProcesses(
  processes: readonly Process[],
  kernel: Kernel,
): Promise<ProcessSample> {
  const at = kernel.now();
  const now = new Map(
    (await readNow(processes, kernel)).map((process) => [process.identity.pid, process]),
  );
  return {
    at,
    processes: processes.flatMap(({identity}) => {
      const same = now.get(identity.pid);
      return same !== undefined && isSameProcessKey(same.identity, identity) ? [same] : [];
    }),
  };
}

async function readNow(processes: readonly Process[], kernel: Kernel): Promise<readonly Process[]> {
  const boot = kernel.platform === 'linux' ? readBoot(kernel) : undefined;
  if (boot !== undefined)
    return processes.flatMap(({identity}) => readFromProc(identity.pid, boot, kernel) ?? []);
  const all = await readProcesses(kernel);
  return 'value' in all ? all.value : [];
}
