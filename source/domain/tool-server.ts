/** A server of tools (MCP) beside our own that a task may be given: a program that speaks on its standard streams, or an address. */
export type ToolServer = {
  readonly name: string;
  /** Program and arguments; no shell reads them. */
  readonly command?: readonly string[];
  /** Names of the variables that its program gets beside the usual ones. */
  readonly environment?: readonly string[];
  readonly url?: string;
};
