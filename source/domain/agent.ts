/** A worktree that orchestra made for an agent, and the checkout next to which it lies. */
export type AgentWorktree = {readonly worktree: string; readonly checkout: string};

const worktreesSuffix = '.worktrees';

/**
 * Whether a directory next to a repository has the name of one of our worktrees: `r1-t3`,
 * `r1-plan`, `r1-merge-2`.
 */
export function isWorktreeName(name: string): boolean {
  return /^r[1-9]\d*-(?:t[1-9]\d*|plan|merge)(?:-[1-9]\d?)?$/.test(name);
}

/**
 * Whether a directory in `.git/worktrees` has the name that git gives to one of ours, after the
 * path where it was built: `r1-t3-9f2c01ab34`.
 */
export function isWorktreeAdminName(name: string): boolean {
  return /^r[1-9]\d*-(?:t[1-9]\d*|plan|merge)-[\da-f]{10}\d*$/.test(name);
}

/**
 * Finds the outermost agent worktree on a path by the path alone: an agent can write everything
 * below it, including `.git` and nested repositories, but cannot rename the worktree itself.
 * `.orchestra-making` and `.orchestra-trash` hold agents' files as well. The path must be absolute
 * and without symlinks.
 */
export function findAgentWorktree(place: string): AgentWorktree | undefined {
  const parts = place.split('/');
  // On a case-insensitive disk the path may be spelt in another case.
  const names = parts.map((part) => part.toLowerCase());
  const at = names.findIndex(
    (name, index) =>
      isBesideRepository(names[index - 1]) &&
      (isWorktreeName(name) || name.startsWith('.orchestra-')),
  );
  if (at === -1) return undefined;
  return {
    worktree: parts.slice(0, at + 1).join('/'),
    checkout: parts.slice(0, at).join('/').slice(0, -worktreesSuffix.length),
  };
}

function isBesideRepository(parent: string | undefined): boolean {
  return (
    parent !== undefined &&
    parent.length > worktreesSuffix.length &&
    parent.endsWith(worktreesSuffix)
  );
}

/** Placeholders that the arguments of a declared agent may contain in braces. */
export const agentPlaceholders = [
  'prompt',
  'promptFile',
  'directory',
  'outcomeFile',
  'conversation',
  'model',
  'tools',
] as const;

/**
 * How to start any program that takes a prompt: program and arguments with placeholders such as
 * `{prompt}`, and regular expressions for its output lines.
 */
export type DeclaredAgent = {
  readonly name: string;
  readonly plan: readonly string[];
  readonly work: readonly string[];
  readonly resume?: readonly string[];
  readonly takeover?: readonly string[];
  readonly prompt: 'argument' | 'file' | 'stdin' | 'typed';
  readonly model?: string;
  readonly patterns?: {
    readonly ready?: string;
    readonly question?: string;
    readonly conversation?: string;
    readonly gaveUp?: string;
    readonly unavailable?: string;
  };
};

/** A planner only reads; a worker changes files for a task. */
export type AgentRole = 'planner' | 'worker';

/** Agents with an interface of their own, and the roles in which it is proven with the real program. */
export type OwnInterfaces = Readonly<Record<string, readonly AgentRole[]>>;

/** The tools that agents may call, and in which role. The names are public. */
export const agentTools = {
  submit_plan: ['planner'],
  report: ['worker'],
  environment: ['planner', 'worker'],
  service_start: ['worker'],
  service_stop: ['worker'],
  service_status: ['planner', 'worker'],
  service_logs: ['planner', 'worker'],
  port: ['planner', 'worker'],
  recall: ['planner', 'worker'],
  ask_person: ['planner', 'worker'],
  task_status: ['planner', 'worker'],
  shell: ['worker'],
} as const satisfies Readonly<Record<string, readonly AgentRole[]>>;

export type AgentTool = keyof typeof agentTools;

export function isAgentTool(name: string): name is AgentTool {
  return Object.hasOwn(agentTools, name);
}

export function toolsOfRole(role: AgentRole): AgentTool[] {
  return (Object.keys(agentTools) as AgentTool[]).filter((tool) =>
    (agentTools[tool] as readonly AgentRole[]).includes(role),
  );
}

/**
 * A tool server (MCP) of the project that a plan can give to a task: a program that speaks over
 * stdio, or a URL.
 */
export type ToolServer = {
  readonly name: string;
  /** Program and arguments, run without a shell. */
  readonly command?: readonly string[];
  /** Names of environment variables that the program gets in addition to the usual ones. */
  readonly environment?: readonly string[];
  readonly url?: string;
};
