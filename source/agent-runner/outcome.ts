import os from 'node:os';
import type {AgentOutcome, StreamState} from '../agents/index.ts';
import {pluralize} from '../shared/index.ts';
import type {AgentExit} from './start-agent.ts';

/** The last line of the output: how it ended, tool calls, tokens and cost. */
export function formatEnding(agent: string, outcome: AgentOutcome, {tools}: StreamState): string {
  const {usage} = outcome;
  const counts = [
    tools.ended === 0
      ? ''
      : `${pluralize(tools.ended, 'tool call')}${tools.failed === 0 ? '' : `, ${tools.failed} failed`}`,
    usage === undefined
      ? ''
      : `${groupDigits(usage.input)} tokens in, ${groupDigits(usage.output)} out`,
    usage?.cost === undefined || usage.cost === 0 ? '' : `$${usage.cost.toFixed(4)}`,
  ].filter((part) => part !== '');
  return [formatResult(agent, outcome), ...counts].join(' · ');
}

function formatResult(agent: string, outcome: AgentOutcome): string {
  if (outcome.at === 'finished') return `${agent}: done`;
  return outcome.at === 'gave-up' ? `${agent}: gave up` : outcome.words;
}

function groupDigits(amount: number): string {
  return String(Math.round(amount)).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/**
 * Some agents exit with 0 though they were interrupted or their service failed; that must not count
 * as success.
 */
export function toAgentExitCode({code, signal}: AgentExit, outcome: AgentOutcome): number {
  if (code === 0 && outcome.at === 'finished') return 0;
  if (signal !== undefined) return 128 + os.constants.signals[signal];
  if (code === null) return 1;
  return code === 0 && outcome.at !== 'finished' && outcome.at !== 'gave-up' ? 1 : code;
}
