import type {SessionId} from '../../domain/index.ts';
import type {After, OpenPane, PanePlace} from '../seam.ts';
import {createFeeder} from './create-feeder.ts';
import {type Pane, createPane} from './create-pane.ts';
import type {PaneView} from './pane-view.ts';

/** The panes that are seen. */
export type PaneSet = {
  /** From now on exactly these are seen. */
  readonly arrange: (places: readonly PanePlace[], typing: SessionId | undefined) => void;
  readonly get: (session: SessionId) => Pane | undefined;
  /** Opens those once more that could not be opened. */
  readonly retry: () => void;
  readonly close: () => void;
};

export type PaneSetOptions = {
  readonly openPane: OpenPane;
  readonly now: () => number;
  readonly after: After;
  readonly drawn: (session: SessionId) => void;
  readonly viewed: (session: SessionId, view: PaneView) => void;
  readonly ended: (session: SessionId, words: string) => void;
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
  const feeder = createFeeder();
  let typingInto: SessionId | undefined;

  const open = ({session, rect, scroll = 0}: PanePlace): Pane =>
    createPane({
      session,
      size: sizeOf(rect),
      scroll,
      openPane,
      feeder,
      isUrgent: () => typingInto === session,
      now,
      after,
      drawn: () => {
        drawn(session);
      },
      viewed: (view) => {
        viewed(session, view);
      },
      ended: (words) => {
        ended(session, words);
      },
    });

  return {
    arrange(places, typing) {
      const begins = typing !== typingInto;
      typingInto = typing;
      for (const [session, pane] of panes) {
        if (places.some((place) => place.session === session)) continue;
        pane.close();
        panes.delete(session);
      }

      for (const place of places) {
        const pane = panes.get(place.session);
        if (pane === undefined) panes.set(place.session, open(place));
        else pane.resize(sizeOf(place.rect));
      }

      // Of several who look at a session, the one who types sees it whole.
      if (begins && typing !== undefined) panes.get(typing)?.claimSize();
    },
    get: (session) => panes.get(session),
    retry() {
      for (const pane of panes.values()) pane.retry();
    },
    close() {
      for (const pane of panes.values()) pane.close();
      panes.clear();
      feeder.close();
    },
  };
}

/** A pane has at least one cell, however small the terminal. */
function sizeOf({columns, rows}: PanePlace['rect']): {
  readonly columns: number;
  readonly rows: number;
} {
  return {columns: Math.max(2, columns), rows: Math.max(1, rows)};
}
