/** What a command sees of the process it runs in; read once, in `cli.ts`. */
export type Surroundings = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Both ends are a terminal: somebody looks at it. */
  readonly isTerminal: boolean;
  readonly columns: number | undefined;
  readonly rows: number | undefined;
};

export type ExitCode = 0 | 1 | 2 | 3;
