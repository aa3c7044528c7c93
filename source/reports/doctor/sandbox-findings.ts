import type {Obstacle, SandboxFacts} from '../../sandbox/index.ts';
import type {DoctorFacts} from './doctor-facts.ts';
import {type Finding, finding} from './finding.ts';
import type {NetworkKind, NetworkRule, NetworkRules, SandboxMode} from '../../domain/index.ts';

export function sandboxFinding(sandbox: SandboxFacts): Finding {
  const without =
    'agents can read what you can read, and orchestra finds what they write outside their worktree only afterwards';
  if (sandbox.at === 'none')
    return finding(
      'sandbox',
      'warning',
      ['none for this platform', without],
      'Run orchestra in a container or a virtual machine.',
    );
  if (sandbox.at === 'missing')
    return finding(
      'sandbox',
      'warning',
      [`none: ${sandbox.name} is not installed`, without],
      `Install ${sandbox.installation ?? sandbox.name}.`,
    );
  if (sandbox.at === 'works')
    return finding('sandbox', 'ok', [
      `${sandbox.name} (${sandbox.file})${sandbox.isVerified ? '' : '; orchestra is not tested with it'}`,
      ...abilityTexts(sandbox.can),
    ]);
  const [why, advice] = obstacles[sandbox.why];
  return finding(
    'sandbox',
    'warning',
    [
      `${sandbox.name} (${sandbox.file}) does not work here: ${why}`,
      `it printed: ${sandbox.said}`,
      without,
    ],
    advice,
  );
}

const obstacles: Readonly<Record<Obstacle, readonly [string, string]>> = {
  'user-namespaces-off': [
    'user namespaces are switched off',
    'As root: sysctl -w user.max_user_namespaces=15000 (on Debian also kernel.unprivileged_userns_clone=1).',
  ],
  apparmor: [
    'AppArmor restricts user namespaces',
    'Give bwrap an AppArmor profile with "userns", or, weaker, as root: sysctl -w ' +
      'kernel.apparmor_restrict_unprivileged_userns=0',
  ],
  container: [
    'this container does not allow it',
    'Start the container with user namespaces and mounts allowed, or use the container as the sandbox.',
  ],
  unknown: ['for an unknown reason', 'Its output above says why.'],
};

/** Sandbox features that this machine does not allow, and the consequence of each. */
function abilityTexts(
  can: {readonly processes: boolean; readonly layers: boolean} | undefined,
): readonly string[] {
  if (can === undefined) return [];
  return [
    ...(can.processes
      ? []
      : [
          'no process namespace here (is this a container?): orchestra searches for the ' +
            'processes that an agent leaves behind and names them; the kernel does not end ' +
            'them',
        ]),
    ...(can.layers
      ? []
      : [
          'no layered directories here: agents and checks start with empty caches instead of reading yours',
        ]),
  ];
}

/** Whether the kernel can identify the client that requests an action only a person may take. */
export function approvalFinding({file}: DoctorFacts['approval'], platform: string): Finding {
  if (platform !== 'linux')
    return finding(
      'approval',
      'warning',
      [
        'the kernel does not show here which process sends a request',
        'every process that can read the token in the runtime directory counts as you, also an agent without a sandbox',
      ],
      'Use the sandbox, or another user account for agents.',
    );
  if (file === undefined)
    return finding(
      'approval',
      'error',
      [
        'ss was not found, so orchestra cannot see which process sends a request',
        'you cannot approve, accept, type or stop anything',
      ],
      'Install the package iproute2.',
    );
  return finding('approval', 'ok', `the kernel shows which process sends a request (${file})`);
}

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
      '"network:" under "sandbox:" in .orchestra/project.yaml restricts ' +
        `it${obstacle === undefined ? '' : '; this machine cannot enforce that'}`,
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
  return (
    `${facts.name} cannot make a private ` +
    `network${facts.network === undefined || facts.network.said === '' ? '' : `: ${facts.network.said}`}`
  );
}
