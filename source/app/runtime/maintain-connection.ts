import {errorText} from '../../shared/index.ts';
import type {JournalNews} from '../../protocol/index.ts';
import type {LiveState} from '../../client/index.ts';
import type {Event, State} from '../../domain/index.ts';
import type {After} from '../app-contract.ts';

/**
 * How often presence is reported. The brief may repeat what happened in between, but misses
 * nothing.
 */
const presenceIntervalMs = 30_000;

export type Presence = {
  /** The person did something. */
  readonly pressed: () => void;
};

/**
 * Reports from time to time that the person is present, while they press keys. `isKnown`: another
 * request has reported it already.
 */
export function createPresence({
  now,
  notify,
  isKnown,
}: {
  readonly now: () => number;
  readonly notify: () => void;
  readonly isKnown: boolean;
}): Presence {
  let notifiedAt = isKnown ? now() : Number.NEGATIVE_INFINITY;
  return {
    pressed() {
      if (now() - notifiedAt < presenceIntervalMs) return;
      notifiedAt = now();
      notify();
    },
  };
}

export type Connection = {
  readonly live: () => LiveState | undefined;
  readonly close: () => void;
};

export type ConnectionOptions = {
  readonly connect: (
    onEvent: (event: Event, state: State) => void,
    onJournal: (news: JournalNews) => void,
  ) => Promise<LiveState>;
  readonly after: After;
  readonly onEvent: (event: Event, state: State) => void;
  /** Called after `onConnect` if the journal is not writable, and whenever that changes. */
  readonly onJournal: (news: JournalNews) => void;
  readonly onConnect: (state: State) => void;
  readonly onDisconnect: (text: string) => void;
};

/**
 * Keeps a live copy of the daemon's state. After a disconnect it connects again, with growing
 * delays.
 */
export function maintainConnection({
  connect,
  after,
  onEvent,
  onJournal,
  onConnect,
  onDisconnect,
}: ConnectionOptions): Connection {
  let live: LiveState | undefined;
  let isClosed = false;
  let wait = minWaitMs;
  let cancel = (): void => undefined;

  const open = async (): Promise<void> => {
    let early: JournalNews | undefined;
    try {
      const opened = await connect(
        (event, state) => {
          // Events that arrive before the state are part of it.
          if (live !== undefined && !isClosed) onEvent(event, state);
        },
        (news) => {
          if (live === undefined) early = news;
          else if (!isClosed) onJournal(news);
        },
      );
      if (isClosed) {
        opened.close();
        return;
      }

      live = opened;
      wait = minWaitMs;
      onConnect(opened.state());
      if (early !== undefined) onJournal(early);
      await opened.ended;
      retryLater('the connection to the daemon ended');
    } catch (error) {
      retryLater(errorText(error));
    }
  };

  const retryLater = (text: string): void => {
    live = undefined;
    if (isClosed) return;
    cancel = after(wait, () => void open());
    wait = Math.min(maxWaitMs, wait * 2);
    onDisconnect(text);
  };

  void open();
  return {
    live: () => live,
    close() {
      isClosed = true;
      cancel();
      live?.close();
    },
  };
}

const minWaitMs = 100;
const maxWaitMs = 5000;
