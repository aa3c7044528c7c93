/**
 * The program that runs a headless agent inside a session's terminal: it passes the prompt, shows
 * the stream to a person, saves the raw stream, and writes the outcome.
 *
 * Not here: an agent's arguments and how its stream is parsed (agents); what follows from the
 * outcome; git; the journal.
 */
export type {AgentRun} from './agent-run.ts';
export {runAgent} from './run-agent.ts';
