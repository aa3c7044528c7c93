import type {Wish} from '../../domain/index.ts';
import type {Key} from '../input/key.ts';
import type {UpdateResult} from '../seam.ts';
import type {Deed} from './deed.ts';
import type {Model} from './model.ts';

/** What a key means: a deed of the keymap, a character of a field, or itself where a key is asked for. */
export type Action =
  | {
      readonly type: 'deed';
      readonly does: Deed;
      readonly chord: string;
      readonly isGraced: boolean;
      /** Not pressed by itself. */ readonly isHurried?: true;
    }
  | {readonly type: 'typed'; readonly key: Key}
  | {readonly type: 'pressed'; readonly chord: string}
  /** It was pressed before the app knew anything; it does nothing. */
  | {readonly type: 'early'};

export type Result = UpdateResult<Model>;

export function only(model: Model): Result {
  return {model, wishes: [], effects: []};
}

export function wishing(model: Model, ...wishes: readonly Wish[]): Result {
  return {model, wishes, effects: []};
}

export function doing(model: Model, ...effects: Result['effects']): Result {
  return {model, wishes: [], effects};
}

/** Says something in the status line for a while. */
export function saying(
  model: Model,
  words: string,
  now: number,
  tone: 'plain' | 'good' | 'bad' = 'plain',
): Model {
  return {...model, notice: {words, tone, at: now}};
}
