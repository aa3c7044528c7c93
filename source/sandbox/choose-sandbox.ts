import type {NetworkKind, NetworkRule, Project, Purpose} from '../domain/index.ts';
import type {SandboxFacts} from './sandbox-facts.ts';
import type {SandboxAbilities} from './policy.ts';

/**
 * The network of a session. `words` is text for people; `isWeaker`: the project asks for more than
 * this machine can do.
 */
export type NetworkChoice =
  | {readonly at: 'all'; readonly words: string; readonly isWeaker?: true}
  | {readonly at: 'none'; readonly words: string}
  | {readonly at: 'allow'; readonly hosts: readonly string[]; readonly words: string}
  | {readonly at: 'refused'; readonly words: string};

/** Which network rule applies to a session. Worktree setup and takeovers use the workers' rule. */
const kinds: Readonly<Partial<Record<Purpose['for'], NetworkKind>>> = {
  plan: 'planner',
  setup: 'workers',
  'worktree-setup': 'workers',
  baseline: 'checks',
  attempt: 'workers',
  takeover: 'workers',
  shell: 'workers',
  check: 'checks',
};

export function networkRuleFor(
  {network}: Pick<Project, 'network'>,
  {for: purpose}: Pick<Purpose, 'for'>,
): NetworkRule {
  const kind = kinds[purpose];
  return (kind === undefined ? undefined : network?.[kind]) ?? 'all';
}

/**
 * Combines the project's rule with the abilities of the machine. With `required`, nothing starts
 * with more network than the rule allows; with `auto` it may, and the text says so. `own` are the
 * hosts that the agent itself needs.
 */
export function chooseNetwork(
  rule: NetworkRule,
  {
    use,
    sandbox,
    facts,
    own = [],
  }: {
    readonly use: 'auto' | 'required' | 'off';
    readonly sandbox: SandboxChoice;
    readonly facts: SandboxFacts;
    readonly own?: readonly string[];
  },
): NetworkChoice {
  if (rule === 'all')
    return {at: 'all', words: 'The whole network, and every service on this machine.'};
  if (sandbox.use === 'refused') return {at: 'refused', words: sandbox.words};
  const obstacle = sandbox.use ? findNetworkObstacle(facts) : 'there is no sandbox';
  if (obstacle === undefined) return restrictTo(rule, own);
  if (use === 'required')
    return {
      at: 'refused',
      words:
        `The project restricts the network of sessions, and ${obstacle}. Nothing starts. ` +
        'Run orchestra doctor to see why, or set sandbox: {use: auto} in ' +
        '.orchestra/project.yaml.',
    };
  return {
    at: 'all',
    isWeaker: true,
    words:
      `The network is NOT restricted, though the project says so: ${obstacle}. The session ` +
      'can reach everything that you can.',
  };
}

function restrictTo(rule: Exclude<NetworkRule, 'all'>, own: readonly string[]): NetworkChoice {
  if (rule === 'none') return {at: 'none', words: 'None.'};
  const hosts = [...new Set([...own, ...rule.allow])];
  const listed = rule.allow.length === 0 ? 'no host of the project' : rule.allow.join(', ');
  return {
    at: 'allow',
    hosts,
    words: `${listed}${own.length === 0 ? '' : `; for the agent itself: ${own.join(', ')}`}. Nothing else.`,
  };
}

function findNetworkObstacle(facts: SandboxFacts): string | undefined {
  if (facts.at !== 'works') return 'there is no sandbox';
  if (facts.network?.at === 'works') return undefined;
  return (
    `${facts.name} cannot make a private network ` +
    `here${facts.network === undefined || facts.network.said === '' ? '' : `: ${facts.network.said}`}`
  );
}

/**
 * `refused`: the sandbox is required but not available, so nothing may start. `words` is text for
 * people.
 */
export type SandboxChoice =
  | {
      readonly use: true;
      readonly file: string;
      readonly words: string;
      readonly can?: SandboxAbilities;
    }
  | {readonly use: false; readonly words: string}
  | {readonly use: 'refused'; readonly words: string};

/**
 * Combines the project's setting with the abilities of the machine. With `auto` and no sandbox, the
 * text says so.
 */
export function chooseSandbox(
  use: 'auto' | 'required' | 'off',
  facts: SandboxFacts,
): SandboxChoice {
  if (use === 'off')
    return {use: false, words: `No sandbox: the project says sandbox: off. ${consequence}`};
  if (facts.at === 'works' && facts.isVerified)
    return {
      use: true,
      file: facts.file,
      words: `Agents run in a sandbox (${facts.name}).`,
      ...(facts.can === undefined ? {} : {can: facts.can}),
    };
  const why = formatReason(facts);
  if (use === 'auto') return {use: false, words: `No sandbox: ${why}. ${consequence}`};
  return {
    use: 'refused',
    words: `The project says sandbox: required, but ${why}. Nothing starts. ${formatRemedy(facts)}`,
  };
}

const consequence =
  'An agent can write wherever you can; orchestra finds what it changes outside its worktree only afterwards.';

function formatReason(facts: SandboxFacts): string {
  switch (facts.at) {
    case 'none': {
      return 'this platform has none';
    }

    case 'missing': {
      return `${facts.name} is not installed`;
    }

    case 'broken': {
      return `${facts.name} (${facts.file}) does not work here: ${facts.said}`;
    }

    case 'works': {
      return `orchestra is not tested with ${facts.name}`;
    }
  }
}

function formatRemedy(facts: SandboxFacts): string {
  if (facts.at === 'missing')
    return `Install ${facts.installation ?? facts.name}, or set sandbox: auto in .orchestra/project.yaml.`;
  if (facts.at === 'broken')
    return 'Run orchestra doctor to see why, or set sandbox: auto in .orchestra/project.yaml.';
  return 'Run orchestra where bubblewrap works (Linux), or set sandbox: auto in .orchestra/project.yaml.';
}
