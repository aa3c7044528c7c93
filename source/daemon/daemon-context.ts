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
 * Everything that effects, monitors and request handlers share, made once at startup. Only the files
 * that wire the daemon take the whole (`test/architecture.test.ts` lists them); a function takes the
 * capabilities below that it uses, or a `Pick` of one.
 */
export type DaemonContext = LaunchContext & ActorProof;

/** What it takes to launch the program of a session: all but the proof of who asks. */
export type LaunchContext = StateReader &
  JournalReader &
  SessionFiles &
  RepositoryAccess &
  RepositoryGuards &
  DaemonDirectory &
  SessionLaunching &
  RunVariables &
  SessionVariables &
  SecretValues &
  DaemonClock &
  KernelAccess &
  DaemonLog &
  UserAccount;

/** The state that the events of the journal lead to. */
export type StateReader = {
  readonly state: () => State;
};

/** What happened before, from the journal. */
export type JournalReader = {
  /** Every event about a run. */
  readonly eventsOf: (run: RunId) => readonly Event[];
};

/** The files of each session: its log, its settings, its records. */
export type SessionFiles = {
  readonly store: SessionStore;
};

/** The person's repository. */
export type RepositoryAccess = {
  /** Its root. */
  readonly root: string;
  /** Git for it, opened on first use: a daemon that only keeps sessions needs none. */
  readonly workspace: () => Workspace;
};

/** Finds out whether somebody changed the git files that all worktrees share. */
export type RepositoryGuards = {
  /** Fingerprints of these files from the start of each run. */
  readonly guards: Guards;
};

/** What a prompt is composed from: state, files, facts, and what to redact. */
export type PromptSources = StateReader &
  SessionFiles &
  RepositoryAccess &
  Pick<SessionLaunching, 'randomToken'> &
  SecretValues &
  DaemonClock &
  KernelAccess;

/** Where the daemon keeps its own files. */
export type DaemonDirectory = {
  /** The state directory of this repository alone; agents never see it. */
  readonly stateDirectory: string;
};

/** What programs are started with: our own programs, the sandbox, and the ways back to the daemon. */
export type SessionLaunching = {
  /** The command that starts a keeper; the session's directory is appended. */
  readonly keeperProgram: readonly string[];
  /**
   * The command that starts the supervisor of a restricted network, and the bridge inside it; the
   * file is appended.
   */
  readonly networkProgram: readonly string[];
  /** The command line of orchestra itself, for built-in agents. */
  readonly ownProgram: readonly string[];
  /** Which sandbox this machine supports; tried out once, on first use. */
  readonly sandbox: () => Promise<SandboxFacts>;
  readonly runtimeDirectory: string;
  /**
   * The socket for the tools of agents. Its directory is the only one of the daemon's that they can
   * reach.
   */
  readonly agentsSocket: string;
  readonly randomToken: () => string;
  /**
   * The session cookie of hooks and notification commands. It cannot be guessed and is valid for
   * this daemon only.
   */
  readonly hookMark: string;
};

/** The variables of the daemon and of the runs. */
export type RunVariables = {
  /** The daemon's own environment, or that of a run (`withRunEnvironment`). */
  readonly env: Readonly<Record<string, string>>;
  /**
   * The environments that runs were requested from; every session of a run gets its run's
   * (`withRunEnvironment`).
   */
  readonly environments: RunEnvironments;
};

/** The variables of sessions that belong to no run. */
export type SessionVariables = {
  /** The environment and terminal size that a session starts with. */
  readonly getEnvironment: (session: SessionId) => {
    readonly env: Readonly<Record<string, string>>;
    readonly size: TerminalSize;
  };
  /** Deletes what `getEnvironment` returned, once the session runs. */
  readonly releaseEnvironment: (session: SessionId) => void;
  readonly serviceEnvironments: ServiceEnvironments;
};

/** What must not be shown or stored. */
export type SecretValues = {
  /**
   * Secret values to redact from prompts, summaries and the journal: the daemon's, and those of
   * every run and service.
   */
  readonly secrets: () => readonly string[];
};

/** The time. */
export type DaemonClock = {
  readonly now: () => number;
};

/** Facts about this machine's processes. */
export type KernelAccess = {
  readonly kernel: Kernel;
  readonly bootId: string;
};

/** The daemon's own log. */
export type DaemonLog = {
  readonly log: (line: string) => void;
};

/** The account that the daemon runs as. */
export type UserAccount = {
  readonly home: string;
  readonly uid: number;
};

/** What proves that a person asks. */
export type ActorProof = {
  /** Which processes started the daemons of this boot, and who adopts orphans. */
  readonly origins: () => Promise<Origins>;
  /** One-time codes for clients that cannot be proved to be the person. */
  readonly codes: Codes;
};

export type Guards = {
  /** The paths that changed since the fingerprint was taken. Takes it if there is none. */
  readonly check: (run: RunId) => Promise<readonly string[]>;
  /** Includes what the daemon itself has just created. */
  readonly extend: (run: RunId) => Promise<void>;
  /** Drops the fingerprint: a person has seen what changed, or the run is over. */
  readonly forget: (run: RunId) => void;
};
