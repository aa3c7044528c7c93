import type {Intent} from '../command.ts';
import type {Happening} from '../event.ts';
import type {State} from '../state.ts';

/** What one command says by itself, before anything follows from it: an event, a refusal, or nothing of its own. */
export type Answer = Happening | Refusal | undefined;

export type Refusal = {readonly refused: string};

/** How wishes of some types are answered. */
export type Wishes<Types extends Intent['type']> = {
  readonly [Type in Types]: (state: State, wish: Extract<Intent, {readonly type: Type}>) => Answer;
};

export function refuse(sentence: string): Refusal {
  return {refused: sentence};
}
