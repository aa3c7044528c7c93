import type {Proof} from '../fact.ts';
import type {Kernel} from '../kernel.ts';
import {isDead, isSameProcess, type Process, type ProcessIdentity} from '../process/process.ts';
import {readArguments, readProgram} from '../process/read-command.ts';
import {treeOf} from '../process/tree-of.ts';
import type {Sample} from '../process/usage-between.ts';
import {type Interpreter, interpreterOf} from './interpreter.ts';
import {type InputHints, type InputJudgement, judgeInput} from './judge-input.ts';
import {type Doing, readWait, type Wait} from './read-wait.ts';
import {readTerminalModes, type TerminalModes} from './read-terminal-modes.ts';
import {readTerminal, type Terminal} from './terminal.ts';
import {usedProcessor} from './used-processor.ts';

export type BlockedQuestion = InputHints & {
  /** The process that the session began with, which leads the kernel's session of its terminal. */
  readonly root: ProcessIdentity;
  /** All processes as they are now; one sample serves every session that is asked about. */
  readonly sample: Sample;
  /** The same, a second or more before: without it nothing is inferred from sleep. */
  readonly earlier?: Sample | undefined;
};

export type Blocked = Omit<InputJudgement, 'by'> & {
  /** Who waits, or who decided otherwise. */
  readonly process?: ProcessIdentity;
  /** Who waits leads the foreground and is a shell or the like: it may stand at its own prompt, which only the screen tells. */
  readonly interpreter?: Interpreter;
  readonly why: readonly Proof[];
  readonly at: number;
};

/** Whether what runs in the foreground of a session's terminal waits for somebody to type. */
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
    (process) => isSameProcess(process.identity, root) && !isDead(process),
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
  const modes = waits.some(({doing}) => concernsTerminal.has(doing))
    ? await readTerminalModes(terminal.path, kernel)
    : undefined;
  const settled = waits.map((wait) =>
    wait.doing === 'reads-terminal' ? sealed(wait, terminal, kernel) : wait,
  );
  const {by, ...judgement} = judgeInput({
    ...hints,
    doings: settled.map(({doing}) => doing),
    modes,
    usedProcessor: usedProcessor(foreground, sample, earlier),
  });
  const decided = settled.find(({doing}) => doing === by);
  const interpreter =
    judgement.verdict === 'blocked' && decided?.process.identity.pid === leader.foreground
      ? interpreterIn(decided.process, modes, kernel)
      : undefined;
  return {
    ...judgement,
    ...(decided === undefined ? {} : {process: decided.process.identity}),
    ...(interpreter === undefined ? {} : {interpreter}),
    why: proofsOf(settled, terminal, modes, kernel),
    at,
  };
}

function interpreterIn(
  process: Process,
  modes: TerminalModes | undefined,
  kernel: Kernel,
): Interpreter | undefined {
  const found = interpreterOf(readArguments(process, kernel));
  return found === undefined
    ? undefined
    : {...found, editsLine: modes !== undefined && !modes.isCanonical && !modes.echoes};
}

const concernsTerminal: ReadonlySet<Doing> = new Set([
  'reads-terminal',
  'awaits-terminal',
  'attends-terminal',
  'is-unreadable',
]);

/**
 * Of the foreground, and of those of its descendants that the terminal does not control (`su -c` makes a session of
 * its own): job control does not keep them from reading it. Those in the background would be stopped.
 */
function readWaits(
  foreground: readonly Process[],
  processes: readonly Process[],
  terminal: Terminal,
  kernel: Kernel,
): Wait[] {
  const waits = foreground
    .map((process) => readWait(process, terminal, kernel))
    .filter(({doing}) => doing !== 'is-gone');
  const descendants = treeOf(
    {cookie: '', earlier: foreground.map(({identity}) => identity)},
    processes,
    new Map(),
  );
  const outsiders = descendants
    .filter(({process}) => process.terminal !== terminal.path)
    .map(({process}) => readWait(process, terminal, kernel));
  return [
    ...waits,
    ...outsiders.filter(({doing}) => concernsTerminal.has(doing) && doing !== 'is-unreadable'),
  ];
}

/** Looks a second time, so that all that was read in between belongs to one and the same sleep. */
function sealed(wait: Wait, terminal: Terminal, kernel: Kernel): Wait {
  const again = readWait(wait.process, terminal, kernel);
  return again.mark === wait.mark
    ? wait
    : {...again, doing: 'runs', words: 'moved on while it was looked at'};
}

function proofsOf(
  waits: readonly Wait[],
  terminal: Terminal,
  modes: TerminalModes | undefined,
  kernel: Kernel,
): Proof[] {
  const proofs = waits.map(({process, words}) => ({
    source: `/proc/${process.identity.pid}/syscall`,
    text: `${readProgram(process, kernel)}: ${words}`,
  }));
  if (modes === undefined) return proofs;
  return [
    ...proofs,
    {
      source: 'stty',
      text: `${terminal.path}: ${modes.isCanonical ? 'line by line' : 'raw'}${modes.readsForATime ? ', reads end by themselves' : ''}, echo ${modes.echoes ? 'on' : 'off'}`,
    },
  ];
}
