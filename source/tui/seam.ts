import type {ReactNode} from 'react';
import type {JournalNews, LiveState} from '../client/index.ts';
import type {Event, RunId, SessionId, State, Wish} from '../domain/index.ts';
import type {Key, Mouse} from './input/key.ts';
import type {PaneView, Stride} from './panes/pane-view.ts';
import type {Rect, Size} from './render/rect.ts';

/**
 * What the loop needs to know of an app; the loop knows nothing else of it. Everything here is pure: the loop reads the clock,
 * talks to the daemon, holds the panes and draws.
 */
export type App<Model, Action> = {
  readonly model: Model;
  /** What follows from something that the person did (an action, by `keymap`) or that happened. */
  readonly update: (
    model: Model,
    action: Action | UiEvent,
    state: State,
    now: number,
  ) => UpdateResult<Model>;
  /** What a key means. Not asked for what is typed into a pane. */
  readonly keymap: (model: Model, key: Key, state: State) => Action | undefined;
  readonly layout: (size: Size, model: Model, state: State) => Layout;
  /** What is drawn around and over the panes. Asked only when model, state, size or `nextChange` say so, never for what a pane draws. */
  readonly screenOf: (view: View<Model>) => readonly Part[];
  /** In how many ms the screen would look different though nothing happens (ages, grace periods, spinners). @default it never does */
  readonly nextChange?: (view: View<Model>) => number | undefined;
  /** What to come back to. Written when it changed, and when the app is left. @default nothing */
  readonly memoryOf?: (model: Model) => unknown;
};

export type View<Model> = {
  readonly model: Model;
  readonly state: State;
  readonly size: Size;
  readonly now: number;
};

export type UpdateResult<Model> = {
  readonly model: Model;
  /** Asked of the daemon, in this order. */
  readonly wishes: readonly Wish[];
  readonly effects: readonly UiEffect[];
};

/** One piece of the chrome. It is drawn anew when its size or one of the values in `of` changed. Later parts lie over earlier ones. */
export type Part = {
  /** The same piece has the same name in every frame. */
  readonly name: string;
  readonly rect: Rect;
  /** Everything that `draw` looks at, compared one by one with `Object.is`. */
  readonly of: readonly unknown[];
  readonly draw: () => ReactNode;
  /** It lies over the panes: a palette, a question. @default the panes lie over it */
  readonly isOver?: boolean;
};

export type Layout = {
  /** Exactly these are connected and drawn; the others cost nothing. */
  readonly panes: readonly PanePlace[];
  /** The pane that every byte goes to, until the leave key. Without it, keys are commands. */
  readonly typing?: SessionId;
  /** Keys and pasted text are meant for a pane that is not there yet: they wait until there is one to type into, or nobody waits for it any more. @default false */
  readonly holdsKeys?: boolean;
  /** The control character that ends typing. @default Ctrl-], 0x1d */
  readonly leaveKey?: number;
  /** Where the cursor stands in a text field of the chrome. A pane that is typed into has it otherwise; else it is hidden. */
  readonly cursor?: {readonly row: number; readonly column: number};
  /** Whether clicks and the wheel are ours. The terminal's own selection then takes Shift. @default false */
  readonly mouse?: boolean;
};

export type PanePlace = {
  readonly session: SessionId;
  /** Where its cells go; the frame around them is chrome. */
  readonly rect: Rect;
  /** How many lines above the end it is opened at: where the person left it. @default 0 */
  readonly scroll?: number;
};

/** What is done besides changing the model. */
export type UiEffect =
  /** To the clipboard, by OSC 52. Done only if it follows at once from the person's own key, paste or click. */
  | {readonly type: 'copy'; readonly text: string}
  | {readonly type: 'copy-selection'; readonly session: SessionId}
  | {readonly type: 'ring'}
  /** A message of the desktop where the terminal knows how, and the bell. */
  | {readonly type: 'notify'; readonly words: string}
  | {readonly type: 'ask'; readonly name: string; readonly question: Question}
  | {readonly type: 'hand-over'; readonly session: SessionId}
  /** The session's recording, from a little before the moment; it has the terminal until it ends. */
  | {readonly type: 'replay'; readonly session: SessionId; readonly at: number}
  | {readonly type: 'prepare-repository'; readonly what: 'no-git' | 'no-commits'}
  /** Its branch is pushed, and a pull request opened. */
  | {readonly type: 'propose'; readonly run: RunId}
  | {readonly type: 'edit'; readonly name: string; readonly text: string}
  | {readonly type: 'scroll'; readonly session: SessionId; readonly by: Stride}
  | {readonly type: 'search'; readonly session: SessionId; readonly words: string}
  | {
      readonly type: 'search-step';
      readonly session: SessionId;
      readonly direction: 'older' | 'newer';
    }
  /** Copy mode: a cursor that moves over the screen and the lines above it. */
  | {readonly type: 'copy-mode'; readonly session: SessionId; readonly isOn: boolean}
  | {readonly type: 'copy-move'; readonly session: SessionId; readonly by: Stride}
  /** Begins, or forgets, the selection from the copy cursor on. */
  | {
      readonly type: 'copy-anchor';
      readonly session: SessionId;
      readonly whole: 'characters' | 'lines' | 'nothing';
    }
  | {readonly type: 'redraw'}
  | {readonly type: 'suspend'}
  | {readonly type: 'quit'; readonly code?: number};

/** What happened that is not a key: from the daemon, the panes, the terminal, the clock, and what came of effects. */
export type UiEvent =
  | {readonly type: 'connected'}
  /** With the reason. It is tried again by itself. */
  | {readonly type: 'disconnected'; readonly words: string}
  /** The journal stopped taking records, or takes them again. */
  | {readonly type: 'journal-changed'; readonly journal: JournalNews}
  /** The state that comes with it holds it already. */
  | {readonly type: 'event-heard'; readonly event: Event}
  | {readonly type: 'wish-granted'; readonly wish: Wish; readonly answer: unknown}
  | {readonly type: 'wish-refused'; readonly wish: Wish; readonly words: string}
  | {readonly type: 'answered'; readonly name: string; readonly value: unknown}
  | {readonly type: 'refused'; readonly name: string; readonly words: string}
  | {readonly type: 'pasted'; readonly text: string}
  /** With the pane under the pointer, and where in it. */
  | {
      readonly type: 'mouse-used';
      readonly mouse: Mouse;
      readonly pane?: {readonly session: SessionId; readonly row: number; readonly column: number};
    }
  | {readonly type: 'focus-changed'; readonly isFocused: boolean}
  | {readonly type: 'resized'; readonly size: Size}
  | {readonly type: 'typing-left'}
  | {readonly type: 'pane-changed'; readonly session: SessionId; readonly view: PaneView}
  | {readonly type: 'pane-ended'; readonly session: SessionId; readonly words: string}
  | {readonly type: 'copied'; readonly text: string}
  /** Where the pull request is, or why there is none. */
  | {
      readonly type: 'proposed';
      readonly run: RunId;
      readonly outcome: {readonly url: string} | {readonly refused: string};
    }
  | {readonly type: 'edited'; readonly name: string; readonly text: string}
  | {readonly type: 'edit-failed'; readonly name: string; readonly words: string}
  | {readonly type: 'handed-back'; readonly session: SessionId; readonly words?: string}
  /** With words if it was not possible. */
  | {readonly type: 'repository-prepared'; readonly words?: string}
  | {readonly type: 'time-passed'};

export type Question = Parameters<LiveState['ask']>[0];

export type PaneSource = {
  /** Draws the screen as it is; what `bytes` brings goes on from there. */
  readonly snapshot: Uint8Array;
  readonly write: (bytes: Uint8Array) => void;
  readonly resize: (size: Size) => void;
  /** Given if the answers to what the program asks its terminal are to come from this pane. */
  readonly reply?: (bytes: Uint8Array) => void;
  readonly close: () => void;
};

export type OpenPane = (
  session: SessionId,
  size: Size,
  on: {readonly bytes: (chunk: Uint8Array) => void; readonly ended: (words: string) => void},
) => Promise<PaneSource>;

export type TerminalDevice = {
  readonly write: (text: string | Uint8Array) => void;
  readonly size: () => Size;
  readonly onResize: (resized: () => void) => () => void;
  readonly onInput: (heard: (bytes: Uint8Array) => void) => () => void;
  readonly raw: (isOn: boolean) => void;
  /** How many bytes it has not taken yet; while there are many, frames wait. @default it takes everything at once */
  readonly backlog?: () => number;
};

export type Signal = 'SIGTERM' | 'SIGHUP' | 'SIGINT' | 'SIGTSTP' | 'SIGCONT' | 'exit';

/** What the world gives to the loop. */
export type LoopOptions = {
  /** Starts the daemon if need be; called again after a loss. */
  readonly connect: (
    heard: (event: Event, state: State) => void,
    journal: (news: JournalNews) => void,
  ) => Promise<LiveState>;
  readonly openPane: OpenPane;
  readonly terminal: TerminalDevice;
  /** Zoomed raw attach: the app lets go of the terminal until it returns. */
  readonly handOver: (session: SessionId) => Promise<void>;
  readonly edit: (text: string, name: string) => Promise<string>;
  /** @default it is said that there is none */
  readonly replay?: (session: SessionId, at: number) => Promise<void>;
  /** Opens a pull request, and gives where it is. @default it is said that it cannot be done from here */
  readonly propose?: (run: RunId) => Promise<string>;
  readonly prepareRepository?: (what: 'no-git' | 'no-commits') => Promise<void>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => number;
  readonly memory: {readonly read: () => unknown; readonly write: (value: unknown) => void};
  /** The last frame, for the next start. @default it is not kept */
  readonly frames?: {
    /** What was painted on the terminal before the app was there, which was taken for it then. It stays until there is something better to show. */
    readonly painted?: KeptFrame | undefined;
    readonly keep: (frame: KeptFrame) => void;
  };
  /** `exit` is the last moment before the process is gone: what is heard then is done at once. @default none is heard */
  readonly onSignal?: (heard: (signal: Signal) => void) => () => void;
  /** Stops the process as Ctrl-Z does; returns when it goes on. @default it cannot be stopped */
  readonly suspend?: () => void;
  /** Calls back later; gives what takes it back. @default the clock of the event loop */
  readonly after?: After;
};

export type After = (ms: number, call: () => void) => () => void;

/** A frame as what draws it on a terminal of this size. */
export type KeptFrame = Size & {readonly text: string};
