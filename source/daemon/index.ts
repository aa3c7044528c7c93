/**
 * Where things happen, one for each repository: it decides through the core, writes the journal, and brings about what
 * is wanted. Killed at any moment it loses nothing and repeats nothing; the sessions go on without it.
 *
 * Not here: policy (`domain` decides), wording for people (`documents`), terminals (each has its keeper).
 */
export {tryAgentInSandbox} from './try-agent.ts';
export {runDaemon} from './run-daemon.ts';
export type {DaemonOptions} from './run-daemon.ts';
export {readSkills} from './launch/knowledge.ts';
export type {LiveFact} from './gather-facts.ts';
export type {SessionExplanation} from './explain-session.ts';
export type {SessionReport} from './session-report.ts';
export {ensureLockName} from './lock-name.ts';
export {takeLock} from './take-lock.ts';
export type {Lock} from './take-lock.ts';
export {trySandbox} from './try-sandbox.ts';
export {readProjectFile} from './watch-project.ts';
