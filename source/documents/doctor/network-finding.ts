import type {NetworkKind, NetworkRule, NetworkRules, SandboxWish} from '../../domain/index.ts';
import type {SandboxFacts} from './doctor-facts.ts';

type Finding = readonly [
  name: 'network',
  level: 'ok' | 'warning' | 'error',
  text: readonly string[],
  advice?: string,
];

const titles: Readonly<Record<NetworkKind, string>> = {
  planner: 'planners',
  workers: 'workers',
  checks: 'checks',
};

/** What of the network sandboxed sessions reach, what that means, and whether this machine can keep it. */
export function networkFinding(
  facts: SandboxFacts,
  {sandbox, network}: {readonly sandbox?: SandboxWish; readonly network?: NetworkRules},
): Finding {
  const rules = (['planner', 'workers', 'checks'] as const).map((kind) => ({
    kind,
    rule: network?.[kind] ?? 'all',
  }));
  if (rules.every(({rule}) => rule === 'all')) {
    return [
      'network',
      'ok',
      [
        'all (the default): agents and checks reach every host that you reach, and every service on this machine',
        `"network:" under "sandbox:" in .orchestra/project.yaml restricts it${obstacleIn(facts) === undefined ? '' : '; this machine could not keep that'}`,
      ],
    ];
  }

  const text = rules.map(({kind, rule}) => `${titles[kind]}: ${ruleInWords(rule)}`);
  const obstacle = obstacleIn(facts);
  if (obstacle !== undefined) {
    return sandbox === 'required'
      ? [
          'network',
          'error',
          [...text, `this cannot be kept here: ${obstacle}; nothing is started`],
          'Repair what stands in the way, or set sandbox: {use: auto} in .orchestra/project.yaml.',
        ]
      : [
          'network',
          'warning',
          [
            ...text,
            `this is NOT kept here: ${obstacle}; agents and checks reach everything that you reach`,
          ],
          'Write "use: required" under "sandbox:" in .orchestra/project.yaml, so that nothing is started then.',
        ];
  }

  const deaf = rules
    .filter(({kind, rule}) => kind !== 'checks' && rule === 'none')
    .map(({kind}) => titles[kind]);
  if (deaf.length === 0) return ['network', 'ok', text];
  return [
    'network',
    'warning',
    [...text, `with none, ${deaf.join(' and ')} cannot ask a model either`],
    'Write {allow: []} for the service of the agent alone.',
  ];
}

function ruleInWords(rule: NetworkRule): string {
  if (rule === 'all' || rule === 'none') return rule;
  const {allow} = rule;
  return `only ${allow.length === 0 ? 'what the agent itself needs' : allow.length > 6 ? `${allow.slice(0, 6).join(', ')} and ${allow.length - 6} more` : allow.join(', ')}`;
}

function obstacleIn(facts: SandboxFacts): string | undefined {
  if (facts.at !== 'works') return 'there is no sandbox';
  if (facts.network?.at === 'works') return undefined;
  return `${facts.name} cannot make a network of its own${facts.network === undefined || facts.network.said === '' ? '' : `: ${facts.network.said}`}`;
}
