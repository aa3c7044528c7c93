import type {DOMElement} from 'ink';
import type {SessionId} from '../../domain/index.ts';
import type {ActionName} from '../keymap/action-name.ts';
import type {ListName} from '../model/list-name.ts';

/** What the painter and the loop know about a box of the tree, beside its layout. */
export type Region =
  /** The painter fills the box with the cells of a session. React has no part in its content. */
  | {
      readonly kind: 'pane';
      readonly session: SessionId;
      readonly scroll?: number;
      readonly isFocused?: boolean;
    }
  /** The terminal's own cursor is here. */
  | {readonly kind: 'caret'}
  /** A click on the box is a click on this. */
  | {readonly kind: 'target'; readonly target: Target}
  /**
   * A viewport over its children. Without `top` it follows the item with the cursor; with `top` it
   * shows the content from that row on, clamped.
   */
  | {readonly kind: 'scroll'; readonly list: ListName; readonly top?: number}
  /** A direct child of a viewport. */
  | {readonly kind: 'item'; readonly id: string; readonly isCursor: boolean}
  /** Nothing of what is below the box shines through, also where it has no colour of its own. */
  | {readonly kind: 'cover'}
  /** Swaps foreground and background of everything in the box: a selection without colours. */
  | {readonly kind: 'inverse'}
  /** Paints everything below the box in this colour: what is not in use while a dialog is open. */
  | {readonly kind: 'veil'; readonly colour: number};

/** What a click means. */
export type Target =
  /** The same as pressing the key of the action. */
  | {readonly type: 'action'; readonly action: ActionName; readonly chord?: string}
  /** An item of a list: a click moves the cursor there; on the cursor it equals Enter. */
  | {readonly type: 'item'; readonly list: ListName; readonly index: number}
  /** A need in the inbox. */
  | {readonly type: 'need'; readonly id: string}
  /** A row of the task list. */
  | {readonly type: 'row'; readonly key: string}
  | {readonly type: 'pane'; readonly key: string; readonly session: SessionId}
  | {readonly type: 'file'; readonly index: number}
  /** The area around a dialog or the palette. */
  | {readonly type: 'outside'}
  /** A dialog or the palette, where there is nothing to press. */
  | {readonly type: 'inside'};

/** The regions of the tree that is mounted now. */
export type Regions = Map<DOMElement, Region>;

/** How much of a list is in view: rows of the viewport, rows of its content, and the first one. */
export type Viewport = {
  readonly rows: number;
  readonly content: number;
  readonly top: number;
  /** Items that are in view at least in part. */
  readonly items: number;
};
