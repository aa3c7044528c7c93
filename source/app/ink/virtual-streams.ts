import {EventEmitter} from 'node:events';
import type {Size} from '../render/frame.ts';

/** What Ink takes for its terminal. Nothing that Ink writes is shown. */
export function createVirtualOutput({columns, rows}: Size): NodeJS.WriteStream {
  const output = Object.assign(new EventEmitter(), {
    columns,
    rows,
    isTTY: false,
    write(_text: string, done?: unknown): boolean {
      if (typeof done === 'function') (done as () => void)();
      return true;
    },
  });
  return output as unknown as NodeJS.WriteStream;
}

/** Ink's standard input. The loop reads the real terminal; nothing arrives here by itself. */
export function createVirtualInput(): NodeJS.ReadStream {
  const input = Object.assign(new EventEmitter(), {
    isTTY: true,
    read: () => null,
    setRawMode: () => input,
    setEncoding: () => input,
    ref: () => input,
    unref: () => input,
    resume: () => input,
    pause: () => input,
  });
  return input as unknown as NodeJS.ReadStream;
}
