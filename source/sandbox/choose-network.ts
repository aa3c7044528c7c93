import type {NetworkKind, NetworkRule, Project, Purpose} from '../domain/index.ts';
import type {SandboxChoice} from './choose-sandbox.ts';
import type {SandboxFacts} from './read-sandbox.ts';

/** What of the network a session gets. `words` are for people; `isWeaker`: the project asks for more than this machine can do. */
export type NetworkChoice =
  | {readonly at: 'all'; readonly words: string; readonly isWeaker?: true}
  | {readonly at: 'none'; readonly words: string}
  | {readonly at: 'allow'; readonly hosts: readonly string[]; readonly words: string}
  | {readonly at: 'refused'; readonly words: string};

/** Which rule is a session's. What makes a worktree ready and what a person takes over is the worker's. */
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
 * What a project wishes, and what the machine can do. `required` starts nothing with more network than the project says;
 * `auto` never hides that it does. `own` are the hosts that the session's agent itself needs.
 */
export function chooseNetwork(
  rule: NetworkRule,
  {
    wish,
    sandbox,
    facts,
    own = [],
  }: {
    readonly wish: 'auto' | 'required' | 'off';
    readonly sandbox: SandboxChoice;
    readonly facts: SandboxFacts;
    readonly own?: readonly string[];
  },
): NetworkChoice {
  if (rule === 'all')
    return {at: 'all', words: 'The whole network, and every service on this machine.'};
  if (sandbox.use === 'refused') return {at: 'refused', words: sandbox.words};
  const obstacle = sandbox.use ? obstacleIn(facts) : 'there is no sandbox';
  if (obstacle === undefined) return restricted(rule, own);
  if (wish === 'required')
    return {
      at: 'refused',
      words: `The project restricts the network of sessions, and ${obstacle}. Nothing is started. Run orchestra doctor for what stands in the way, or set sandbox: {use: auto} in .orchestra/project.yaml.`,
    };
  return {
    at: 'all',
    isWeaker: true,
    words: `The network is NOT restricted, though the project says so: ${obstacle}. The session reaches everything that you reach.`,
  };
}

function restricted(rule: Exclude<NetworkRule, 'all'>, own: readonly string[]): NetworkChoice {
  if (rule === 'none') return {at: 'none', words: 'None.'};
  const hosts = [...new Set([...own, ...rule.allow])];
  const listed = rule.allow.length === 0 ? 'no host of the project' : rule.allow.join(', ');
  return {
    at: 'allow',
    hosts,
    words: `${listed}${own.length === 0 ? '' : `; for the agent itself: ${own.join(', ')}`}. Nothing else.`,
  };
}

function obstacleIn(facts: SandboxFacts): string | undefined {
  if (facts.at !== 'works') return 'there is no sandbox';
  if (facts.network?.at === 'works') return undefined;
  return `${facts.name} cannot make a network of its own here${facts.network === undefined || facts.network.said === '' ? '' : `: ${facts.network.said}`}`;
}
