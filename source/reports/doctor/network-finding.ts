import type {NetworkKind, NetworkRule, NetworkRules, SandboxMode} from '../../domain/index.ts';
import type {SandboxFacts} from '../../sandbox/index.ts';
import {type Finding, finding} from './finding.ts';

/**
 * What sandboxed sessions can reach on the network, and whether this machine can enforce the rules.
 */
export function networkFinding(
  facts: SandboxFacts,
  {sandbox, network}: {readonly sandbox?: SandboxMode; readonly network?: NetworkRules},
): Finding {
  const rules = (['planner', 'workers', 'checks'] as const).map((kind) => ({
    kind,
    rule: network?.[kind] ?? 'all',
  }));
  const obstacle = findObstacle(facts);
  if (rules.every(({rule}) => rule === 'all')) {
    return finding('network', 'ok', [
      'all (the default): agents and checks can reach every host that you can, and every service on this machine',
      `"network:" under "sandbox:" in .orchestra/project.yaml restricts it${obstacle === undefined ? '' : '; this machine cannot enforce that'}`,
    ]);
  }

  const text = rules.map(({kind, rule}) => `${titles[kind]}: ${formatRule(rule)}`);
  if (obstacle !== undefined && sandbox === 'required') {
    return finding(
      'network',
      'error',
      [...text, `this machine cannot enforce that: ${obstacle}; nothing starts`],
      'Repair the cause, or set sandbox: {use: auto} in .orchestra/project.yaml.',
    );
  }

  if (obstacle !== undefined) {
    return finding(
      'network',
      'warning',
      [
        ...text,
        `this machine does NOT enforce that: ${obstacle}; agents and checks can reach everything that you can`,
      ],
      'To start nothing in that case, write "use: required" under "sandbox:" in .orchestra/project.yaml.',
    );
  }

  const withoutModel = rules
    .filter(({kind, rule}) => kind !== 'checks' && rule === 'none')
    .map(({kind}) => titles[kind]);
  if (withoutModel.length === 0) return finding('network', 'ok', text);
  return finding(
    'network',
    'warning',
    [...text, `with none, ${withoutModel.join(' and ')} cannot reach a model either`],
    'Write {allow: []} to allow only the service of the agent.',
  );
}

const titles: Readonly<Record<NetworkKind, string>> = {
  planner: 'planners',
  workers: 'workers',
  checks: 'checks',
};

const maxHosts = 6;

function formatRule(rule: NetworkRule): string {
  if (rule === 'all' || rule === 'none') return rule;
  const {allow} = rule;
  if (allow.length === 0) return 'only what the agent itself needs';
  const shown = allow.slice(0, maxHosts).join(', ');
  return allow.length > maxHosts
    ? `only ${shown} and ${allow.length - maxHosts} more`
    : `only ${shown}`;
}

/** Why the sandbox cannot restrict the network, or nothing if it can. */
function findObstacle(facts: SandboxFacts): string | undefined {
  if (facts.at !== 'works') return 'there is no sandbox';
  if (facts.network?.at === 'works') return undefined;
  return `${facts.name} cannot make a private network${facts.network === undefined || facts.network.said === '' ? '' : `: ${facts.network.said}`}`;
}
