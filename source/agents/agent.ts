export type Agent = {
  readonly name: string;
  /** Absent: built in, always there. */
  readonly program?: AgentProgram;
};

export type AgentProgram = {
  readonly command: string;
  readonly npmPackage: string;
  readonly versionArguments: readonly string[];
  /** Nothing when another program of that name answered. */
  readonly readVersion: (output: string) => string | undefined;
  /** Keeps it from updating itself, or asking the network whether it should. */
  readonly quiet: Readonly<Record<string, string>>;
  /** What it says, on a line of its own, when it has not the conversation that it is to go on with. Said by itself: no service was asked before. */
  readonly lost: RegExp;
};
