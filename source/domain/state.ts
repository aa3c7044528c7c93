import {emptyLedger, type Ledger} from '../base/index.ts';
import type {DeclaredAgent} from './declared-agent.ts';
import type {RunId, SessionId} from './ids.ts';
import type {AcceptWay, Run} from './run.ts';
import type {Service, ServiceSpec} from './service.ts';
import type {Session} from './session.ts';
import type {ToolServer} from './tool-server.ts';

/** Everything that is known. It is what the journal folds to, and nothing else. */
export type State = {
  /** How many events were folded, and when the last one happened. */
  readonly seq: number;
  readonly at: number;
  /** The name of the journal: what was started under another one is not ours to count. */
  readonly journal?: string;
  readonly project: Project;
  readonly runs: Ledger<Run>;
  /** Runs that wait for room, in the order in which they will start. */
  readonly queue: readonly RunId[];
  readonly sessions: Ledger<Session>;
  /** Those of them whose process has not ended. */
  readonly live: readonly SessionId[];
  readonly services: readonly Service[];
  readonly notes: readonly Note[];
  readonly intrusions: readonly Intrusion[];
  /** Effects that were begun and have not ended, and how often the daemon crashed under each. */
  readonly begun: readonly string[];
  readonly crashes: readonly {readonly effect: string; readonly times: number}[];
  /** Events that did not fit; a run they touched is parked. */
  readonly misfits: readonly Misfit[];
};

/** What `.orchestra/project.yaml` says. What is optional here has its default from whoever asks: journals of older releases lack it. */
export type Project = {
  readonly setup?: string;
  /** `setup` is run in the planner's worktree as well. */
  readonly plannerSetup?: boolean;
  /** Whether checks are run on the base before the work begins; they are unless it says no. */
  readonly baseline?: boolean;
  readonly services: readonly ServiceSpec[];
  readonly limits: Limits;
  /** Agents beside those that orchestra knows, in the order of the file. */
  readonly agents?: readonly DeclaredAgent[];
  /** The names of the agents that plan and work when nobody says otherwise. */
  readonly planner?: string;
  readonly worker?: string;
  /** Models by the agents that use them, unless a run names another. */
  readonly models?: Readonly<Record<string, string>>;
  /** Globs of git-ignored files that every worktree gets a copy of. */
  readonly copy?: readonly string[];
  /** Git-ignored folders of the checkout that every worktree gets its own copy of. */
  readonly share?: readonly SharedFolder[];
  readonly ports?: Ports;
  readonly sandbox?: SandboxWish;
  /** What of the network sandboxed sessions reach; a kind that is not named reaches all of it. */
  readonly network?: NetworkRules;
  /** Variables that agents get beside the usual ones. */
  readonly environment?: readonly string[];
  /** What the names of our branches begin with. */
  readonly branch?: string;
  /** How runs are accepted when nobody says otherwise. */
  readonly accept?: AcceptWay;
  /** Whether the commits that come into a person's branch are signed with their key. */
  readonly sign?: SignWish;
  /** Servers of tools that a plan may give to a task. */
  readonly tools?: readonly ToolServer[];
};

/** By its path. Linked file by file only where the project says so: see docs/decisions/0011. */
export type SharedFolder = string | {readonly path: string; readonly by: 'hard-link'};

/** Each task has `perTask` ports of its own, the first task from `from` on. */
export type Ports = {readonly from: number; readonly perTask: number};

/** `auto`: where the machine has one. `required`: nothing runs without. */
export type SandboxWish = 'auto' | 'required' | 'off';

/** `accept`: what is accepted is signed, or not accepted. */
export type SignWish = 'accept' | 'never';

/** `allow`: hosts as the project file has them, such as `registry.npmjs.org`, `*.github.com`, `localhost:3000`. */
export type NetworkRule = 'all' | 'none' | {readonly allow: readonly string[]};

export type NetworkKind = 'planner' | 'workers' | 'checks';

export type NetworkRules = Readonly<Partial<Record<NetworkKind, NetworkRule>>>;

/** `ask`: a person is told, and the agent goes on. */
export type LoopAnswer = 'ask' | 'stop';

export type Limits = {
  /** Tasks at work at the same time, over all runs. */
  readonly workers: number;
  /** Runs that are planned or worked at the same time before a queued one starts. */
  readonly runs: number;
  readonly attemptMinutes?: number;
  /** Without output, work or change. */
  readonly noProgressMinutes?: number;
  readonly checkMinutes?: number;
  /** The first pause of an attempt whose agent's service asks to wait; each further one is at least twice as long. */
  readonly pauseSeconds?: number;
  /** All pauses of an attempt together. */
  readonly pauseMinutes?: number;
  readonly attemptTokens?: number;
  readonly runTokens?: number;
  /** Signs that an agent goes in circles, before a person is asked; 0 is none. */
  readonly sameCalls?: number;
  readonly sameFailures?: number;
  readonly undoneEdits?: number;
  readonly unchangedMinutes?: number;
  /** What follows from such a sign by itself. @default 'ask' */
  readonly onLoop?: LoopAnswer;
  /** What one prompt may have. */
  readonly contextTokens?: number;
  /** What one answer of a server of tools may have; the whole is kept in a file. */
  readonly toolResultTokens?: number;
};

/** A clue for oneself or for the next worker. */
export type Note = {readonly on: string; readonly text: string; readonly at: number};

/** An agent that tried what only a person may do. Shown until a person has seen it. */
export type Intrusion = {
  readonly number: number;
  readonly session: SessionId;
  readonly intent: string;
  readonly at: number;
  readonly isSeen: boolean;
  /** Who it was, where no session is known. */
  readonly words?: string;
};

export type Misfit = {readonly seq: number; readonly type: string; readonly why: string};

/** Ports where the project file says nothing. */
export const usualPorts: Ports = {from: 4000, perTask: 10};

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

/** Crashes under one attempt, or under one effect, before the work stops and asks. */
export const interruptionLimit = 3;

/** When an agent seems to go in circles, where the project does not say. */
export const usualLoopLimits = {
  sameCalls: 8,
  sameFailures: 4,
  undoneEdits: 3,
  unchangedMinutes: 30,
};

/** Pauses of an attempt where the project file says nothing. With each one twice as long as the one before, a day has room for eleven. */
export const usualPauses = {pauseSeconds: 30, pauseMinutes: 1440};

/** Attempts that the law grants without a person: the first, and one repair. */
export const attemptsByLaw = 2;
