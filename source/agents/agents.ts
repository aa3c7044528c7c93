import type {Agent} from './agent.ts';
import {claude} from './claude.ts';
import {codex} from './codex.ts';
import {gemini} from './gemini.ts';
import {opencode} from './opencode.ts';
import {pi} from './pi.ts';
import {playbook} from './playbook.ts';

/** In the order in which one is chosen when none is configured. */
export const agents: readonly Agent[] = [claude, codex, gemini, opencode, pi, playbook];

/** `found` are the names of those whose command is on PATH. */
export function chooseAgent(found: readonly string[]): Agent {
  return (
    agents.find(({name, program}) => program === undefined || found.includes(name)) ?? playbook
  );
}
