/**
 * What this machine has and what its kernel says, asked anew each time.
 *
 * Not here: memory of earlier answers; what an answer means for a task; words for people.
 */
export {askProgram} from './ask-program.ts';
export type {Asking, ProgramAnswer} from './ask-program.ts';
export {findProgram, trustedPath} from './find-program.ts';
export type {FoundProgram} from './find-program.ts';
export {inspectProgram} from './inspect-program.ts';
export type {InstalledProgram, Program, Silence} from './inspect-program.ts';
export {gh, git} from './programs.ts';
export {readDisk} from './read-disk.ts';
export type {Disk} from './read-disk.ts';
export {fileSystemOf, readFileSystem} from './read-file-system.ts';
export type {FileSystem} from './read-file-system.ts';
export {logindQuestion, readLogind, userQuestion} from './read-logind.ts';
export type {Logind} from './read-logind.ts';
export {readSystem} from './read-system.ts';
export type {System} from './read-system.ts';
export {runProbe} from './run-probe.ts';
export type {ProbeOptions, ProbeOutcome} from './run-probe.ts';
