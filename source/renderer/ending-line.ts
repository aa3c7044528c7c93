import type {AgentOutcome, StreamState} from '../agents/index.ts';

/** What stands under the last of it all. */
export function endingLine(agent: string, outcome: AgentOutcome, {tools}: StreamState): string {
  const {usage} = outcome;
  const counts = [
    tools.called === 0
      ? ''
      : `${tools.called} ${tools.called === 1 ? 'tool call' : 'tool calls'}${tools.failed === 0 ? '' : `, ${tools.failed} failed`}`,
    usage === undefined ? '' : `${grouped(usage.input)} tokens in, ${grouped(usage.output)} out`,
    usage?.cost === undefined || usage.cost === 0 ? '' : `$${usage.cost.toFixed(4)}`,
  ].filter((part) => part !== '');
  const head =
    outcome.at === 'finished'
      ? `${agent}: done`
      : outcome.at === 'gave-up'
        ? `${agent}: gave up`
        : outcome.words;
  return [head, ...counts].join(' · ');
}

function grouped(amount: number): string {
  return String(Math.round(amount)).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}
