import type {
  ContextAudit,
  Brief,
  JournalCondition,
  SharingReport,
  Timeline,
} from '../../reports/index.ts';
import type {Recalled} from '../../knowledge/index.ts';
import type {AcceptWay, Need, RunId, SessionId, TaskId} from '../../domain/index.ts';
import type {CodeReport} from '../../protocol/index.ts';
import type {PaneView} from '../panes/viewport-state.ts';
import type {Size} from '../render/frame.ts';
import type {Keymap} from '../keymap/parse.ts';
import type {DiffFile} from './parse-diff.ts';
import type {TextField} from './text-field.ts';

/**
 * The state of the app itself, without the state of the daemon: plain data, changed only by
 * `update`.
 */
export type Model = {
  readonly size: Size;
  readonly repository: Repository;
  /** Layout for screen readers: one thing after the other, no frames, words instead of marks. */
  readonly isScreenReader: boolean;
  readonly connection: Connection;
  /** The condition of the journal, if the daemon reported one since the last connect. */
  readonly journal: JournalCondition | undefined;
  readonly screen: ScreenName;
  /** The screens that Escape goes back to, the latest last. */
  readonly trail: readonly ScreenName[];
  /** `typing`: all input goes to the pane. `scroll`: the pane is frozen in copy mode. */
  readonly mode: 'command' | 'typing' | 'scroll';
  /** The session that is typed into or scrolled. It never changes to another one by itself. */
  readonly typingSession: SessionId | undefined;
  /**
   * A session that the person has just started; its id, once the daemon has answered. It is typed
   * into as soon as its terminal is in view. Until then keys are queued for it.
   */
  readonly opening:
    | {readonly session?: SessionId; readonly from: ShellVisit['from']; readonly isShell: boolean}
    | undefined;
  readonly visit: ShellVisit | undefined;
  /** The focused row of the sidebar: a run, a task, a session or a service. */
  readonly selected: string;
  /** The terminal that the selected task shows; undefined for the default one. */
  readonly terminal: SessionId | undefined;
  readonly grid: Grid;
  readonly isZoomed: boolean;
  /** Lines that each pane is scrolled back, by row key. Panes at their end have no entry. */
  readonly scrolled: Readonly<Record<string, number>>;
  /** The views that panes have reported, by session. */
  readonly views: Readonly<Record<string, PaneView>>;
  /** The need on the screen. It stays until the person goes on, even if it is settled meanwhile. */
  readonly need: Need | undefined;
  /** The run that plan, review, timeline and audit show. */
  readonly run: RunId | undefined;
  /** The run or task that the review shows. */
  readonly subject: RunId | TaskId | undefined;
  readonly reviewFocus: 'files' | 'diff';
  readonly places: Readonly<Record<ListName, Place>>;
  readonly field: OpenField | undefined;
  readonly confirmation: Confirmation | undefined;
  /** The name of the binding that waits for a new key, and why the last key was rejected. */
  readonly rebinding: {readonly name: string; readonly rejected?: string} | undefined;
  readonly notice: Notice | undefined;
  readonly answers: Answers;
  /** Comments on diffs that the daemon does not have yet. */
  readonly comments: readonly DiffComment[];
  /** Comments on plans that the daemon does not have yet. */
  readonly planComments: readonly PlanComment[];
  /** Run and round of the plan that the cursor belongs to. A new plan starts at its top. */
  readonly planned: string;
  /** An edited plan that is invalid. The editor opens it again. */
  readonly draft: {readonly run: RunId; readonly text: string} | undefined;
  readonly showsAllEvents: boolean;
  readonly objectives: readonly string[];
  readonly agent: string;
  /** The chosen planner; empty for the default. */
  readonly planner: string;
  /** By agent. */
  readonly models: Readonly<Record<string, ModelChoice>>;
  /** The skill for the next objective; empty for none. */
  readonly skill: string;
  readonly settings: Settings;
  /** The default keymap with the key settings. Changed only by `withSettings`. */
  readonly keymap: Keymap;
  /**
   * What a deciding key would decide on, and when that last changed without input of the person.
   */
  readonly shown: string;
  readonly changedAt: number;
  /** The terminal has reported that it lost the focus. */
  readonly isAway: boolean;
  /**
   * When usage and the data of the screen were last requested, and whether events have happened
   * since.
   */
  readonly usageAt: number;
  readonly askedAt: number;
  readonly isStale: boolean;
  /** Needs that the person was notified of, so that each rings once. */
  readonly notifiedNeedIds: readonly string[];
  /** The saved UI state, until the first state of the daemon arrives. */
  readonly remembered: UiState | undefined;
};

/** A shell that the person types into. When it ends, the row `from` is selected again. */
export type ShellVisit = {readonly session: SessionId; readonly from: string};

/** The repository that the app was opened in. */
export type Repository = {
  readonly name: string;
  readonly trouble?: 'no-git' | 'no-commits';
  readonly rules: {readonly problems: number; readonly rules: number; readonly exists: boolean};
  readonly agents: readonly string[];
  /** Problems of the project file: the first one with its line, and their number. */
  readonly project?: {readonly problems: number; readonly first: string};
  /** Why the settings could not be read. They are not saved then. */
  readonly settingsProblem?: string | undefined;
  /** The checkout where it was opened, if that is not the main one. */
  readonly checkout?: string;
  /** The shell and the directory for commands of the person. */
  readonly shell: {readonly program: string; readonly directory: string};
};

export type Connection =
  | {readonly at: 'connecting'}
  | {readonly at: 'live'}
  | {readonly at: 'lost'; readonly text: string};

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

/** The line of the cursor and the first visible line of a list. */
export type Place = {readonly cursor: number; readonly top: number};

/** An open text field, and what its text is for. */
export type OpenField = TextField & {
  readonly for: FieldPurpose;
  /** The label before the text. */
  readonly label: string;
  /** The index of the recalled objective; undefined for a new one. */
  readonly older?: number;
};

export type FieldPurpose =
  | {readonly what: 'objective'}
  /** The name of a model. The objective continues afterwards. */
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
      /**
       * The number of the question that the agent asked through its tools.
       */
      readonly asked?: number;
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
  /** The branch that a run is accepted into. */
  | {readonly what: 'into'; readonly run: RunId; readonly commit: string; readonly way: AcceptWay}
  | {readonly what: 'recall'};

/** A question that the person must confirm. */
export type Confirmation = {
  readonly question: string;
  readonly lines: readonly string[];
  readonly yes: ConfirmedAction;
};

export type ConfirmedAction =
  | {readonly action: 'discard'; readonly what: RunId | TaskId}
  | {readonly action: 'prepare'; readonly what: 'no-git' | 'no-commits'}
  | {readonly action: 'stop'; readonly what: RunId | TaskId | SessionId}
  | {
      readonly action: 'accept';
      readonly run: RunId;
      readonly commit: string;
      readonly way: AcceptWay;
      readonly into?: string;
    }
  | {readonly action: 'propose'; readonly run: RunId}
  | {readonly action: 'refresh-environment'; readonly run: RunId}
  | {readonly action: 'reset'; readonly task: TaskId};

export type Notice = {
  readonly text: string;
  readonly tone: 'plain' | 'good' | 'bad';
  readonly at: number;
};

/** The last answers of the daemon. Each is requested when a screen needs it. */
export type Answers = {
  readonly brief?: Brief;
  readonly diff?: Answered<DiffAnswer>;
  readonly explanation?: Answered<{readonly text: string}>;
  readonly timeline?: Timeline;
  readonly audit?: ContextAudit;
  readonly recall?: Answered<readonly Recalled[]>;
  /** One-time codes for commands whose sender could not be identified as the person. */
  readonly codes?: readonly CodeReport[];
  readonly facts?: readonly FactAnswer[];
  readonly usage?: Readonly<Record<string, UsageAnswer>>;
  /** The names of the skills of this repository. */
  readonly skills?: readonly string[];
  /** Dependencies of the checkout, and whether tasks get them. */
  readonly sharing?: SharingReport;
  /** Notes about the repository, to be read before a run. */
  readonly repository?: readonly string[];
};

export type Answered<T> = {readonly of: string} & (
  {readonly value: T} | {readonly rejected: string}
);

/** A diff: the parsed text of git, and the file list of git. */
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

export type FactAnswer = {readonly name: string; readonly at: number} & (
  {readonly value: unknown; readonly source: string} | {readonly unknown: string}
);

/** CPU as a share of one core, and memory in bytes. */
export type UsageAnswer = {readonly cpu: number; readonly memory: number; readonly at: number};

export type DiffComment = {
  readonly of: RunId | TaskId;
  readonly path: string;
  readonly line: number;
  readonly source: string;
  readonly text: string;
  /** The text of the batch in which it is being sent. */
  readonly sentAs?: string;
};

/**
 * A comment on a line of a plan, by its number and text. The plan is identified by its round,
 * because it may be edited meanwhile, and by its hash.
 */
export type PlanComment = {
  readonly run: RunId;
  readonly round: number;
  readonly plan: string;
  readonly line: number;
  readonly source: string;
  readonly text: string;
  /** It is being sent. */
  readonly isSent?: true;
};

export type Settings = {
  readonly theme: 'auto' | 'dark' | 'light' | 'none';
  /** The key that leaves typing: one of `leaveChords`. */
  readonly leave: string;
  readonly notify: 'bell' | 'message' | 'off';
  readonly followsNeedy: boolean;
  readonly mouse: boolean;
  /** Key settings by name, as written by the person. `buildKeymap` reads them. */
  readonly keys: Readonly<Record<string, unknown>>;
};

/**
 * The model that was chosen last for an agent, empty for the default; the model for planning, if
 * another one was chosen; and the names that were written before.
 */
export type ModelChoice = {
  readonly chosen: string;
  readonly planning?: string;
  readonly written: readonly string[];
};

/** Whose model is chosen: that of the worker, or that of a planner that is another agent. */
export type ModelRole = 'worker' | 'planner';

/** What is saved between two visits: screen, settings, earlier objectives, unsent comments. */
export type UiState = {
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
