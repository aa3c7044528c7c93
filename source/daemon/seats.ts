/**
 * `stranger`: has not shown its token. `asking`: has, and asks. `arriving`: has begun to follow the events a moment ago, as many
 * short commands do. `following`: has followed them for longer.
 */
export type Standing = 'stranger' | 'asking' | 'arriving' | 'following';

/** Who has which place among the connections of one socket. */
export type Seats<Connection> = {
  /** Gives it a place of that standing. Who has been idle there for longest makes room; without anybody idle there is none. */
  readonly move: (connection: Connection, to: Standing) => boolean;
  /** It asked something: it is the last to be idle. */
  readonly use: (connection: Connection) => void;
  readonly leave: (connection: Connection) => void;
  readonly count: (standing: Standing) => number;
  readonly in: (standing: Standing) => readonly Connection[];
};

export type SeatsOptions<Connection> = {
  /** Something that it asked is not answered yet. */
  readonly isBusy: (connection: Connection) => boolean;
  /** It made room for another one. */
  readonly dismiss: (connection: Connection, from: Standing) => void;
  readonly limits?: Readonly<Record<Standing, number>>;
};

/** More strangers than a kernel lets wait at once (Node asks for 511): all of them can be taken before one of them is read. */
const usualLimits: Readonly<Record<Standing, number>> = {
  stranger: 600,
  asking: 64,
  arriving: 64,
  following: 64,
};

/**
 * Each standing has places of its own, so that no number of strangers takes the place of somebody who has the token, and no
 * number of followers keeps out a short command, nor is one of them sent away for it. A person's command is never turned away because others sit there and say nothing.
 */
export function createSeats<Connection>({
  isBusy,
  dismiss,
  limits = usualLimits,
}: SeatsOptions<Connection>): Seats<Connection> {
  // A set is kept in the order of its entries: whoever is used moves to its end.
  const seats: Readonly<Record<Standing, Set<Connection>>> = {
    stranger: new Set(),
    asking: new Set(),
    arriving: new Set(),
    following: new Set(),
  };
  const leave = (connection: Connection): void => {
    for (const seat of Object.values(seats)) seat.delete(connection);
  };

  return {
    move: (connection, to) => {
      if (seats[to].has(connection)) return true;
      if (seats[to].size >= limits[to]) {
        const idle = [...seats[to]].find((other) => to === 'stranger' || !isBusy(other));
        if (idle === undefined) return false;
        leave(idle);
        dismiss(idle, to);
      }

      leave(connection);
      seats[to].add(connection);
      return true;
    },
    use: (connection) => {
      for (const seat of Object.values(seats)) {
        if (seat.delete(connection)) seat.add(connection);
      }
    },
    leave,
    count: (standing) => seats[standing].size,
    in: (standing) => [...seats[standing]],
  };
}
