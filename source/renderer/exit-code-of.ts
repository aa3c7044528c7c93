import os from 'node:os';
import type {AgentOutcome} from '../agents/index.ts';
import type {Ended} from './start-agent.ts';

/** Some end with 0 though they were interrupted or their service failed; nobody is to take that for success. */
export function exitCodeOf({code, signal}: Ended, outcome: AgentOutcome): number {
  if (code === 0 && outcome.at === 'finished') return 0;
  if (signal !== undefined) return 128 + os.constants.signals[signal];
  if (code === null) return 1;
  return code === 0 && outcome.at !== 'finished' && outcome.at !== 'gave-up' ? 1 : code;
}
