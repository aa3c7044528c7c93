/**
 * What a process may read and write: which sandbox a machine could have, and what a try of it showed.
 *
 * Not here: processes; whoever asks runs the command and brings the outcome.
 */
export {readSandbox} from './read-sandbox.ts';
export type {SandboxFacts, SandboxTrial} from './read-sandbox.ts';
export {sandboxOf} from './sandbox-of.ts';
export type {Sandbox} from './sandbox-of.ts';
