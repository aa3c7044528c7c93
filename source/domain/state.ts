import {emptyLedger, type Ledger} from '../shared/index.ts';
import type {DeclaredAgent, ToolServer} from './agent.ts';
import type {RunId, SessionId} from './ids.ts';
import type {AcceptWay, Run, WorkerMode} from './run.ts';
import type {Service, ServiceSpec} from './service.ts';
import type {Session} from './session.ts';

/** The whole state: the fold of the journal, and nothing else. */
export type State = {
  /** The number of folded events, and the time of the last one. */
  readonly seq: number;
  readonly at: number;
  /** The id of the journal; sessions of another journal are not ours. */
  readonly journal?: string;
  readonly project: Project;
  readonly runs: Ledger<Run>;
  /** Runs that wait for capacity, in the order in which they will start. */
  readonly queue: readonly RunId[];
  readonly sessions: Ledger<Session>;
  /** Sessions whose process has not ended. */
  readonly live: readonly SessionId[];
  readonly services: readonly Service[];
  readonly notes: readonly Note[];
  readonly intrusions: readonly Intrusion[];
  /** Effects that have begun and not ended, and how often the daemon crashed during each. */
  readonly begun: readonly string[];
  readonly crashes: readonly {readonly effect: string; readonly times: number}[];
  /** Events that did not fit; the runs they name are parked. */
  readonly misfits: readonly InvalidTransition[];
};

/**
 * The contents of `.orchestra/project.yaml`. Optional fields get their default where they are used,
 * because journals of older releases lack them.
 */
export type Project = {
  readonly setup?: string;
  /** Also run `setup` in the planner's worktree. */
  readonly plannerSetup?: boolean;
  /** Run checks on the base before work starts. @default true */
  readonly baseline?: boolean;
  readonly services: readonly ServiceSpec[];
  readonly limits: Limits;
  /** Agents in addition to the built-in ones, in the order of the file. */
  readonly agents?: readonly DeclaredAgent[];
  /** Default agents for planning and working. */
  readonly planner?: string;
  readonly worker?: string;
  /** Whether workers and planners run in the agent's own interface, unless a run says so. */
  readonly workers?: WorkerMode;
  readonly planners?: WorkerMode;
  /** The same for single agents, by their names. */
  readonly modes?: Readonly<Record<string, AgentModes>>;
  /** Models by agent, unless a run names another. */
  readonly models?: Readonly<Record<string, string>>;
  /** Agents that replace one that is unavailable, in this order. Absent: a person is asked. */
  readonly fallback?: readonly string[];
  /** Globs of git-ignored files that are copied into every worktree. */
  readonly copy?: readonly string[];
  /** Git-ignored folders of the checkout that every worktree gets a copy of. */
  readonly share?: readonly SharedFolder[];
  readonly ports?: Ports;
  readonly sandbox?: SandboxMode;
  /** Network access of sandboxed sessions; a kind that is not named has full access. */
  readonly network?: NetworkRules;
  /** Variables that agents get in addition to the usual ones. */
  readonly environment?: readonly string[];
  /** Prefix of our branch names. */
  readonly branch?: string;
  /** Default way of accepting runs. */
  readonly accept?: AcceptWay;
  /** Whether commits are signed with the person's key when a run is accepted. */
  readonly sign?: SignMode;
  /** Tool servers that a plan may give to a task. */
  readonly tools?: readonly ToolServer[];
  /** What the project declares about checks, by their names. */
  readonly checks?: readonly DeclaredCheck[];
};

/** How one agent runs, by its role. */
export type AgentModes = {readonly workers?: WorkerMode; readonly planners?: WorkerMode};

/** Where a check writes structured reports: paths or globs from the root of its worktree. */
export type DeclaredCheck = {readonly name: string; readonly report: readonly string[]};

/** A path. Hard links are used only where the project asks for them: see docs/decisions/0011. */
export type SharedFolder = string | {readonly path: string; readonly by: 'hard-link'};

/** Each task has `perTask` ports of its own, starting at `from` for the first task. */
export type Ports = {readonly from: number; readonly perTask: number};

/** `auto`: use a sandbox where the machine has one. `required`: run nothing without one. */
export type SandboxMode = 'auto' | 'required' | 'off';

/** `accept`: accept only with a signature. */
export type SignMode = 'accept' | 'never';

/**
 * `allow`: hosts as in the project file, such as `registry.npmjs.org`, `*.github.com`,
 * `localhost:3000`.
 */
export type NetworkRule = 'all' | 'none' | {readonly allow: readonly string[]};

export type NetworkKind = 'planner' | 'workers' | 'checks';

export type NetworkRules = Readonly<Partial<Record<NetworkKind, NetworkRule>>>;

/** `ask`: a person is notified, and the agent continues. */
export type LoopAnswer = 'ask' | 'stop';

export type Limits = {
  /** Tasks that are active at the same time, across all runs. */
  readonly workers: number;
  /** Runs that are active at the same time before a queued one starts. */
  readonly runs: number;
  readonly attemptMinutes?: number;
  /** Minutes without output, CPU time or change. */
  readonly noProgressMinutes?: number;
  readonly checkMinutes?: number;
  /**
   * First pause of an attempt whose agent's service asks to wait; each further pause is at least
   * twice as long.
   */
  readonly pauseSeconds?: number;
  /** All pauses of an attempt together. */
  readonly pauseMinutes?: number;
  readonly attemptTokens?: number;
  readonly runTokens?: number;
  /** How often signs of a loop are seen before a person is asked; 0 turns a sign off. */
  readonly sameCalls?: number;
  readonly sameFailures?: number;
  readonly undoneEdits?: number;
  readonly unchangedMinutes?: number;
  /** What happens after such a sign. @default 'ask' */
  readonly onLoop?: LoopAnswer;
  /** Limit for one prompt. */
  readonly contextTokens?: number;
  /** Limit for one answer of a tool server; the whole answer is saved in a file. */
  readonly toolResultTokens?: number;
};

/** A note for a person or a later worker. */
export type Note = {readonly on: string; readonly text: string; readonly at: number};

/** An agent tried what only a person may do. Shown until a person has seen it. */
export type Intrusion = {
  readonly number: number;
  readonly session: SessionId;
  readonly intent: string;
  readonly at: number;
  readonly isSeen: boolean;
  /** Describes the sender where no session is known. */
  readonly words?: string;
};

export type InvalidTransition = {readonly seq: number; readonly type: string; readonly why: string};

/** Default ports. */
export const defaultPorts: Ports = {from: 4000, perTask: 10};

export const emptyState: State = {
  seq: 0,
  at: 0,
  project: {services: [], limits: {workers: 4, runs: 2}},
  runs: emptyLedger,
  queue: [],
  sessions: emptyLedger,
  live: [],
  services: [],
  notes: [],
  intrusions: [],
  begun: [],
  crashes: [],
  misfits: [],
};

/** Crashes of one attempt, or during one effect, before the work stops and a person is asked. */
export const interruptionLimit = 3;

/** Default limits for signs of a loop. */
export const defaultLoopLimits = {
  sameCalls: 8,
  sameFailures: 4,
  undoneEdits: 3,
  unchangedMinutes: 30,
};

/**
 * Default limits for pauses. Since each pause is at least twice as long as the previous one, eleven
 * fit into a day.
 */
export const defaultPauses = {pauseSeconds: 30, pauseMinutes: 1440};

/** Attempts without a person: the first, and one repair. */
export const defaultAttempts = 2;
