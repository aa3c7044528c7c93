import type {ReactNode} from 'react';
import type {GivenFile, JournalNews, Question} from '../protocol/index.ts';
import type {LiveState} from '../client/index.ts';
import type {Event, RunId, SessionId, State, UserCommand} from '../domain/index.ts';
import type {Key, Mouse} from './input/key.ts';
import type {PaneView, Stride} from './panes/viewport-state.ts';
import type {Target, Viewport} from './ink/region.ts';
import type {Rect, Size} from './render/frame.ts';
import type {TerminalColours} from './theme/terminal-colours.ts';

/**
 * The app as pure functions. The loop (`runtime/`) owns the clock, the connection, the panes and
 * the terminal, and knows nothing else about the app.
 */
export type App<Model, Action> = {
  readonly model: Model;
  /** Handles an action of the person (from `keymap`) or an event. */
  readonly update: (
    model: Model,
    action: Action | UiEvent,
    state: State,
    now: number,
  ) => UpdateResult<Model>;
  /** The action of a key. Not called for keys that go to a pane. */
  readonly keymap: (model: Model, key: Key, state: State) => Action | undefined;
  /** Which session gets the input, and what the terminal reports. */
  readonly input: (model: Model, state: State) => InputMode;
  /** The root of the component tree. It selects what it shows from the store: a `View`. */
  readonly root: ReactNode;
  /** Renders the tree for a screen reader: labels instead of marks, no borders. @default false */
  readonly isScreenReader?: boolean;
  /** Milliseconds until the screen changes by time alone (ages, notices). @default never */
  readonly nextChange?: (view: View<Model>) => number | undefined;
  /** Whether the terminal is asked for its colours (`terminal-colours`). @default never */
  readonly asksColours?: (model: Model) => boolean;
  /**
   * The colours of every cell, also in panes, that has the default ones. @default those of the
   * terminal
   */
  readonly defaultColours?: (model: Model) => DefaultColours | undefined;
  /** The title of the terminal's window. @default left as it is */
  readonly title?: (model: Model, state: State) => string;
  /**
   * The state to restore at the next start. Saved when it changed, and on exit. @default nothing
   */
  readonly toUiState?: (model: Model) => unknown;
};

/** As Ink writes colours: `#rrggbb` or `ansi256(n)`. */
export type DefaultColours = {readonly text: string; readonly bg: string};

export type View<Model> = {
  readonly model: Model;
  readonly state: State;
  readonly size: Size;
  readonly now: number;
};

export type UpdateResult<Model> = {
  readonly model: Model;
  /** Sent to the daemon one after the other, in this order. */
  readonly commands: readonly UserCommand[];
  readonly effects: readonly UiEffect[];
};

export type InputMode = {
  /** The session that gets all input until the leave key. Without it, keys are commands. */
  readonly typing?: SessionId;
  /** Queues keys and pasted text for a pane that is still opening. @default false */
  readonly holdsKeys?: boolean;
  /** The control character that ends typing. @default Ctrl-], 0x1d */
  readonly leaveKey?: number;
  /**
   * Whether the app takes clicks and the wheel. Selecting text with the terminal itself then needs
   * Shift. @default false
   */
  readonly mouse?: boolean;
};

/** The input mode, and where things are in the last frame. */
export type Layout = InputMode & {
  /** Only these sessions are connected and drawn. */
  readonly panes: readonly PanePlace[];
  /** What can be clicked, the topmost last. */
  readonly targets?: readonly TargetPlace[];
};

export type PanePlace = {
  readonly session: SessionId;
  /** Where its cells go. */
  readonly rect: Rect;
  /** Opens the pane scrolled back by this many lines. @default 0 */
  readonly scroll?: number;
  /** @default false */
  readonly isFocused?: boolean;
};

export type TargetPlace = {
  readonly target: Target;
  readonly rect: Rect;
  /** How many of the panes are below it. */
  readonly panesBelow: number;
};

/** Side effects of an update. */
export type UiEffect =
  /**
   * Copies to the clipboard by OSC 52. Ignored unless it follows directly from input of the person.
   */
  | {readonly type: 'copy'; readonly text: string}
  | {readonly type: 'copy-selection'; readonly session: SessionId}
  /** Types text and Enter into the pane, as keys would. It is neither a command nor recorded. */
  | {readonly type: 'type-text'; readonly session: SessionId; readonly text: string}
  | {readonly type: 'ring'}
  /** Rings, and shows a desktop notification where the terminal supports it. */
  | {readonly type: 'notify'; readonly text: string}
  | {readonly type: 'ask'; readonly name: string; readonly question: Question}
  | {readonly type: 'hand-over'; readonly session: SessionId}
  /** Replays the recording from shortly before `at`. The replay has the terminal until it ends. */
  | {readonly type: 'replay'; readonly session: SessionId; readonly at: number}
  | {readonly type: 'prepare-repository'; readonly what: 'no-git' | 'no-commits'}
  /** Writes a new rules file. */
  | {readonly type: 'write-rules'; readonly text: string}
  /** Makes the demo's repository. The app ends then, and the demo is opened in its place. */
  | {readonly type: 'open-demo'}
  /** Pushes the branch and opens a pull request. */
  | {readonly type: 'propose'; readonly run: RunId}
  | {readonly type: 'edit'; readonly name: string; readonly text: string}
  | {readonly type: 'scroll'; readonly session: SessionId; readonly by: Stride}
  | {readonly type: 'search'; readonly session: SessionId; readonly text: string}
  | {
      readonly type: 'search-step';
      readonly session: SessionId;
      readonly direction: 'older' | 'newer';
    }
  /** Copy mode: a cursor that moves over the screen and its scrollback. */
  | {readonly type: 'copy-mode'; readonly session: SessionId; readonly isOn: boolean}
  | {readonly type: 'copy-move'; readonly session: SessionId; readonly by: Stride}
  /** Starts or clears the selection at the copy cursor. */
  | {
      readonly type: 'copy-anchor';
      readonly session: SessionId;
      readonly whole: 'characters' | 'lines' | 'nothing';
    }
  /** Reads an image from the clipboard, and types the path of a copy into the pane. */
  | {readonly type: 'paste-image'; readonly session: SessionId}
  | {readonly type: 'redraw'}
  | {readonly type: 'suspend'}
  | {readonly type: 'quit'; readonly code?: number};

/** A file whose path was pasted, and what became of it. */
export type PastedFile = {readonly path: string; readonly given: GivenFile};

/** Everything but keys: events of the daemon, panes, terminal and clock, and results of effects. */
export type UiEvent =
  | {readonly type: 'connected'}
  /** With the reason. The loop connects again by itself. */
  | {readonly type: 'disconnected'; readonly text: string}
  /** The journal became read-only or writable again. */
  | {readonly type: 'journal-changed'; readonly journal: JournalNews}
  /** The state passed to `update` already contains the event. */
  | {readonly type: 'event-heard'; readonly event: Event}
  | {readonly type: 'wish-granted'; readonly wish: UserCommand; readonly answer: unknown}
  | {readonly type: 'wish-refused'; readonly wish: UserCommand; readonly text: string}
  | {readonly type: 'answered'; readonly name: string; readonly value: unknown}
  | {readonly type: 'refused'; readonly name: string; readonly text: string}
  | {readonly type: 'pasted'; readonly text: string}
  /** With the pane under the pointer, and the cell in it. */
  | {
      readonly type: 'mouse-used';
      readonly mouse: Mouse;
      readonly pane?: {readonly session: SessionId; readonly row: number; readonly column: number};
      /** What was clicked, unless a pane is above it. */
      readonly target?: Target;
    }
  /** How much of each list is in view, after a frame in which that changed. */
  | {readonly type: 'viewports-changed'; readonly viewports: Readonly<Record<string, Viewport>>}
  | {readonly type: 'focus-changed'; readonly isFocused: boolean}
  | {readonly type: 'resized'; readonly size: Size}
  /** The terminal was asked for its colours, and these are known. */
  | {readonly type: 'terminal-colours'; readonly colours: TerminalColours}
  | {readonly type: 'typing-left'}
  /** Files were pasted into a pane; some of them were copied, or cannot be read there. */
  | {
      readonly type: 'files-pasted';
      readonly session: SessionId;
      readonly files: readonly PastedFile[];
    }
  /** An image was pasted into a pane. */
  | {readonly type: 'image-pasted'; readonly session: SessionId}
  /** What was pasted could not be given to the session, with the reason. */
  | {
      readonly type: 'paste-failed';
      readonly session: SessionId;
      readonly what: 'files' | 'image';
      readonly text: string;
    }
  | {readonly type: 'pane-changed'; readonly session: SessionId; readonly view: PaneView}
  | {readonly type: 'pane-ended'; readonly session: SessionId; readonly text: string}
  | {readonly type: 'copied'; readonly text: string}
  /** The URL of the pull request, or why there is none. */
  | {
      readonly type: 'proposed';
      readonly run: RunId;
      readonly outcome: {readonly url: string} | {readonly rejected: string};
    }
  | {readonly type: 'edited'; readonly name: string; readonly text: string}
  | {readonly type: 'edit-failed'; readonly name: string; readonly text: string}
  | {readonly type: 'handed-back'; readonly session: SessionId; readonly text?: string}
  /** With the reason if it failed. */
  | {readonly type: 'repository-prepared'; readonly text?: string}
  /** With the reason if it failed. */
  | {readonly type: 'rules-written'; readonly text?: string}
  | {readonly type: 'demo-failed'; readonly text: string}
  | {readonly type: 'time-passed'};

export type {Question};

export type PaneSource = {
  /** Draws the current screen. Later `bytes` continue from it. */
  readonly snapshot: Uint8Array;
  /**
   * The size that the snapshot was drawn for. The session keeps it until `resized` says otherwise.
   * @default the size of the pane, and the pane decides
   */
  readonly size?: Size;
  readonly write: (bytes: Uint8Array) => void;
  readonly resize: (size: Size) => void;
  /** Present if this pane answers the terminal queries of the program. */
  readonly reply?: (bytes: Uint8Array) => void;
  readonly close: () => void;
};

export type OpenPane = (session: SessionId, size: Size, on: PaneListeners) => Promise<PaneSource>;

export type PaneListeners = {
  readonly bytes: (chunk: Uint8Array) => void;
  /** The session has another size: output from now on is for it. */
  readonly resized: (size: Size) => void;
  readonly ended: (text: string) => void;
};

export type TerminalDevice = {
  readonly write: (text: string | Uint8Array) => void;
  readonly size: () => Size;
  readonly onResize: (onResize: () => void) => () => void;
  readonly onInput: (onInput: (bytes: Uint8Array) => void) => () => void;
  readonly raw: (isOn: boolean) => void;
  /** Bytes written but not yet flushed. Frames wait while there are many. @default 0 */
  readonly backlog?: () => number;
};

export type Signal = 'SIGTERM' | 'SIGHUP' | 'SIGINT' | 'SIGTSTP' | 'SIGCONT' | 'exit';

/** Everything outside of the app that the loop needs. */
export type LoopOptions = {
  /** Starts the daemon if necessary. Called again after a disconnect. */
  readonly connect: (
    onEvent: (event: Event, state: State) => void,
    onJournal: (news: JournalNews) => void,
  ) => Promise<LiveState>;
  readonly openPane: OpenPane;
  readonly terminal: TerminalDevice;
  /** Attaches to the session. The app leaves the terminal until it returns. */
  readonly handOver: (session: SessionId) => Promise<void>;
  readonly edit: (text: string, name: string) => Promise<string>;
  /** @default a notice says that there is no replay */
  readonly replay?: (session: SessionId, at: number) => Promise<void>;
  /** Opens a pull request and returns its URL. @default a notice says that it cannot be done */
  readonly propose?: (run: RunId) => Promise<string>;
  readonly prepareRepository?: (what: 'no-git' | 'no-commits') => Promise<void>;
  /** Writes a new rules file, never over another. @default a notice says that it cannot be done */
  readonly writeRules?: (text: string) => Promise<void>;
  /**
   * Makes the demo's repository, and starts its run. The app ends then; whoever runs it opens the
   * demo next. @default a notice says that it cannot be done
   */
  readonly prepareDemo?: () => Promise<void>;
  /**
   * Reads an image from this machine's clipboard, with a program of its platform. @default the
   * terminal is asked
   */
  readonly readClipboardImage?: () => Promise<ClipboardImage>;
  /** Saves an image until the daemon has copied it. @default images cannot be pasted */
  readonly saveTemporarily?: (bytes: Uint8Array) => {
    readonly file: string;
    readonly remove: () => void;
  };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => number;
  readonly uiState: {readonly read: () => unknown; readonly write: (value: unknown) => void};
  /** Caches the last frame for the next start. @default not cached */
  readonly frames?: {
    /**
     * The frame that the launcher painted after entering the terminal. It stays until there is
     * something newer to show.
     */
    readonly painted?: CachedFrame | undefined;
    readonly save: (frame: CachedFrame) => void;
  };
  /** `exit` comes last, while only synchronous work is possible. @default no signals */
  readonly onSignal?: (onSignal: (signal: Signal) => void) => () => void;
  /** Stops the process as Ctrl-Z does. Returns when it continues. @default cannot be suspended */
  readonly suspend?: () => void;
  /** Calls back later. Returns a function that cancels it. @default setTimeout */
  readonly after?: After;
};

/** `unavailable`: nobody could say what the clipboard has; the reason is a part of a sentence. */
export type ClipboardImage =
  | {readonly at: 'image'; readonly bytes: Uint8Array}
  | {readonly at: 'no-image' | 'unavailable'; readonly text: string};

export type After = (ms: number, call: () => void) => () => void;

/** The escape sequences that draw a frame on a terminal of this size. */
export type CachedFrame = Size & {readonly text: string};
