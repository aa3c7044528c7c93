/** What an agent is started for. */
export type Job = {
  /** `plan` may write nothing; `work` changes the worktree; `takeover` hands the agent's own screen to a person. */
  readonly mode: 'plan' | 'work' | 'takeover';
  /** The worktree, which is also the working directory. */
  readonly directory: string;
  /** The whole prompt, the rules first. */
  readonly prompt: string;
  /** The same text in a private file: one argument holds 128 KiB at most. */
  readonly promptFile: string;
  /** Where the agent, or what wraps it, may leave its outcome (see `readOutcomeFile`). */
  readonly outcomeFile: string;
  /** Go on with this conversation. Absent: a fresh one. */
  readonly conversation?: string;
  readonly model?: string;
  /** The person's own settings file of the agent (`settingsFile`), and its text if there is one. */
  readonly ownSettings?: {readonly path: string; readonly text?: string};
  /** It runs in our sandbox, where all it can write is its worktree: its shell needs no further leave. */
  readonly isConfined?: boolean;
  /** An agent's own sandbox works inside of ours; for root it does not. @default true */
  readonly nestsSandboxes?: boolean;
  /** The task's id in its plan: `t3`. */
  readonly task?: string;
  /** Counted from 1; from 2 on it is a repair. */
  readonly attempt?: number;
  /** The file that the agent `playbook` follows. */
  readonly playbook?: string;
  /** What this start may use of tokens before it is stopped. @default without end */
  readonly tokenLimit?: number;
  /** The servers of tools (MCP) that it is given for this session, and for no other. */
  readonly tools?: JobTools;
};

export type JobTools = {
  /** Our own server, `orchestra`: program and arguments. */
  readonly argv: readonly string[];
  /** Beside the agent's own environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Others that the task has: each is ours with `--server NAME`, which keeps its answers short. */
  readonly servers?: readonly string[];
  /** How long one call may wait for a person. @default 600000 */
  readonly waitMs?: number;
};
