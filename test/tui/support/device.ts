import {type Screen, createScreen} from '../../../source/terminal/index.ts';
import type {Size} from '../../../source/tui/render/rect.ts';
import type {Signal, TerminalDevice} from '../../../source/tui/seam.ts';

/** A person's terminal: an emulator that shows what is written, and hands that press keys. */
export type Device = {
  readonly terminal: TerminalDevice;
  readonly screen: () => Screen;
  readonly written: string[];
  readonly press: (text: string) => void;
  readonly resize: (size: Size) => void;
  readonly isRaw: () => boolean;
  /** How many listen to keys, sizes and signals. */
  readonly listeners: () => number;
  readonly onSignal: (heard: (signal: Signal) => void) => () => void;
  readonly signal: (signal: Signal) => void;
  /** From now on nobody is there to write to. */
  readonly hangUp: () => void;
  readonly lag: (bytes: number) => void;
};

export function createDevice(first: Size): Device {
  let size = first;
  let screen = createScreen({...first, scrollback: 5});
  let isRaw = false;
  let isGone = false;
  let backlog = 0;
  const written: string[] = [];
  const inputs = new Set<(bytes: Uint8Array) => void>();
  const resizes = new Set<() => void>();
  const signals = new Set<(signal: Signal) => void>();
  const listen = <T>(listeners: Set<T>, listener: T): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };

  return {
    terminal: {
      write(text) {
        if (isGone) throw Object.assign(new Error('write EPIPE'), {code: 'EPIPE'});
        const words = typeof text === 'string' ? text : new TextDecoder().decode(text);
        written.push(words);
        screen.write(new TextEncoder().encode(words));
      },
      size: () => size,
      onResize: (resized) => listen(resizes, resized),
      onInput: (heard) => listen(inputs, heard),
      raw(isOn) {
        isRaw = isOn;
      },
      backlog: () => backlog,
    },
    screen: () => screen,
    written,
    press(text) {
      for (const heard of [...inputs]) heard(new TextEncoder().encode(text));
    },
    resize(next) {
      size = next;
      // A terminal that was made smaller or larger moves what it showed as it likes.
      const {modes} = screen;
      screen.close();
      screen = createScreen({...next, scrollback: 5});
      screen.write(
        new TextEncoder().encode(
          `${modes.alternateScreen ? '\u001B[?1049h' : ''}\u001B[?7l${'?'.repeat(30)}`,
        ),
      );
      for (const resized of [...resizes]) resized();
    },
    isRaw: () => isRaw,
    listeners: () => inputs.size + resizes.size + signals.size,
    onSignal: (heard) => listen(signals, heard),
    signal(signal) {
      for (const heard of [...signals]) heard(signal);
    },
    hangUp() {
      isGone = true;
    },
    lag(bytes) {
      backlog = bytes;
    },
  };
}
