/**
 * One file per agent CLI: what it is called, how it is asked, how its answers are read.
 *
 * Not here: processes and timers; whether it is installed; which task it gets.
 */
export {agents, chooseAgent} from './agents.ts';
export type {Agent, AgentProgram} from './agent.ts';
