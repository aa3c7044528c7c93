/** Gives panes their bytes in turn, so that one that floods does not hold up the others, nor the person's keys. */
export type Feeder = {
  /** Draws what is urgent at once, the rest soon. False if so much is waiting that it is not worth drawing. */
  readonly offer: (draw: Draw, chunk: Uint8Array, isUrgent: boolean) => boolean;
  /** Drops what waits for a pane. */
  readonly forget: (draw: Draw) => void;
  readonly close: () => void;
};

export type Draw = (chunk: Uint8Array) => void;

/**
 * What a flood brings within a moment is drawn together: it comes in pieces of 4 kB and less, and each piece by itself costs more
 * than what is in it. A little is drawn at once.
 */
export function createFeeder(): Feeder {
  const waiting = new Map<Draw, {chunks: Uint8Array[]; bytes: number}>();
  let cancel: (() => void) | undefined;

  let isFlood = false;

  const step = (): void => {
    cancel = undefined;
    isFlood = false;
    for (const [draw, queue] of waiting) {
      const part = takeFrom(queue.chunks);
      queue.bytes -= part.length;
      isFlood ||= part.length >= much;
      if (queue.chunks.length === 0) waiting.delete(draw);
      draw(part);
    }

    // Keys and other sessions have their turn in between.
    if (waiting.size > 0) cancel ??= soon(step);
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

      cancel ??= isFlood ? later(step) : soon(step);
      return true;
    },
    forget(draw) {
      waiting.delete(draw);
    },
    close() {
      cancel?.();
      waiting.clear();
    },
  };
}

/** So much is drawn for one pane before the next has its turn: below a millisecond. */
const slice = 16 * 1024;
/** As much as a client may be behind before it takes the screen as it is. */
const most = 4 * 1024 * 1024;
const much = 2048;
/** Half of a frame. */
const gatherMs = 16;

function later(call: () => void): () => void {
  const timer = setTimeout(call, gatherMs);
  return () => {
    clearTimeout(timer);
  };
}

function soon(call: () => void): () => void {
  const immediate = setImmediate(call);
  return () => {
    clearImmediate(immediate);
  };
}

/** Takes up to a slice off the front, as one piece. */
function takeFrom(chunks: Uint8Array[]): Uint8Array {
  let length = 0;
  let count = 0;
  while (count < chunks.length && length < slice) length += chunks[count++]?.length ?? 0;
  const taken = chunks.splice(0, count);
  const last = taken.at(-1);
  if (length > slice && last !== undefined) {
    const kept = last.length - (length - slice);
    chunks.unshift(last.subarray(kept));
    taken[taken.length - 1] = last.subarray(0, kept);
    length = slice;
  }

  const [first] = taken;
  if (taken.length === 1 && first !== undefined) return first;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of taken) {
    whole.set(chunk, at);
    at += chunk.length;
  }

  return whole;
}
