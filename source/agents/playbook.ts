import type {Agent} from './agent.ts';

/** Needs no model and no program: it follows a playbook. */
export const playbook: Agent = {name: 'playbook'};
