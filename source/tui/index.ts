/**
 * Keys in, frames out: what a person lives in. Ink draws the chrome and never meets the terminal; panes are cells of the emulator;
 * both become one frame, and of that only what changed is written.
 *
 * - `render/`: cells, their composition, and the difference between two frames as bytes;
 * - `input/`: bytes from the terminal as keys, pastes and clicks, and what of them reaches a program in a pane;
 * - `panes/`: the sessions that are seen, and how a person looks at them;
 * - `app/`: the loop, which knows the app only as the pure functions of `seam.ts`;
 * - `model/` and `screens/`: those functions: what keys and events do, and how it looks.
 *
 * Not here: sockets, git, files, processes, the clock: all that is given. Nor words about documents: those are in documents.
 */
export {createApp} from './app/create-app.ts';
export type {RunningApp} from './app/create-app.ts';
export {runApp} from './app/run-app.ts';
export type {AppOptions} from './app/run-app.ts';
export {releaseSequence, takeSequence} from './app/terminal-sequences.ts';
export type {Key, Mouse} from './input/key.ts';
export {changeKeys} from './model/change-keys.ts';
export {createPresence, type Presence} from './app/create-presence.ts';
export {keyNameOf} from './model/key-names.ts';
export {contextOrder, contextWords, keymap} from './model/keymap.ts';
export type {Binding} from './model/keymap.ts';
export {keymapOf} from './model/keymap-of.ts';
export type {Keymap} from './model/keymap-of.ts';
export {leaveKeyOf} from './model/leave-key-of.ts';
export type {PaneView, Stride} from './panes/pane-view.ts';
export {colourDepthOf} from './render/colour-depth.ts';
export {isFrameText} from './render/is-frame-text.ts';
export type {Rect, Size} from './render/rect.ts';
export type {
  App,
  KeptFrame,
  Layout,
  LoopOptions,
  OpenPane,
  PanePlace,
  PaneSource,
  Part,
  Signal,
  TerminalDevice,
  UiEffect,
  UiEvent,
  UpdateResult,
  View,
} from './seam.ts';
