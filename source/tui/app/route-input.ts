import type {Key, Token} from '../input/key.ts';
import {paneBytes} from '../input/pane-bytes.ts';
import type {PaneSet} from '../panes/create-pane-set.ts';
import {isInside} from '../render/rect.ts';
import type {Layout, UiEvent} from '../seam.ts';

export type Route<Action> = {
  readonly layout: Layout;
  readonly panes: PaneSet;
  readonly keymap: (key: Key) => Action | undefined;
  readonly apply: (action: Action | UiEvent) => void;
  /** Keeps what is typed ahead for a pane that is not there yet. */
  readonly hold: (token: Token) => void;
};

/** Takes what the person did to where it belongs: to the pane that they type into, or to the app. */
export function routeInput<Action>(
  token: Exclude<Token, {readonly type: 'answer'}>,
  {layout, panes, keymap, apply, hold}: Route<Action>,
): void {
  if (
    layout.holdsKeys === true &&
    (token.type === 'key' || token.type === 'paste' || token.type === 'unknown')
  ) {
    if (isLeaveKey(token, layout.leaveKey ?? 0x1d)) apply({type: 'typing-left'});
    else hold(token);
    return;
  }

  const place = layout.panes.find(({session}) => session === layout.typing);
  const pane = place && panes.get(place.session);
  if (pane !== undefined && place !== undefined) {
    if (isLeaveKey(token, layout.leaveKey ?? 0x1d)) {
      apply({type: 'typing-left'});
      return;
    }

    const bytes = paneBytes(token, pane.modes(), place.rect);
    if (bytes !== undefined) pane.write(bytes);
    // The pointer is the app's where the program does not want it, and focus concerns both.
    if (token.type === 'focus' || (token.type === 'mouse' && bytes === undefined))
      tell(token, layout, apply);
    return;
  }

  if (token.type === 'key') {
    const action = keymap(token.key);
    if (action !== undefined) apply(action);
    return;
  }

  if (token.type !== 'unknown') tell(token, layout, apply);
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

function tell(
  token: Exclude<Token, {readonly type: 'answer' | 'key' | 'unknown'}>,
  {panes, mouse: isOurs}: Layout,
  apply: (event: UiEvent) => void,
): void {
  if (token.type === 'paste') apply({type: 'pasted', text: token.text});
  if (token.type === 'focus') apply({type: 'focus-changed', isFocused: token.isFocused});
  if (token.type !== 'mouse' || isOurs !== true) return;
  const {mouse} = token;
  const under = panes.find(({rect}) => isInside(rect, mouse));
  apply({
    type: 'mouse-used',
    mouse,
    ...(under !== undefined && {
      pane: {
        session: under.session,
        row: mouse.row - under.rect.row,
        column: mouse.column - under.rect.column,
      },
    }),
  });
}
