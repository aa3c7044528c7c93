import {isSameSize} from '../protocol/index.ts';
import type {ScreenSize} from './create-log.ts';

/** Which client's size the terminal has: that of the client that asked last, as in tmux. */
export type ClientSizes<Client> = {
  /** A client shows the terminal in this size, and is the latest. */
  readonly resize: (client: Client, size: ScreenSize) => void;
  /** A client is gone. */
  readonly leave: (client: Client) => void;
  readonly close: () => void;
};

export type ClientSizesOptions = {
  /** The size that the program was started with. */
  readonly first: ScreenSize;
  readonly apply: (size: ScreenSize) => void;
  /** How long to wait for another client, in milliseconds. */
  readonly delays?: {
    /** Until the terminal takes the size of a client that is still there. */
    readonly handBack: number;
    /** Until it takes a size for nobody. */
    readonly unattended: number;
  };
};

/** A client that closes one connection and opens the next changes nothing meanwhile. */
const usualDelays = {handBack: 150, unattended: 1000};
/** What the interfaces of agents need. A terminal that nobody looks at is at least this large. */
const minUnattended: ScreenSize = {columns: 80, rows: 24};
const defaultUnattended: ScreenSize = {columns: 120, rows: 36};

/**
 * A client that leaves hands the size back to the client before it. Without any, a terminal that a
 * small pane has left behind becomes large enough for a program to draw itself: what it prints
 * meanwhile is read later, by people and by orchestra.
 */
export function createClientSizes<Client>({
  first,
  apply,
  delays = usualDelays,
}: ClientSizesOptions): ClientSizes<Client> {
  /** The latest comes last. */
  const sizes = new Map<Client, ScreenSize>();
  let current = first;
  let timer: NodeJS.Timeout | undefined;

  const use = (size: ScreenSize): void => {
    current = size;
    apply(size);
  };

  const settle = (): void => {
    const latest = [...sizes.values()].at(-1);
    if (latest !== undefined) {
      if (!isSameSize(latest, current)) use(latest);
    } else if (!isSufficient(current)) use(isSufficient(first) ? first : defaultUnattended);
  };

  return {
    resize: (client, size) => {
      clearTimeout(timer);
      sizes.delete(client);
      sizes.set(client, size);
      use(size);
    },
    leave: (client) => {
      const isLatest = [...sizes.keys()].at(-1) === client;
      if (!sizes.delete(client) || !isLatest) return;
      clearTimeout(timer);
      timer = setTimeout(settle, sizes.size > 0 ? delays.handBack : delays.unattended);
    },
    close: () => {
      clearTimeout(timer);
    },
  };
}

function isSufficient({columns, rows}: ScreenSize): boolean {
  return columns >= minUnattended.columns && rows >= minUnattended.rows;
}
