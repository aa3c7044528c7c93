import type {Event, RunId, SessionId, State} from '../domain/index.ts';
import type {Kernel} from '../system/index.ts';
import type {TerminalSize} from '../protocol/index.ts';
import type {SandboxFacts} from '../sandbox/index.ts';
import type {Workspace} from '../git/index.ts';
import type {Codes} from './server/one-time-codes.ts';
import type {Origins} from './startup/note-start.ts';
import type {RunEnvironments, ServiceEnvironments} from './sessions/environments.ts';
import type {SessionStore} from './sessions/session-store.ts';

/**
 * Everything that effects, monitors and request handlers share. A function takes a `Pick` of it
 * where it needs little.
 */
export type DaemonContext = {
  readonly state: () => State;
  readonly store: SessionStore;
  /** The root of the repository. */
  readonly root: string;
  /** The state directory of this repository alone; agents never see it. */
  readonly stateDirectory: string;
  readonly runtimeDirectory: string;
  /**
   * The socket for the tools of agents. Its directory is the only one of the daemon's that they can
   * reach.
   */
  readonly agentsSocket: string;
  /** Git for this repository, opened on first use: a daemon that only keeps sessions needs none. */
  readonly workspace: () => Workspace;
  /** The command that starts a keeper; the session's directory is appended. */
  readonly keeperProgram: readonly string[];
  /**
   * The command that starts the supervisor of a restricted network, and the bridge inside it; the
   * file is appended.
   */
  readonly networkProgram: readonly string[];
  /** The command line of orchestra itself, for built-in agents. */
  readonly ownProgram: readonly string[];
  readonly randomToken: () => string;
  /**
   * The session cookie of hooks and notification commands. It cannot be guessed and is valid for
   * this daemon only.
   */
  readonly hookMark: string;
  readonly bootId: string;
  /** Which processes started the daemons of this boot, and who adopts orphans. */
  readonly origins: () => Promise<Origins>;
  /** One-time codes for clients that cannot be proved to be the person. */
  readonly codes: Codes;
  /** The environment and terminal size that a session starts with. */
  readonly getEnvironment: (session: SessionId) => {
    readonly env: Readonly<Record<string, string>>;
    readonly size: TerminalSize;
  };
  /** Deletes what `getEnvironment` returned, once the session runs. */
  readonly releaseEnvironment: (session: SessionId) => void;
  /** The daemon's own environment, or that of a run (`withRunEnvironment`). */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Secret values to redact from prompts, summaries and the journal: the daemon's, and those of
   * every run and service.
   */
  readonly secrets: () => readonly string[];
  /**
   * The environments that runs were requested from; every session of a run gets its run's
   * (`withRunEnvironment`).
   */
  readonly environments: RunEnvironments;
  readonly serviceEnvironments: ServiceEnvironments;
  readonly home: string;
  readonly uid: number;
  /** Which sandbox this machine supports; tried out once, on first use. */
  readonly sandbox: () => Promise<SandboxFacts>;
  readonly now: () => number;
  readonly kernel: Kernel;
  readonly log: (line: string) => void;
  /** Fingerprints of the shared git files from the start of each run. */
  readonly guards: Guards;
  /** Every event about a run, from the journal. */
  readonly eventsOf: (run: RunId) => readonly Event[];
};

export type Guards = {
  /** The paths that changed since the fingerprint was taken. Takes it if there is none. */
  readonly check: (run: RunId) => Promise<readonly string[]>;
  /** Includes what the daemon itself has just created. */
  readonly extend: (run: RunId) => Promise<void>;
  /** Drops the fingerprint: a person has seen what changed, or the run is over. */
  readonly forget: (run: RunId) => void;
};
