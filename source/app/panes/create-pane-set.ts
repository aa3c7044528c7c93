import type {SessionId} from '../../domain/index.ts';
import type {After, OpenPane, PanePlace} from '../app-contract.ts';
import {createOutputScheduler} from './create-output-scheduler.ts';
import {createPane, type Pane} from './create-pane.ts';
import type {PaneView} from './viewport-state.ts';

/** The panes in view. */
export type PaneSet = {
  /** Opens, resizes and closes panes so that exactly these are in view. */
  readonly arrange: (places: readonly PanePlace[], typing: SessionId | undefined) => void;
  readonly get: (session: SessionId) => Pane | undefined;
  /** Opens panes again whose opening failed. */
  readonly retry: () => void;
  readonly close: () => void;
};

export type PaneSetOptions = {
  readonly openPane: OpenPane;
  readonly now: () => number;
  readonly after: After;
  readonly drawn: (session: SessionId) => void;
  readonly viewed: (session: SessionId, view: PaneView) => void;
  readonly ended: (session: SessionId, text: string) => void;
};

export function createPaneSet({
  openPane,
  now,
  after,
  drawn,
  viewed,
  ended,
}: PaneSetOptions): PaneSet {
  const panes = new Map<SessionId, Pane>();
  const outputScheduler = createOutputScheduler();
  let typingInto: SessionId | undefined;
  let focused: SessionId | undefined;

  const open = ({session, rect, scroll = 0}: PanePlace): Pane =>
    createPane({
      session,
      size: toPaneSize(rect),
      scroll,
      openPane,
      outputScheduler,
      isUrgent: () => typingInto === session,
      now,
      after,
      drawn: () => {
        drawn(session);
      },
      viewed: (view) => {
        viewed(session, view);
      },
      ended: (text) => {
        ended(session, text);
      },
    });

  return {
    arrange(places, typing) {
      const startsTyping = typing !== typingInto;
      typingInto = typing;
      const focusedBefore = focused;
      focused = places.find(({isFocused}) => isFocused === true)?.session;
      for (const [session, pane] of panes) {
        if (places.some((place) => place.session === session)) continue;
        pane.close();
        panes.delete(session);
      }

      for (const place of places) {
        const pane = panes.get(place.session);
        if (pane === undefined) panes.set(place.session, open(place));
        else pane.resize(toPaneSize(place.rect));
      }

      // Of several clients of a session, the size of the one that the person uses counts.
      if (startsTyping && typing !== undefined) panes.get(typing)?.claimSize('now');
      else if (focused !== undefined && focused !== focusedBefore)
        panes.get(focused)?.claimSize('settled');
    },
    get: (session) => panes.get(session),
    retry() {
      for (const pane of panes.values()) pane.retry();
    },
    close() {
      for (const pane of panes.values()) pane.close();
      panes.clear();
      outputScheduler.close();
    },
  };
}

/** The emulator needs at least two columns and one row. */
function toPaneSize({columns, rows}: PanePlace['rect']): {
  readonly columns: number;
  readonly rows: number;
} {
  return {columns: Math.max(2, columns), rows: Math.max(1, rows)};
}
