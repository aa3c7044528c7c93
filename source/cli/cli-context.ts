import type {TextOptions} from '../reports/index.ts';

declare const ORCHESTRA_VERSION: string | undefined;

/** Set by the build; a placeholder when run from source. */
export const version =
  typeof ORCHESTRA_VERSION === 'undefined' ? '0.0.0-source' : ORCHESTRA_VERSION;

/** The process as a command sees it; read once, in `main.ts`. */
export type CliContext = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly out: (text: string) => void;
  /** Writes bytes to where `out` goes. */
  readonly write: (bytes: Uint8Array) => void;
  readonly err: (text: string) => void;
  /**
   * Reads standard input to its end; absent if it is a terminal. `too-large`: it has more than
   * `maxBytes`.
   */
  readonly readInput?: (maxBytes: number) => Promise<Uint8Array | 'too-large'>;
  /** Whether input and output are both a terminal. */
  readonly isTerminal: boolean;
  /**
   * Options of the command that concern the daemon: how it is asked, and how a rejection is
   * printed.
   */
  readonly asked?: () => {readonly json?: boolean; /** A one-time code. */ readonly code?: string};
  readonly columns: number | undefined;
  readonly rows: number | undefined;
  /** The keyboard and screen, for commands that take over the terminal; absent without one. */
  readonly keyboard?: Keyboard;
  /** The terminal, for the app; absent without one. */
  readonly terminal?: CliTerminal;
};

export type CliTerminal = {
  readonly write: (text: string | Uint8Array) => void;
  readonly size: () => {readonly columns: number; readonly rows: number};
  readonly onResize: (listener: () => void) => () => void;
  readonly onInput: (listener: (bytes: Uint8Array) => void) => () => void;
  readonly raw: (isOn: boolean) => void;
  /** Bytes that it has not written yet. */
  readonly backlog: () => number;
  readonly onSignal: (
    listener: (signal: 'SIGTERM' | 'SIGHUP' | 'SIGINT' | 'SIGTSTP' | 'SIGCONT' | 'exit') => void,
  ) => () => void;
  /** Suspends this process as Ctrl-Z does. */
  readonly suspend: () => void;
};

export type Keyboard = {
  /** Delivers every typed byte until `release` is called. */
  readonly take: (
    typed: (bytes: Uint8Array) => void,
    resized: (columns: number, rows: number) => void,
  ) => {readonly release: () => void};
};

/** Ours are 0 to 3. `attach` exits with the program's code. */
export type ExitCode = number;

/** Turns a command's function into the action of the argument parser, and stores its exit code. */
export type CommandHandler = (act: () => Promise<ExitCode>) => () => Promise<void>;

/** The variables that have a value. */
export function variablesIn({env}: Pick<CliContext, 'env'>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** The width of text, and whether it may have colours: only on a terminal. */
export function getTextOptions({
  columns,
  isTerminal,
  env,
}: Pick<CliContext, 'columns' | 'isTerminal' | 'env'>): TextOptions {
  const isPlain = env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '';
  return {
    width: Math.max(40, Math.min(columns ?? 80, 120)),
    color: isTerminal && !isPlain && env['TERM'] !== 'dumb',
  };
}
