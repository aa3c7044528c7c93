/**
 * The command line: reads argv, wires the rooms, gives the exit code
 * (0 done · 1 it ran and failed · 2 wrong use or impossible here · 3 waits for a person).
 *
 * A command's module is loaded when that command is called, so that `--version` pays for nothing else.
 *
 * Not here: logic. What a command knows, another room knows; what it says, `documents` words.
 */
export {runCommand as runCommandLine} from './run-command.ts';
export {faultInWords, traceOf} from './tell-fault.ts';
export type {Keyboard, Surroundings, Terminal} from './surroundings.ts';
