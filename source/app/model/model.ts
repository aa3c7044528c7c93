import type {JournalCondition} from '../../reports/index.ts';
import type {
  Need,
  OwnInterfaces,
  RunId,
  SessionId,
  TaskId,
  WorkerMode,
} from '../../domain/index.ts';
import type {PaneView} from '../panes/viewport-state.ts';
import type {Viewport} from '../ink/region.ts';
import type {Size} from '../render/frame.ts';
import type {Answers} from './daemon-answers.ts';
import type {Confirmation} from './confirmation.ts';
import type {FirstHints, HintName} from './hint-name.ts';
import type {ModelRole, OpenField} from './open-field.ts';
import type {ListModes} from './size-class.ts';
import type {ListName} from './list-name.ts';
import type {Keymap} from '../keymap/parse.ts';
import type {ViewedMark} from '../review/viewed.ts';
import type {ThemeSetting} from '../theme/resolve-theme.ts';
import type {SignsSetting} from '../theme/signs.ts';
import type {TerminalColours} from '../theme/terminal-colours.ts';

/**
 * The state of the app itself, without the state of the daemon: plain data, changed only by
 * `update`.
 */
export type Model = {
  readonly size: Size;
  readonly repository: Repository;
  /** Layout for screen readers: one thing after the other, no frames, words instead of marks. */
  readonly isScreenReader: boolean;
  readonly connection: ConnectionStatus;
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
  /** The rows that panes show, by the place of the pane. */
  readonly slots: readonly string[];
  /** How the task list is shown, by the class of the window. */
  readonly listModes: ListModes;
  readonly isZoomed: boolean;
  /** How much of each list is in view, as the last frame reported. */
  readonly viewports: Readonly<Record<string, Viewport>>;
  /** Lines that each pane is scrolled back, by row key. Panes at their end have no entry. */
  readonly scrolled: Readonly<Record<string, number>>;
  /** The views that panes have reported, by session. */
  readonly views: Readonly<Record<string, PaneView>>;
  /** The need on the screen. It stays until the person goes on, even if it is settled meanwhile. */
  readonly need: Need | undefined;
  /** The need that the person has decided. When it is settled, the app goes on by itself. */
  readonly decided: string | undefined;
  /** The run that plan, review, timeline and audit show. */
  readonly run: RunId | undefined;
  /** The run or task that the review shows. */
  readonly subject: RunId | TaskId | undefined;
  /** The other variant that the review compares it with; undefined for its own change. */
  readonly against: TaskId | undefined;
  /** The task whose variants are shown: the one that they are variants of. */
  readonly compared: TaskId | undefined;
  readonly reviewFocus: 'files' | 'diff';
  /** The folds that the person opened, by the path of the file. */
  readonly openFolds: ReadonlyMap<string, ReadonlySet<string>>;
  /** Old and new side by side; undefined until the person chose: then the room decides. */
  readonly sideBySide: boolean | undefined;
  /** The files that the person has viewed. */
  readonly viewed: readonly ViewedMark[];
  readonly places: Readonly<Record<ListName, ListPosition>>;
  readonly field: OpenField | undefined;
  /** Help: the overlay of this place with one topic, or the filter of the list of all keys. */
  readonly help: HelpView | undefined;
  /** The entries of the palette that were used last, the newest first. */
  readonly recent: readonly string[];
  readonly confirmation: Confirmation | undefined;
  /** The name of the binding that waits for a new key, and why the last key was rejected. */
  readonly rebinding: {readonly name: string; readonly rejected?: string} | undefined;
  readonly notice: Notice | undefined;
  /** Hints for the first visit to a place. */
  readonly hints: FirstHints;
  readonly answers: Answers;
  /** Comments on diffs that the daemon does not have yet. */
  readonly comments: readonly DiffComment[];
  /** Comments on plans that the daemon does not have yet. */
  readonly planComments: readonly PlanComment[];
  /** Run and round of the plan that the cursor belongs to. A new plan starts at its top. */
  readonly planned: string;
  /** The run that the person asked for last, until its plan is there. */
  readonly awaitedPlan: RunId | undefined;
  /** An edited plan that is invalid. The editor opens it again. */
  readonly draft: {readonly run: RunId; readonly text: string} | undefined;
  readonly showsAllEvents: boolean;
  /** What the timeline shows where only one of the two fits. */
  readonly timelinePart: 'chart' | 'events';
  /** The app has just started: the answer to `brief` decides whether there is a brief to show. */
  readonly isArriving: boolean;
  /** The run that the person accepts here. Its card is shown once, when it is accepted. */
  readonly acceptingRun: RunId | undefined;
  readonly objectives: readonly string[];
  readonly agent: string;
  /** The chosen planner; empty for the default. */
  readonly planner: string;
  /** How each role runs, where the person chose it. */
  readonly modes: RoleModes;
  /** By agent. */
  readonly models: Readonly<Record<string, ModelChoice>>;
  /** The playbook that is followed instead of an agent; empty for none. */
  readonly playbook: string;
  /** The way on that is explained where no agent is installed. */
  readonly way: FirstWay | undefined;
  /** How many agents that are opened next work side by side. */
  readonly variantCount: number;
  /** The skill for the next objective; empty for none. */
  readonly skill: string;
  readonly settings: Settings;
  /** The colours that the terminal has reported; undefined if it was not asked or said nothing. */
  readonly terminalColours: TerminalColours | undefined;
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
  readonly rules: {
    readonly exists: boolean;
    readonly rules: number;
    /** How many of them orchestra checks itself. */
    readonly enforced: number;
    readonly checks: readonly {readonly name: string; readonly command: string}[];
    readonly problems: number;
  };
  /** What could be written where there is no rules file. */
  readonly starter?: StarterRules | undefined;
  readonly agents: readonly string[];
  /** What decides how agents run by default. @default nothing is known, and they run headless */
  readonly interfaces?: {readonly builtIn: OwnInterfaces; readonly isCi: boolean};
  /** The branch and the commit that are checked out, if the files of git say so. */
  readonly head?: {readonly branch: string; readonly commit: string};
  /** Problems of the project file: the first one with its line, and their number. */
  readonly project?: {readonly problems: number; readonly first: string};
  /** Why the settings could not be read. They are not saved then. */
  readonly settingsProblem?: string | undefined;
  /** The checkout where it was opened, if that is not the main one. */
  readonly checkout?: string;
  /** The shell and the directory for commands of the person. */
  readonly shell: {readonly program: string; readonly directory: string};
};

/** A rules file to begin with, and the checks in it that the repository already has. */
export type StarterRules = {
  readonly text: string;
  readonly checks: readonly {readonly name: 'test' | 'build' | 'lint'; readonly command: string}[];
};

/** Choices of the person, remembered across starts. */
export type RoleModes = Readonly<Partial<Record<ModelRole, WorkerMode>>>;

export type ConnectionStatus =
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
  'variants',
  'services',
  'timeline',
  'audit',
  'accepted',
  'knowledge',
  'help',
  'settings',
  'keys',
] as const;
export type ScreenName = (typeof screenNames)[number];

export type Grid = 'auto' | 1 | 2 | 4 | 6;

export type {ListName} from './list-name.ts';
export type {Answered, Answers, DiffAnswer, FactAnswer, UsageAnswer} from './daemon-answers.ts';
export type {Confirmation, ConfirmedAction} from './confirmation.ts';
export type {FieldPurpose, ModelRole, OpenField} from './open-field.ts';

/** The line of the cursor and the first visible line of a list. */
export type ListPosition = {readonly cursor: number; readonly top: number};

/** Without an agent: the demo, installing one, declaring one, or a playbook. */
export type FirstWay = 'demo' | 'install' | 'declare' | 'playbook';

export type HelpView =
  {readonly at: 'place'; readonly topic?: string} | {readonly at: 'all'; readonly filter: string};

export type Notice = {
  readonly text: string;
  readonly tone: 'plain' | 'good' | 'bad';
  readonly at: number;
};

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
  readonly theme: ThemeSetting;
  /** The key that leaves typing: one of `leaveChords`. */
  readonly leave: string;
  readonly notify: 'bell' | 'message' | 'off';
  readonly followsNeedy: boolean;
  readonly mouse: boolean;
  readonly signs: SignsSetting;
  readonly frames: 'full' | 'rules' | 'none';
  /** `none`: nothing on the screen moves by itself. */
  readonly motion: 'calm' | 'none';
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

/** What is saved between two visits: screen, settings, earlier objectives, unsent comments. */
export type UiState = {
  readonly version: 1;
  readonly screen: ScreenName;
  readonly selected: string;
  readonly grid: Grid;
  readonly listModes: ListModes;
  readonly isZoomed: boolean;
  readonly scrolled: Readonly<Record<string, number>>;
  readonly objectives: readonly string[];
  readonly agent: string;
  readonly planner: string;
  readonly modes: RoleModes;
  /** By agent. */
  readonly models: Readonly<Record<string, ModelChoice>>;
  readonly recent: readonly string[];
  /** The hints that were shown. */
  readonly hints: readonly HintName[];
  readonly planComments: readonly PlanComment[];
  readonly comments: readonly DiffComment[];
  readonly viewed: readonly ViewedMark[];
  readonly settings: Settings;
};
