import type {Key, Token} from '../input/key.ts';
import type {Layout, UiEvent} from '../app-contract.ts';
import {paneBytes} from '../input/pane-bytes.ts';
import type {SessionId} from '../../domain/index.ts';
import type {PaneSet} from '../panes/create-pane-set.ts';
import {isInside} from '../render/frame.ts';

/** Ctrl-] */
const defaultLeaveByte = 0x1d;

export type KeysAhead = {
  readonly hold: (token: Token) => void;
  /**
   * The keys that can be delivered now. Keys for a pane that never came are dropped: as commands
   * they could do anything.
   */
  readonly take: (layout: Layout) => readonly Token[];
};

/** A queue of input for a pane that is still opening. */
export function createKeysAhead(): KeysAhead {
  let held: Token[] = [];
  return {
    hold(token) {
      if (held.length < maxQueuedKeys) held.push(token);
    },
    take({holdsKeys, typing}) {
      if (holdsKeys === true || held.length === 0) return [];
      const taken = typing === undefined ? [] : held;
      held = [];
      return taken;
    },
  };
}

/**
 * More keys than anybody types ahead of a shell. Further ones are lost, as with a full terminal
 * buffer.
 */
const maxQueuedKeys = 256;

export type Route<Action> = {
  readonly layout: Layout;
  readonly panes: PaneSet;
  readonly keymap: (key: Key) => Action | undefined;
  readonly apply: (action: Action | UiEvent) => void;
  /** Queues input for a pane that is still opening. */
  readonly hold: (token: Token) => void;
  /** Takes a paste into a pane that may be files or an image. @default none is */
  readonly takeFiles?: (
    session: SessionId,
    token: Extract<Token, {readonly type: 'paste'}>,
  ) => boolean;
};

/** Delivers input to the pane that is typed into, or to the app. */
export function routeInput<Action>(
  token: Exclude<Token, {readonly type: 'answer'}>,
  {layout, panes, keymap, apply, hold, takeFiles}: Route<Action>,
): void {
  if (
    layout.holdsKeys === true &&
    (token.type === 'key' || token.type === 'paste' || token.type === 'unknown')
  ) {
    if (isLeaveKey(token, layout.leaveKey ?? defaultLeaveByte)) apply({type: 'typing-left'});
    else hold(token);
    return;
  }

  const place = layout.panes.find(({session}) => session === layout.typing);
  const pane = place && panes.get(place.session);
  if (pane !== undefined && place !== undefined) {
    if (isLeaveKey(token, layout.leaveKey ?? defaultLeaveByte)) {
      apply({type: 'typing-left'});
      return;
    }

    if (token.type === 'paste' && takeFiles?.(place.session, token) === true) return;
    const bytes = paneBytes(token, pane.modes(), place.rect);
    if (bytes !== undefined) pane.write(bytes);
    // The app gets mouse reports that the program does not want. Focus changes go to both.
    if (token.type === 'focus' || (token.type === 'mouse' && bytes === undefined))
      applyEvent(token, layout, apply);
    return;
  }

  if (token.type === 'key') {
    const action = keymap(token.key);
    if (action !== undefined) apply(action);
    return;
  }

  if (token.type !== 'unknown') applyEvent(token, layout, apply);
}

function isLeaveKey(token: Token, code: number): boolean {
  if (token.type !== 'key') return false;
  if (!token.isModern) return token.bytes.length === 1 && token.bytes[0] === code;
  const {name, ctrl, alt, shift} = token.key;
  return (
    ctrl &&
    !alt &&
    !shift &&
    name.length === 1 &&
    (name.toUpperCase().charCodeAt(0) & 0x1f) === code &&
    /[a-z[\\\]^_]/i.test(name)
  );
}

function applyEvent(
  token: Exclude<Token, {readonly type: 'answer' | 'key' | 'unknown'}>,
  {panes, targets = [], mouse: takesMouse}: Layout,
  apply: (event: UiEvent) => void,
): void {
  if (token.type === 'paste') apply({type: 'pasted', text: token.text});
  if (token.type === 'focus') apply({type: 'focus-changed', isFocused: token.isFocused});
  if (token.type !== 'mouse' || takesMouse !== true) return;
  const {mouse} = token;
  const target = targets.findLast(({rect}) => isInside(rect, mouse));
  const paneIndex = panes.findLastIndex(({rect}) => isInside(rect, mouse));
  const isCovered = target !== undefined && target.panesBelow > paneIndex;
  const under = isCovered ? undefined : panes[paneIndex];
  apply({
    type: 'mouse-used',
    mouse,
    ...(target !== undefined && {target: target.target}),
    ...(under !== undefined && {
      pane: {
        session: under.session,
        row: mouse.row - under.rect.row,
        column: mouse.column - under.rect.column,
      },
    }),
  });
}
