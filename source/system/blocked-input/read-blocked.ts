import {
  isDead,
  isSameProcessKey,
  type Process,
  type ProcessKey,
  type ProcessSample,
} from '../processes/process.ts';
import type {Kernel, KernelProof} from '../kernel.ts';
import {readArguments, readProgram} from '../processes/proc.ts';
import {findTreeMembers} from '../processes/process-tree.ts';
import {
  findInterpreter,
  type InputHints,
  type InputJudgement,
  type Interpreter,
  judgeInput,
} from './judge-input.ts';
import {type ProcessActivity, readWait, type Wait} from './read-wait.ts';
import {
  readTerminal,
  readTerminalModes,
  type TerminalFile,
  type TerminalModes,
} from './terminal.ts';

/** Minimum distance of two samples: the kernel counts processor time in ticks of 10 ms. */
const minSampleMs = 1000;

/** One tick can be counted for a microsecond of work. */
const noiseMs = 10;

/**
 * Whether the processes used the processor between the samples; undefined when the samples cannot
 * tell.
 */
export function usedProcessor(
  processes: readonly Process[],
  sample: ProcessSample,
  earlier: ProcessSample | undefined,
): boolean | undefined {
  if (earlier === undefined || sample.at - earlier.at < minSampleMs) return undefined;
  let used = 0;
  for (const {identity, cpuMs} of processes) {
    const before = earlier.processes.find((process) =>
      isSameProcessKey(process.identity, identity),
    );
    if (before === undefined) return undefined;
    used += cpuMs - before.cpuMs;
  }

  return used > noiseMs;
}

export type BlockedQuestion = InputHints & {
  /** The session's first process, which leads the kernel session of its terminal. */
  readonly root: ProcessKey;
  /** All current processes; one sample serves all sessions. */
  readonly sample: ProcessSample;
  /** A sample from at least a second before. Without it nothing is inferred from sleep. */
  readonly earlier?: ProcessSample | undefined;
};

export type Blocked = Omit<InputJudgement, 'by'> & {
  /** The process that decided the verdict. */
  readonly process?: ProcessKey;
  /**
   * Set when the waiting process leads the foreground and is a shell or other REPL. It may be at
   * its own prompt, which only the screen shows.
   */
  readonly interpreter?: Interpreter;
  /** The modes of its terminal; absent where nobody waits for it, or they cannot be read. */
  readonly modes?: TerminalModes;
  readonly why: readonly KernelProof[];
  readonly at: number;
};

/** Whether the foreground of a session's terminal waits for typed input. */
export async function readBlocked(question: BlockedQuestion, kernel: Kernel): Promise<Blocked> {
  const at = kernel.now();
  const {root, sample, earlier, ...hints} = question;
  const without = (verdict: 'exited' | 'unknown', text: string): Blocked => ({
    verdict,
    proof: 'none',
    secret: false,
    why: [{source: `/proc/${root.pid}`, text}],
    at,
  });
  const leader = sample.processes.find(
    (process) => isSameProcessKey(process.identity, root) && !isDead(process),
  );
  if (leader === undefined) return without('exited', 'the process has ended');
  const terminal = leader.terminal === undefined ? undefined : readTerminal(leader.terminal);
  if (terminal === undefined)
    return without('unknown', 'the process has no terminal that can be looked at');
  const foreground = sample.processes.filter(
    (process) =>
      process.group === leader.foreground && process.terminal === terminal.path && !isDead(process),
  );
  const waits = readWaits(foreground, sample.processes, terminal, kernel);
  if (waits.length === 0) return without('unknown', 'nobody is in the foreground of its terminal');
  const modes = waits.some(({activity}) => concernsTerminal.has(activity))
    ? await readTerminalModes(terminal.path, kernel)
    : undefined;
  const settled = waits.map((wait) =>
    wait.activity === 'reads-terminal' ? rereadWait(wait, terminal, kernel) : wait,
  );
  const {by, ...judgement} = judgeInput({
    ...hints,
    activities: settled.map(({activity}) => activity),
    modes,
    usedProcessor: usedProcessor(foreground, sample, earlier),
  });
  const decided = settled.find(({activity}) => activity === by);
  const interpreter =
    judgement.verdict === 'blocked' && decided?.process.identity.pid === leader.foreground
      ? readInterpreter(decided.process, modes, kernel)
      : undefined;
  return {
    ...judgement,
    ...(decided === undefined ? {} : {process: decided.process.identity}),
    ...(interpreter === undefined ? {} : {interpreter}),
    ...(modes === undefined ? {} : {modes}),
    why: toProofs(settled, terminal, modes, kernel),
    at,
  };
}

function readInterpreter(
  process: Process,
  modes: TerminalModes | undefined,
  kernel: Kernel,
): Interpreter | undefined {
  const found = findInterpreter(readArguments(process, kernel));
  return found === undefined
    ? undefined
    : {...found, editsLine: modes !== undefined && !modes.isCanonical && !modes.echoes};
}

const concernsTerminal: ReadonlySet<ProcessActivity> = new Set([
  'reads-terminal',
  'awaits-terminal',
  'attends-terminal',
  'is-unreadable',
]);

/**
 * Waits of the foreground processes, and of their descendants with another controlling terminal
 * (`su -c` starts a session of its own): job control does not stop those from reading it.
 * Background processes would be stopped.
 */
function readWaits(
  foreground: readonly Process[],
  processes: readonly Process[],
  terminal: TerminalFile,
  kernel: Kernel,
): Wait[] {
  const waits = foreground
    .map((process) => readWait(process, terminal, kernel))
    .filter(({activity}) => activity !== 'is-gone');
  const descendants = findTreeMembers(
    {cookie: '', earlier: foreground.map(({identity}) => identity)},
    processes,
    new Map(),
  );
  const outsiders = descendants
    .filter(({process}) => process.terminal !== terminal.path)
    .map(({process}) => readWait(process, terminal, kernel));
  return [
    ...waits,
    ...outsiders.filter(
      ({activity}) => concernsTerminal.has(activity) && activity !== 'is-unreadable',
    ),
  ];
}

/** Reads a second time, to prove that everything in between was read during the same sleep. */
function rereadWait(wait: Wait, terminal: TerminalFile, kernel: Kernel): Wait {
  const again = readWait(wait.process, terminal, kernel);
  return again.mark === wait.mark
    ? wait
    : {...again, activity: 'runs', text: 'woke up between two reads'};
}

function toProofs(
  waits: readonly Wait[],
  terminal: TerminalFile,
  modes: TerminalModes | undefined,
  kernel: Kernel,
): KernelProof[] {
  const proofs = waits.map(({process, text}) => ({
    source: `/proc/${process.identity.pid}/syscall`,
    text: `${readProgram(process, kernel)}: ${text}`,
  }));
  if (modes === undefined) return proofs;
  return [
    ...proofs,
    {
      source: 'stty',
      text:
        `${terminal.path}: ` +
        `${modes.isCanonical ? 'line by line' : 'raw'}${modes.readsForATime ? ', reads end by themselves' : ''}, ` +
        `echo ${modes.echoes ? 'on' : 'off'}`,
    },
  ];
}
