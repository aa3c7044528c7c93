import type {After} from '../app-contract.ts';

/** Feeds output to panes in turn, so that a flooding pane delays neither the others nor keys. */
export type OutputScheduler = {
  /**
   * Draws urgent output immediately, the rest soon. False if too much is queued to be worth
   * drawing.
   */
  readonly enqueue: (draw: Draw, chunk: Uint8Array, isUrgent: boolean) => boolean;
  /** Drops the queued output of a pane. */
  readonly forget: (draw: Draw) => void;
  readonly close: () => void;
};

export type Draw = (chunk: Uint8Array) => void;

/**
 * Output of a flood is gathered and drawn together: it comes in chunks of 4 kB and less, and
 * drawing a chunk costs more than its content. Small output is drawn without delay.
 */
export function createOutputScheduler(): OutputScheduler {
  const waiting = new Map<Draw, {chunks: Uint8Array[]; bytes: number}>();
  let cancel: (() => void) | undefined;

  let isFlood = false;

  const step = (): void => {
    cancel = undefined;
    isFlood = false;
    for (const [draw, queue] of waiting) {
      const part = takeFrom(queue.chunks);
      queue.bytes -= part.length;
      isFlood ||= part.length >= floodBytes;
      if (queue.chunks.length === 0) waiting.delete(draw);
      draw(part);
    }

    // Input and other sessions run in between.
    if (waiting.size > 0) cancel ??= soon(step);
  };

  return {
    enqueue(draw, chunk, isUrgent) {
      const queue = waiting.get(draw);
      if (queue === undefined && isUrgent) {
        draw(chunk);
        return true;
      }

      const bytes = (queue?.bytes ?? 0) + chunk.length;
      if (bytes > maxQueuedBytes) return false;
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

/** Bytes drawn for one pane per turn: below a millisecond. */
const sliceBytes = 16 * 1024;
/** Beyond this, the pane takes a new snapshot instead. */
const maxQueuedBytes = 4 * 1024 * 1024;
const floodBytes = 2048;
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

/** Takes up to a slice from the front, as one chunk. */
function takeFrom(chunks: Uint8Array[]): Uint8Array {
  let length = 0;
  let count = 0;
  while (count < chunks.length && length < sliceBytes) length += chunks[count++]?.length ?? 0;
  const taken = chunks.splice(0, count);
  const last = taken.at(-1);
  if (length > sliceBytes && last !== undefined) {
    const fitting = last.length - (length - sliceBytes);
    chunks.unshift(last.subarray(fitting));
    taken[taken.length - 1] = last.subarray(0, fitting);
    length = sliceBytes;
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

export type Throttle<T> = {readonly ask: (value: T) => void; readonly close: () => void};

/** Calls `act` at most once in `ms`; of the values asked for in between, only the last counts. */
export function throttle<T>({
  ms,
  now,
  after,
  act,
}: {
  readonly ms: number;
  readonly now: () => number;
  readonly after: After;
  readonly act: (value: T) => void;
}): Throttle<T> {
  let last = Number.NEGATIVE_INFINITY;
  let waiting: {readonly value: T} | undefined;
  let cancel = (): void => undefined;

  const run = (value: T): void => {
    last = now();
    waiting = undefined;
    act(value);
  };

  return {
    ask(value) {
      // A clock that was set back must not block calls for ever.
      const passed = Math.abs(now() - last);
      if (waiting === undefined && passed >= ms) {
        run(value);
        return;
      }

      const isScheduled = waiting !== undefined;
      waiting = {value};
      if (isScheduled) return;
      cancel = after(ms - passed, () => {
        if (waiting !== undefined) run(waiting.value);
      });
    },
    close() {
      cancel();
      waiting = undefined;
    },
  };
}
