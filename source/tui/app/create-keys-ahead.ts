import type {Token} from '../input/key.ts';
import type {Layout} from '../seam.ts';

export type KeysAhead = {
  readonly hold: (token: Token) => void;
  /** What may be typed now. What was meant for a pane that never came is forgotten: as commands these keys would do anything. */
  readonly take: (layout: Layout) => readonly Token[];
};

/** What was typed for a pane before it was there, in its order. */
export function createKeysAhead(): KeysAhead {
  let held: Token[] = [];
  return {
    hold(token) {
      if (held.length < mostHeld) held.push(token);
    },
    take({holdsKeys, typing}) {
      if (holdsKeys === true || held.length === 0) return [];
      const taken = typing === undefined ? [] : held;
      held = [];
      return taken;
    },
  };
}

/** Nobody types more ahead of a shell; what is beyond is lost, as it is in a terminal whose buffer is full. */
const mostHeld = 256;
