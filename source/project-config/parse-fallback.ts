import {builtInAgents} from '../domain/index.ts';
import {nearest} from '../shared/index.ts';
import type {YamlMapping, YamlValue} from '../syntax/index.ts';
import {agentName} from './allowed-values.ts';
import {parseItems, type ReportProblem, withConsequence} from './fields.ts';
import {parseWithSchema} from './parse-with-schema.ts';
import {wordSchema} from './schemas.ts';

const maxAgents = 10;
const schema = wordSchema(agentName);

/**
 * The agents that replace one that is unavailable, in order. Each is tried once for a task, so no
 * order leads round in a circle; only a repeated name is a mistake.
 */
export function parseFallback(
  value: YamlValue,
  agents: YamlMapping | undefined,
  report: ReportProblem,
): readonly string[] | undefined {
  const leaveOut = withConsequence('it is left out', report);
  const declared = agents?.entries.map(({key}) => key) ?? [];
  // The playbook follows a file that the run names, so it stands in for nobody.
  const known = [...new Set([...declared, ...builtInAgents])].filter((name) => name !== 'playbook');
  const items = parseItems(value, 'fallback', {example: '[codex]', max: maxAgents}, report);
  return items?.reduce<readonly string[]>((names, {item, path}) => {
    const name = parseWithSchema(schema, item, path, leaveOut);
    if (name === undefined) return names;
    const fault = findFault(name, names, known);
    if (fault === undefined) return [...names, name];
    leaveOut(item.line, `${path}: "${name}" ${fault}`);
    return names;
  }, []);
}

function findFault(
  name: string,
  before: readonly string[],
  known: readonly string[],
): string | undefined {
  if (before.includes(name))
    return 'is named twice; each agent is tried once for a task. Leave one out.';
  if (known.includes(name)) return undefined;
  const meant = nearest(name, known);
  return (
    `is not an agent that can replace another. ${meant === undefined ? '' : `Did you mean "${meant}"? `}` +
    `There are: ${known.join(', ')}.`
  );
}
