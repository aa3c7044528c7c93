/**
 * The built-in agent: a program that follows a playbook in a worktree. It runs inside a session's
 * terminal, like any agent, and like any agent it decides nothing: others capture, judge and check
 * what it changed.
 *
 * Not here: how a playbook is parsed (playbook); how the agent is started and its outcome read
 * (agents); git; the journal.
 */
export {type PlaybookOptions, runPlaybook} from './run-playbook.ts';
