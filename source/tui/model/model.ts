import type {
  Brief,
  JournalCondition,
  Recalled,
  SharingReport,
  RefusedHost,
  Timeline,
} from '../../documents/index.ts';
import type {AcceptWay, Need, RunId, SessionId, TaskId} from '../../domain/index.ts';
import type {CodeReport} from '../../client/index.ts';
import type {PaneView} from '../panes/pane-view.ts';
import type {Size} from '../render/rect.ts';
import type {Keymap} from './keymap-of.ts';
import type {DiffFile} from './read-diff.ts';
import type {TextField} from './text-field.ts';

/** Everything about the app that is not the state of the house: plain data, changed by `update` alone. */
export type Model = {
  readonly size: Size;
  readonly repository: Repository;
  /** A screen reader reads along: one thing after the other, no frames, and in words what the eye would see. */
  readonly isReader: boolean;
  readonly connection: Connection;
  /** What the daemon told of its journal since it was connected; nothing as long as it is written. */
  readonly journal: JournalCondition | undefined;
  readonly screen: ScreenName;
  /** Where Escape leads, the latest last. */
  readonly trail: readonly ScreenName[];
  /** `typing`: every byte goes to the pane. `scroll`: the pane shows what was. */
  readonly mode: 'command' | 'typing' | 'scroll';
  /** The session that is typed into or scrolled: never another one, whatever happens to its pane. */
  readonly into: SessionId | undefined;
  /**
   * A command of the person's own that was just asked for; its session, once the daemon has named it. It is typed into as soon as
   * its terminal is there. Until then keys wait, for they are meant for it.
   */
  readonly opening:
    | {readonly session?: SessionId; readonly from: ShellVisit['from']; readonly isShell: boolean}
    | undefined;
  readonly visit: ShellVisit | undefined;
  /** The row of the task list that has the focus: a run, a task, a session or a service. */
  readonly selected: string;
  /** Which of its terminals the chosen task shows; nothing for whoever is at work. */
  readonly terminal: SessionId | undefined;
  readonly grid: Grid;
  readonly isZoomed: boolean;
  /** How many lines back each pane looks, by the row it belongs to; nothing for those that show now. */
  readonly scrolled: Readonly<Record<string, number>>;
  /** What the panes in view tell of themselves, by session. */
  readonly views: Readonly<Record<string, PaneView>>;
  /** The need on the screen. It stays there until the person goes on, also when it is settled meanwhile. */
  readonly need: Need | undefined;
  /** What plan, review, timeline and audit are about. */
  readonly run: RunId | undefined;
  /** What the review shows: the run or one of its tasks. */
  readonly subject: RunId | TaskId | undefined;
  readonly side: 'files' | 'diff';
  readonly places: Readonly<Record<ListName, Place>>;
  readonly field: OpenField | undefined;
  readonly asking: Confirmation | undefined;
  /** The binding that a key is asked for, by its name, and why the last one could not be it. */
  readonly pressing: {readonly name: string; readonly refused?: string} | undefined;
  readonly notice: Notice | undefined;
  readonly answers: Answers;
  /** Comments on the diff that were not sent yet. */
  readonly comments: readonly DiffComment[];
  /** Comments on plans that their planners have not got yet. */
  readonly planComments: readonly PlanComment[];
  /** Whose plan its place belongs to, and of which round: a new one begins at its top. */
  readonly planned: string;
  /** A plan that the person wrote and that could not be read: the editor opens it again. */
  readonly draft: {readonly run: RunId; readonly text: string} | undefined;
  readonly showsAllEvents: boolean;
  readonly objectives: readonly string[];
  readonly agent: string;
  /** Who plans, if that was chosen; empty for whoever usually does. */
  readonly planner: string;
  /** By agent. */
  readonly models: Readonly<Record<string, ModelChoice>>;
  /** The skill for the objective that is being written; empty for none. */
  readonly skill: string;
  readonly settings: Settings;
  /** The keys of this person: what the settings make of the usual ones. Changed by `withSettings` alone. */
  readonly keymap: Keymap;
  /** What a deciding key would decide on, and when that changed without the person's doing. */
  readonly shown: string;
  readonly changedAt: number;
  /** The terminal has told that the person looks at something else. */
  readonly isAway: boolean;
  /** When it was last asked what panes use of the machine, and what a screen shows; and whether something has happened since. */
  readonly usageAt: number;
  readonly askedAt: number;
  readonly isStale: boolean;
  /** Needs that the person was told of, so that each rings once. */
  readonly told: readonly string[];
  /** The memory that was read at the start, until the state is there to come back to. */
  readonly remembered: Memory | undefined;
};

/** A shell of the person's own that they typed into: when it ends, they are back at the row that was chosen before. */
export type ShellVisit = {readonly session: SessionId; readonly from: string};

/** What the app is told about the repository it was opened in. */
export type Repository = {
  readonly name: string;
  readonly trouble?: 'no-git' | 'no-commits';
  readonly rules: {readonly problems: number; readonly rules: number; readonly exists: boolean};
  readonly agents: readonly string[];
  /** What is wrong in the project file: the first of it, with its line, and how much there is. */
  readonly project?: {readonly problems: number; readonly first: string};
  /** Why what the person likes could not be read, and is not kept. */
  readonly settingsProblem?: string | undefined;
  /** Where it was opened, if that is not the main checkout. */
  readonly checkout?: string;
  /** What a command of the person's own is run by, and where. */
  readonly shell: {readonly program: string; readonly directory: string};
};

export type Connection =
  | {readonly at: 'connecting'}
  | {readonly at: 'live'}
  | {readonly at: 'lost'; readonly words: string};

export const screenNames = [
  'start',
  'workers',
  'brief',
  'plan',
  'needs',
  'review',
  'services',
  'timeline',
  'audit',
  'knowledge',
  'help',
  'settings',
  'keys',
] as const;
export type ScreenName = (typeof screenNames)[number];

export type Grid = 'auto' | 1 | 2 | 4 | 6;

export type ListName =
  | 'workers'
  | 'plan'
  | 'need'
  | 'files'
  | 'diff'
  | 'services'
  | 'timeline'
  | 'audit'
  | 'knowledge'
  | 'reading'
  | 'help'
  | 'brief'
  | 'settings'
  | 'keys'
  | 'palette';

/** The line that the cursor is on, and the first line that is seen. */
export type Place = {readonly cursor: number; readonly top: number};

/** A line that a person is writing, and what for. */
export type OpenField = TextField & {
  readonly for: FieldPurpose;
  /** What stands before it. */
  readonly label: string;
  /** Where the person is in the earlier objectives; none while they write a new one. */
  readonly older?: number;
};

export type FieldPurpose =
  | {readonly what: 'objective'}
  /** The name of a model; the objective goes on behind it. */
  | {
      readonly what: 'model';
      readonly agent: string;
      readonly role: ModelRole;
      readonly objective: OpenField;
    }
  | {readonly what: 'palette'}
  | {
      readonly what: 'answer';
      readonly session: SessionId;
      readonly need: string;
      /** The number of what the agent itself asked. */ readonly asked?: number;
    }
  | {readonly what: 'hint'; readonly task: TaskId}
  | {readonly what: 'hand-to-agent'; readonly task: TaskId}
  | {readonly what: 'reject'; readonly run: RunId; readonly plan: string}
  | {readonly what: 'plan-again'; readonly run: RunId}
  | {
      readonly what: 'comment-plan';
      readonly run: RunId;
      /** Its hash. */ readonly plan: string;
      readonly line: number;
      readonly source: string;
    }
  | {
      readonly what: 'comment-diff';
      readonly of: RunId | TaskId;
      readonly path: string;
      readonly line: number;
      readonly text: string;
    }
  | {readonly what: 'search-pane'; readonly session: SessionId}
  | {readonly what: 'note'; readonly on: RunId | TaskId | SessionId}
  | {readonly what: 'command'; readonly directory: string}
  /** The branch that a run is to come into. */
  | {readonly what: 'into'; readonly run: RunId; readonly commit: string; readonly way: AcceptWay}
  | {readonly what: 'recall'};

/** Something that is asked once more before it is done. */
export type Confirmation = {
  readonly question: string;
  readonly lines: readonly string[];
  readonly yes: ConfirmedDeed;
};

export type ConfirmedDeed =
  | {readonly does: 'discard'; readonly what: RunId | TaskId}
  | {readonly does: 'prepare'; readonly what: 'no-git' | 'no-commits'}
  | {readonly does: 'stop'; readonly what: RunId | TaskId | SessionId}
  | {
      readonly does: 'accept';
      readonly run: RunId;
      readonly commit: string;
      readonly way: AcceptWay;
      readonly into?: string;
    }
  | {readonly does: 'propose'; readonly run: RunId}
  | {readonly does: 'refresh-environment'; readonly run: RunId}
  | {readonly does: 'reset'; readonly task: TaskId};

export type Notice = {
  readonly words: string;
  readonly tone: 'plain' | 'good' | 'bad';
  readonly at: number;
};

/** What the daemon answered last; each is read when it is asked for. */
export type Answers = {
  readonly brief?: Brief;
  readonly diff?: Answered<DiffAnswer>;
  readonly explanation?: Answered<{readonly text: string}>;
  readonly timeline?: Timeline;
  readonly audit?: AuditAnswer;
  readonly recall?: Answered<readonly Recalled[]>;
  /** One-time codes for commands of somebody who cannot be proved to be the person. */
  readonly codes?: readonly CodeReport[];
  readonly facts?: readonly FactAnswer[];
  readonly usage?: Readonly<Record<string, UsageAnswer>>;
  /** The saved ways of working of this repository, by name. */
  readonly skills?: readonly string[];
  /** Dependencies of the checkout, and whether tasks get them. */
  readonly sharing?: SharingReport;
  /** What the person should know of the repository before they begin. */
  readonly repository?: readonly string[];
};

export type Answered<T> = {readonly of: string} & (
  {readonly value: T} | {readonly refused: string}
);

/** What was changed: git's text, read into files, and git's own list of them. */
export type DiffAnswer = {
  readonly from: string;
  readonly to: string;
  readonly read: readonly DiffFile[];
  readonly files: readonly {
    readonly path: string;
    readonly how: string;
    readonly added: number;
    readonly removed: number;
  }[];
};

export type AuditAnswer = {
  readonly contexts: readonly {
    readonly session: string;
    readonly for: string;
    readonly about: string;
    readonly agent: string;
    readonly model?: string;
    readonly tokens: number;
    readonly budget: number;
    readonly parts: readonly {
      readonly name: string;
      readonly tokens: number;
      readonly isCut: boolean;
      readonly full: number;
    }[];
    readonly used: {readonly input: number; readonly output: number; readonly cost?: number};
  }[];
  readonly spent: number;
  readonly validated: number;
  /** Hosts that the network rules refused. */
  readonly refused?: readonly RefusedHost[];
  /** What the tools of each server cost in every prompt, when it was last asked. */
  readonly tools?: {
    readonly at: number;
    readonly servers: readonly {
      readonly name: string;
      readonly tokens: number;
      readonly tools: readonly {readonly name: string; readonly tokens: number}[];
      readonly problems: readonly string[];
    }[];
  };
};

export type FactAnswer = {readonly name: string; readonly at: number} & (
  {readonly value: unknown; readonly source: string} | {readonly unknown: string}
);

/** What a session uses of the machine, as a share of one core and in bytes. */
export type UsageAnswer = {readonly cpu: number; readonly memory: number; readonly at: number};

export type DiffComment = {
  readonly of: RunId | TaskId;
  readonly path: string;
  readonly line: number;
  readonly source: string;
  readonly text: string;
  /** It is on its way to the daemon, in this text. */
  readonly sentAs?: string;
};

/** On a line of a plan, by its number and its words; the plan by its round, for it may be edited under the comment, and by its hash. */
export type PlanComment = {
  readonly run: RunId;
  readonly round: number;
  readonly plan: string;
  readonly line: number;
  readonly source: string;
  readonly text: string;
  /** It is on its way to the daemon. */
  readonly isSent?: true;
};

export type Settings = {
  readonly theme: 'auto' | 'dark' | 'light' | 'none';
  /** Which key leaves typing: one of `leaveChords`. */
  readonly leave: string;
  readonly notify: 'bell' | 'message' | 'off';
  readonly followsNeedy: boolean;
  readonly mouse: boolean;
  /** Keys of the person's own, by name, as they are written in the settings; `keymapOf` reads them. */
  readonly keys: Readonly<Record<string, unknown>>;
};

/**
 * The model that was chosen last for an agent, by its own name for it; empty for whatever is usual. Another one, if it is chosen,
 * where the agent plans for somebody else. And those that were written before.
 */
export type ModelChoice = {
  readonly chosen: string;
  readonly planning?: string;
  readonly written: readonly string[];
};

/** Whose model it is: that of whoever works, and plans for itself; or that of a planner who does nothing else. */
export type ModelRole = 'worker' | 'planner';

/** What is remembered of the app between two visits: where the person was, what they like, what they asked for before. */
export type Memory = {
  readonly version: 1;
  readonly screen: ScreenName;
  readonly selected: string;
  readonly grid: Grid;
  readonly isZoomed: boolean;
  readonly scrolled: Readonly<Record<string, number>>;
  readonly objectives: readonly string[];
  readonly agent: string;
  readonly planner: string;
  /** By agent. */
  readonly models: Readonly<Record<string, ModelChoice>>;
  readonly planComments: readonly PlanComment[];
  readonly comments: readonly DiffComment[];
  readonly settings: Settings;
};
