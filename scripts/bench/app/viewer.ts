import process from 'node:process';
import {Buffer} from 'node:buffer';
import {loadPty, openTerminal} from '../../../source/keeper/open-terminal.ts';
import {createScreen} from '../../../source/terminal/index.ts';
import {eventually} from '../../../test/support/eventually.ts';
import {size} from '../sessions/fixture.ts';
import type {Command} from '../sessions/terminal.ts';

/** A terminal with a program in it. Output is interpreted as a screen only on demand. */
export type Viewer = {
  readonly pid: number;
  readonly press: (bytes: Buffer) => void;
  /**
   * Milliseconds from the start until the screen showed this, checked after each output. `open` is
   * pressed if it takes long.
   */
  readonly shows: (what: RegExp, open?: string) => Promise<number>;
  readonly received: () => number;
  /** How often a character came, and when last. */
  readonly count: (character: string) => number;
  readonly lastSeen: (character: string) => number | undefined;
  readonly text: () => string;
  readonly close: () => Promise<void>;
};

export async function openViewer({argv, env, cwd}: Command): Promise<Viewer> {
  const screen = createScreen({
    ...size,
    scrollback: 0,
    onReply: (bytes) => void terminal.write(Buffer.from(bytes)),
  });
  const ended = Promise.withResolvers<undefined>();
  const counts = new Map<string, number>();
  const seen = new Map<string, number>();
  let received = 0;
  let isOver = false;
  const start = performance.now();
  let lastOutput = start;
  let looksFor: {readonly what: RegExp; at?: number} | undefined;
  const opened = openTerminal(
    loadPty(),
    {argv, env, cwd, size},
    {
      onOutput: (bytes) => {
        received += bytes.length;
        lastOutput = performance.now();
        for (const character of '{}%&') {
          if (!bytes.includes(character)) continue;
          counts.set(character, (counts.get(character) ?? 0) + 1);
          seen.set(character, lastOutput);
        }

        screen.write(bytes);
        if (looksFor !== undefined && looksFor.at === undefined && looksFor.what.test(text()))
          looksFor.at = lastOutput;
        return true;
      },
      onExit: () => {
        isOver = true;
        ended.resolve(undefined);
      },
    },
  );
  if ('refusal' in opened) throw new Error(opened.refusal.text);
  const terminal = opened;
  const text = (): string => screen.text().join('\n');
  return Promise.resolve({
    pid: terminal.pid,
    press: (bytes) => void terminal.write(bytes),
    shows: async (what, open) => {
      let pressedAt = start;
      const look: {readonly what: RegExp; at?: number} = {
        what,
        ...(what.test(text()) && {at: lastOutput}),
      };
      looksFor = look;
      const at = await eventually(
        what.source,
        () => {
          if (look.at !== undefined) return look.at;
          if (open !== undefined && performance.now() - pressedAt > 1500) {
            terminal.write(Buffer.from(open));
            pressedAt = performance.now();
          }

          return undefined;
        },
        30_000,
      ).catch((error: unknown) => {
        throw new Error(`${String(error)}; the screen shows:\n${text()}`, {cause: error});
      });
      looksFor = undefined;
      return at - start;
    },
    received: () => received,
    count: (character) => counts.get(character) ?? 0,
    lastSeen: (character) => seen.get(character),
    text,
    close: async () => {
      try {
        if (!isOver) process.kill(terminal.pid, 'SIGKILL');
      } catch {
        // It has just ended by itself.
      }

      await ended.promise;
      terminal.close();
      screen.close();
    },
  });
}
