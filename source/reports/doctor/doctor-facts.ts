import type {NetworkRules, SandboxMode} from '../../domain/index.ts';
import type {SandboxFacts} from '../../sandbox/index.ts';

/** What the other modules found out about the machine. `doctor --json` prints all of it. */
export type DoctorFacts = {
  readonly node: {readonly version: string; readonly file: string};
  readonly system: {
    readonly platform: string;
    readonly arch: string;
    readonly kernel: string;
    readonly wsl?: 1 | 2;
  };
  readonly git: ProgramFacts;
  readonly repository: DoctorRepository;
  /** Dependency directories of the checkout that tasks would not have. */
  readonly unshared?: readonly {readonly path: string; readonly tool: string}[];
  /** Problems in the repository's project file. Absent if there is no such file. */
  readonly project?: {
    readonly file: string;
    readonly problems: readonly {readonly line: number; readonly text: string}[];
    readonly sandbox?: SandboxMode;
    readonly network?: NetworkRules;
  };
  readonly terminal: TerminalFacts;
  readonly state: DoctorDirectory;
  readonly runtime: DoctorDirectory & {readonly tooLong: readonly string[]};
  readonly disks: readonly {readonly path: string; readonly free: number; readonly total: number}[];
  readonly agents: readonly (ProgramFacts & {
    readonly name: string;
    readonly npmPackage: string;
    /** Whether the agent starts in the sandbox of its sessions. Absent if they have no sandbox. */
    readonly sandboxed?:
      {readonly at: 'works'} | {readonly at: 'fails'; readonly how: string; readonly said: string};
    /** What the agent's own settings need but a session would not get, and what to do about it. */
    readonly lacks?: string;
  })[];
  readonly defaultAgent: string;
  readonly sandbox: SandboxFacts;
  /** Path of `ss`, which asks the kernel who is connected. Linux only. */
  readonly approval: {readonly file?: string};
  readonly logout: LogoutFacts;
  readonly gh: ProgramFacts;
  /** Only if requested. */
  readonly journals?: readonly JournalFacts[];
  /**
   * Only if this repository's daemon runs and its journal accepts no records: what that means and
   * what to do.
   */
  readonly daemonJournal?: string;
};

export type ProgramFacts =
  | {readonly at: 'missing'; readonly ignored: readonly string[]}
  | {readonly at: 'works'; readonly file: string; readonly version: string}
  | {readonly at: 'silent'; readonly file: string; readonly why: SilenceFacts};

type SilenceFacts =
  | {readonly at: 'timed-out'; readonly timeoutMs: number}
  | {readonly at: 'failed'; readonly how: string}
  | {readonly at: 'unreadable'; readonly said: string};

export type DoctorRepository =
  | {readonly at: 'none'}
  | {readonly at: 'unknown'; readonly said: string}
  | {
      readonly at: 'repository';
      readonly commonDirectory: string;
      readonly topLevel?: string;
      readonly isBare: boolean;
      readonly isShallow: boolean;
      readonly hasCommit: boolean;
      readonly hasSubmodules: boolean;
    };

export type TerminalFacts = {
  readonly isTerminal: boolean;
  readonly columns?: number;
  readonly rows?: number;
  readonly term: string;
  readonly locale: string;
  readonly colour: 'none' | 'basic' | 'full';
  /** `tmux`, `screen`, `ssh`. */
  readonly inside: readonly string[];
};

export type DoctorDirectory = {
  readonly path: string;
  readonly exists: boolean;
  readonly refusal?: {readonly got: string; readonly advice: string};
  readonly fileSystem: {
    readonly name: string;
    readonly isNetwork: 'yes' | 'no' | 'maybe' | 'unknown';
  };
};

export type LogoutFacts = {
  readonly hasSystemd: boolean;
  readonly killsProcesses?: boolean;
  readonly lingers?: boolean;
};

export type JournalFacts = {readonly path: string} & (
  | {readonly at: 'unreadable'; readonly said: string}
  | {
      readonly at: 'read';
      readonly records: number;
      readonly ending: 'clean' | 'torn' | 'damaged' | 'newer-version' | 'unknown-type';
      /** What is wrong with the end of the journal, as a sentence. */
      readonly said: string;
      readonly blobs: number;
      readonly damagedBlobs: readonly string[];
    }
);
