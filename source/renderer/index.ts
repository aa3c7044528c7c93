/**
 * The thin program that runs an agent's structured, headless mode inside of a session's terminal: it gives the agent its
 * prompt, shows its stream so that a person can read it, keeps the stream as it came beside the outcome, and leaves the outcome.
 *
 * Not here: how an agent is started and its stream read (agents); what follows from the outcome; git; the journal.
 */
export {type AgentRun, runAgent} from './run-agent.ts';
