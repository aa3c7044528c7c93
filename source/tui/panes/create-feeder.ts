/** Gives panes their bytes in turn, so that one that floods does not hold up the others, nor the person's keys. */
export type Feeder = {
  /** Draws what is urgent at once, the rest soon. False if so much is waiting that it is not worth drawing. */
  readonly offer: (draw: Draw, chunk: Uint8Array, isUrgent: boolean) => boolean;
  /** Drops what waits for a pane. */
  readonly forget: (draw: Draw) => void;
  readonly close: () => void;
};

export type Draw = (chunk: Uint8Array) => void;

export function createFeeder(): Feeder {
  const waiting = new Map<Draw, {chunks: Uint8Array[]; bytes: number}>();
  let turn: NodeJS.Immediate | undefined;

  const step = (): void => {
    turn = undefined;
    for (const [draw, queue] of waiting) {
      let budget = slice;
      while (budget > 0) {
        const chunk = queue.chunks.shift();
        if (chunk === undefined) break;
        const part = chunk.subarray(0, budget);
        if (part.length < chunk.length) queue.chunks.unshift(chunk.subarray(part.length));
        budget -= part.length;
        queue.bytes -= part.length;
        draw(part);
      }

      if (queue.chunks.length === 0) waiting.delete(draw);
    }

    if (waiting.size > 0) turn ??= setImmediate(step);
  };

  return {
    offer(draw, chunk, isUrgent) {
      const queue = waiting.get(draw);
      if (queue === undefined && isUrgent) {
        draw(chunk);
        return true;
      }

      const bytes = (queue?.bytes ?? 0) + chunk.length;
      if (bytes > most) return false;
      if (queue === undefined) waiting.set(draw, {chunks: [chunk], bytes});
      else {
        queue.chunks.push(chunk);
        queue.bytes = bytes;
      }

      turn ??= setImmediate(step);
      return true;
    },
    forget(draw) {
      waiting.delete(draw);
    },
    close() {
      if (turn !== undefined) clearImmediate(turn);
      waiting.clear();
    },
  };
}

/** So much is drawn for one pane before the next has its turn: below a millisecond. */
const slice = 16 * 1024;
/** As much as a client may be behind before it takes the screen as it is. */
const most = 4 * 1024 * 1024;
