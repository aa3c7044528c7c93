import {createScreen, type Checkpoint} from '../terminal/index.ts';

/** Answers what a program asks its terminal, in the person's place: queries never reach the person's own. */
export type Answering = {
  readonly write: (offset: number, bytes: Uint8Array) => void;
  readonly resize: (columns: number, rows: number) => void;
  readonly close: () => void;
};

/** Goes on from a screen that was drawn. What was asked before `live` has been answered, or nobody waits for it any more. */
export function createAnswering(
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
