/**
 * The terminal app: an Ink component tree over one store with a pure reducer. The tree is painted
 * into cells, panes are cells of the emulator, and only the cells that changed are written.
 *
 * - `App.tsx`, `screens/`, `components/`, `hooks/`, `store.tsx`: what is shown;
 * - `model/`: the reducer: what actions and events do; `select/` and `review/`: data for screens;
 * - `keymap/`: actions, the default keys, and the keys of the person;
 * - `theme/`: tokens, themes and signs;
 * - `ink/`: the Ink instance, the painter, and boxes that mean something to them (panes, clicks,
 *   the cursor, viewports);
 * - `input/`: terminal input as keys, pastes and clicks, and the bytes that a program in a pane
 *   gets;
 * - `panes/`: the sessions in view, with scrolling, searching and selecting;
 * - `render/`: cells, and the diff of two frames as bytes;
 * - `runtime/`: the loop, which knows the app only by `app-contract.ts`.
 *
 * Not here: sockets, git, files, processes and the clock. All of them are passed in.
 */
export type {
  App,
  CachedFrame,
  ClipboardImage,
  Layout,
  LoopOptions,
  OpenPane,
  PanePlace,
  PaneSource,
  Signal,
  TerminalDevice,
  UiEffect,
  UiEvent,
  UpdateResult,
  View,
} from './app-contract.ts';
export type {Key, Mouse} from './input/key.ts';
export {type Binding, contextLabels} from './keymap/binding.ts';
export {contextOrder, keymap} from './keymap/bindings.ts';
export {toLeaveByte} from './keymap/chord.ts';
export {buildKeymap, type Keymap, toBindingName} from './keymap/parse.ts';
export {changeKeys} from './keymap/rebind.ts';
export type {Repository, StarterRules} from './model/model.ts';
export type {PaneView, Stride} from './panes/viewport-state.ts';
export {detectColourDepth} from './render/colour.ts';
export type {Rect, Size} from './render/frame.ts';
export {createApp, type RunningApp} from './runtime/create-app.ts';
export {enterSequence, isFrameText, leaveSequence} from './runtime/create-terminal-session.ts';
export {createFilePasting} from './runtime/create-file-pasting.ts';
export {formatPaste, type PasteEvent} from './model/pasted-files.ts';
export {afterTimeout} from './runtime/after-timeout.ts';
export {createPresence, type Presence} from './runtime/maintain-connection.ts';
export {type AppOptions, runApp} from './runtime/run-app.tsx';
