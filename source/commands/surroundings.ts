/** What a command sees of the process it runs in; read once, in `cli.ts`. */
export type Surroundings = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly out: (text: string) => void;
  /** Bytes as they are, to where `out` goes. */
  readonly write: (bytes: Uint8Array) => void;
  readonly err: (text: string) => void;
  /** Both ends are a terminal: somebody looks at it. */
  readonly isTerminal: boolean;
  /** What was said with the command that concerns how the daemon is asked, and how its refusal is told. */
  readonly asked?: () => {readonly json?: boolean; /** A one-time code. */ readonly code?: string};
  readonly columns: number | undefined;
  readonly rows: number | undefined;
  /** The person's keyboard and screen, for what takes them over whole; absent without a terminal. */
  readonly keyboard?: Keyboard;
  /** The whole terminal, for the app; absent without one. */
  readonly terminal?: Terminal;
};

export type Terminal = {
  readonly write: (text: string | Uint8Array) => void;
  readonly size: () => {readonly columns: number; readonly rows: number};
  readonly onResize: (resized: () => void) => () => void;
  readonly onInput: (heard: (bytes: Uint8Array) => void) => () => void;
  readonly raw: (isOn: boolean) => void;
  /** Bytes that it has not taken yet. */
  readonly backlog: () => number;
  readonly onSignal: (
    heard: (signal: 'SIGTERM' | 'SIGHUP' | 'SIGINT' | 'SIGTSTP' | 'SIGCONT' | 'exit') => void,
  ) => () => void;
  /** Stops this process as Ctrl-Z does. */
  readonly suspend: () => void;
};

export type Keyboard = {
  /** Every byte as it is typed, until `release` is called. */
  readonly take: (
    typed: (bytes: Uint8Array) => void,
    resized: (columns: number, rows: number) => void,
  ) => {readonly release: () => void};
};

/** Ours are 0 to 3 (see index.ts). `attach` ends with that of the program. */
export type ExitCode = number;

/** Turns what a command does into what the argument parser calls; its exit code is kept. */
export type Does = (act: () => Promise<ExitCode>) => () => Promise<void>;
