import {createScreen, type Screen} from '../../../source/terminal/index.ts';
import type {Size} from '../../../source/app/render/frame.ts';
import type {Signal, TerminalDevice} from '../../../source/app/app-contract.ts';

/** A terminal device for tests: an emulator for output, and functions that send input. */
export type Device = {
  readonly terminal: TerminalDevice;
  readonly screen: () => Screen;
  readonly written: string[];
  readonly press: (text: string) => void;
  readonly resize: (size: Size) => void;
  readonly isRaw: () => boolean;
  /** Number of listeners for input, size and signals. */
  readonly listeners: () => number;
  readonly onSignal: (received: (signal: Signal) => void) => () => void;
  readonly signal: (signal: Signal) => void;
  /** Writing fails from now on. */
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
        const message = typeof text === 'string' ? text : new TextDecoder().decode(text);
        written.push(message);
        screen.write(new TextEncoder().encode(message));
      },
      size: () => size,
      onResize: (resized) => listen(resizes, resized),
      onInput: (received) => listen(inputs, received),
      raw(isOn) {
        isRaw = isOn;
      },
      backlog: () => backlog,
    },
    screen: () => screen,
    written,
    press(text) {
      for (const received of [...inputs]) received(new TextEncoder().encode(text));
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
    onSignal: (received) => listen(signals, received),
    signal(signal) {
      for (const received of [...signals]) received(signal);
    },
    hangUp() {
      isGone = true;
    },
    lag(bytes) {
      backlog = bytes;
    },
  };
}
