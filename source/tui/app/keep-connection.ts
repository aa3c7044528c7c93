import type {JournalNews, LiveState} from '../../client/index.ts';
import type {Event, State} from '../../domain/index.ts';
import type {After} from '../seam.ts';

export type Connection = {
  readonly live: () => LiveState | undefined;
  readonly close: () => void;
};

export type ConnectionOptions = {
  readonly connect: (
    heard: (event: Event, state: State) => void,
    journal: (news: JournalNews) => void,
  ) => Promise<LiveState>;
  readonly after: After;
  readonly heard: (event: Event, state: State) => void;
  /** Told after `connected`, if it is not as usual, and whenever it changes. */
  readonly journal: (news: JournalNews) => void;
  readonly connected: (state: State) => void;
  readonly lost: (words: string) => void;
};

/** Keeps a live copy of the daemon's state; when it is lost, connects again, later each time that it fails. */
export function keepConnection({
  connect,
  after,
  heard,
  journal,
  connected,
  lost,
}: ConnectionOptions): Connection {
  let live: LiveState | undefined;
  let isClosed = false;
  let wait = shortestWait;
  let cancel = (): void => undefined;

  const open = async (): Promise<void> => {
    let early: JournalNews | undefined;
    try {
      const opened = await connect(
        (event, state) => {
          // What is heard before the state is there is in the state.
          if (live !== undefined && !isClosed) heard(event, state);
        },
        (news) => {
          if (live === undefined) early = news;
          else if (!isClosed) journal(news);
        },
      );
      if (isClosed) {
        opened.close();
        return;
      }

      live = opened;
      wait = shortestWait;
      connected(opened.state());
      if (early !== undefined) journal(early);
      await opened.ended;
      again('the connection to the daemon ended');
    } catch (error) {
      again(error instanceof Error ? error.message : String(error));
    }
  };

  const again = (words: string): void => {
    live = undefined;
    if (isClosed) return;
    cancel = after(wait, () => void open());
    wait = Math.min(longestWait, wait * 2);
    lost(words);
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

const shortestWait = 100;
const longestWait = 5000;
