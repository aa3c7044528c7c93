import {type Checkpoint, createScreen} from '../terminal/index.ts';

/**
 * Answers a program's terminal queries in place of the person's terminal, which never gets them.
 */
export type Answering = {
  readonly write: (offset: number, bytes: Uint8Array) => void;
  readonly resize: (columns: number, rows: number) => void;
  readonly close: () => void;
};

/**
 * Continues from a drawn screen. Queries before `live` were answered, or their program no longer
 * waits.
 */
export function createTerminalResponder(
  from: Checkpoint,
  live: number,
  reply: (bytes: Uint8Array) => void,
): Answering {
  let isLive = false;
  const screen = createScreen({
    columns: from.columns,
    rows: from.rows,
    from,
    onReply: (bytes) => {
      if (isLive) reply(bytes);
    },
  });
  return {
    write: (offset, bytes) => {
      const old = Math.max(0, Math.min(bytes.length, live - offset));
      screen.write(bytes.subarray(0, old), offset);
      isLive = offset + bytes.length > live;
      screen.write(bytes.subarray(old), offset + old);
    },
    resize: screen.resize,
    close: screen.close,
  };
}
