/**
 * The background process, one for each repository: it passes commands to `domain`, writes the
 * journal and runs the effects. Killed at any moment it loses nothing and repeats nothing; the
 * sessions continue without it.
 *
 * Not here: policy (`domain` decides), text for people (`reports`), terminals (each has its
 * keeper).
 */
export {type LiveFact, readSkills} from './launch/prompt-context.ts';
export {readProjectFile} from './monitors/watch-project.ts';
export type {SessionExplanation} from './server/session-requests.ts';
export {readExit} from './sessions/read-session-file.ts';
export type {SessionReport} from './sessions/session-report.ts';
export {ensureLockName, type Lock, takeLock} from './startup/lock.ts';
export {type DaemonOptions, runDaemon} from './startup/run-daemon.ts';
export {tryAgentInSandbox} from './startup/try-agent.ts';
export {trySandbox} from './startup/try-sandbox.ts';
