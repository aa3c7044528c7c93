/** What the arguments of a declared agent may hold in braces. */
export const agentPlaceholders = [
  'prompt',
  'promptFile',
  'directory',
  'outcomeFile',
  'conversation',
  'model',
  'tools',
] as const;

/** How any program that takes a prompt is started: programs and arguments with `{prompt}` and the like in them; regular expressions for its lines. */
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
