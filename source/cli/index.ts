/**
 * The command line: parses argv, wires the modules, sets the exit code. One file per command.
 * Not here: logic.
 */
export type {CliContext, Keyboard, CliTerminal} from './cli-context.ts';
export {formatFault, formatTrace, runCommand as runCommandLine} from './run-command.ts';
