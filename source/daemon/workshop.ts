import type {Event, RunId, SessionId, State} from '../domain/index.ts';
import type {Kernel} from '../machine/index.ts';
import type {Size} from '../protocol/index.ts';
import type {SandboxFacts} from '../sandbox/index.ts';
import type {Workspace} from '../workspace/index.ts';
import type {Codes} from './create-codes.ts';
import type {Origins} from './note-origins.ts';
import type {RunEnvironments} from './run-environments.ts';
import type {ServiceEnvironments} from './service-environments.ts';
import type {SessionStore} from './session-store.ts';

/** What the performers work with. */
export type Workshop = {
  readonly state: () => State;
  readonly store: SessionStore;
  /** The root of the repository. */
  readonly root: string;
  /** Of this repository alone; agents never see it. */
  readonly stateDirectory: string;
  readonly runtimeDirectory: string;
  /** Where agents call their tools; in a directory of its own, which is all of ours that they can reach. */
  readonly agentsSocket: string;
  /** Git, for this repository. Opened when it is first needed: a daemon that keeps sessions only needs none. */
  readonly workspace: () => Workspace;
  /** How a keeper is started; its directory is appended. */
  readonly keeperProgram: readonly string[];
  /** How the supervisor of a restricted network is started, and the bridge inside of it: the file stands last. */
  readonly networkProgram: readonly string[];
  /** This very program, for the agents that are built in. */
  readonly ownProgram: readonly string[];
  readonly randomToken: () => string;
  /** In the environment of what the daemon itself starts to tell somebody. Nobody can guess it, and it ends with this daemon. */
  readonly hookMark: string;
  readonly bootId: string;
  /** Where the daemons of this boot come from. */
  readonly origins: () => Promise<Origins>;
  /** One-time codes for who cannot be proved to be the person. */
  readonly codes: Codes;
  /** The environment and the screen size that a session gets. */
  readonly surroundingsOf: (session: SessionId) => {
    readonly env: Readonly<Record<string, string>>;
    readonly size: Size;
  };
  /** It has been started with them: they are kept no longer. */
  readonly releaseSurroundings: (session: SessionId) => void;
  /** The environment that the daemon was started with; of what is started for a run, the run's (`inRun`). */
  readonly env: Readonly<Record<string, string>>;
  /** Values that nobody may read in a prompt, a summary or the journal: the daemon's own and those of every run's environment. */
  readonly secrets: () => readonly string[];
  /** What runs were asked for in; every session of theirs gets it (`inRun`). */
  readonly environments: RunEnvironments;
  readonly serviceEnvironments: ServiceEnvironments;
  readonly home: string;
  readonly uid: number;
  /** What this machine has to confine agents with; tried once, when it is first needed. */
  readonly sandbox: () => Promise<SandboxFacts>;
  readonly now: () => number;
  readonly kernel: Kernel;
  readonly log: (line: string) => void;
  /** What was seen of the shared git files when the run was surveyed. */
  readonly guards: Guards;
  /** Everything that was written down about a run, from the journal. */
  readonly eventsOf: (run: RunId) => readonly Event[];
};

export type Guards = {
  /** The paths that changed since the run's guard was set; sets it when there is none. */
  readonly check: (run: RunId) => Promise<readonly string[]>;
  /** We ourselves have made something: from now on it is watched as well. */
  readonly extend: (run: RunId) => Promise<void>;
  /** A person has seen what changed, or the run is over. */
  readonly forget: (run: RunId) => void;
};
