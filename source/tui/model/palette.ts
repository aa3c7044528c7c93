import type {State} from '../../domain/index.ts';
import {chordInWords} from './chord.ts';
import {bindingsOf} from './contexts-of.ts';
import type {Deed} from './deed.ts';
import {houseRows} from './house-rows.ts';
import type {Model} from './model.ts';

/** One line of the palette: something to do here, or somewhere to go. */
export type PaletteEntry = {readonly words: string; readonly key: string} & (
  | {readonly does: Deed; readonly chord: string; readonly isGraced: boolean}
  | {readonly goes: string}
);

/** Everything that can be done now and every row of the house, by the words that were written. */
export function paletteOf(model: Model, state: State): PaletteEntry[] {
  const wanted = (model.field?.text ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const below: Model = {...model, field: undefined, mode: 'command'};
  const deeds = bindingsOf(below, state)
    .filter(
      ({in: context, does}) =>
        context !== 'list' && does !== 'palette' && does !== 'numbered-pane' && does !== 'option',
    )
    .map(({keys, words, does, isGraced}): PaletteEntry => ({
      words,
      key: keys[0] === undefined ? '' : chordInWords(keys[0]),
      does,
      chord: keys[0] ?? '',
      isGraced: isGraced === true,
    }));
  const places = houseRows(state, state.at).map(({key, name, title, kind}): PaletteEntry => ({
    words: `go to ${kind === 'task' ? key : name} ${title}`.trim(),
    key: '',
    goes: key,
  }));
  const unique = deeds.filter(
    (entry, index) =>
      deeds.findIndex(
        (other) => 'does' in other && 'does' in entry && other.does === entry.does,
      ) === index,
  );
  return [...unique, ...places].filter(({words}) =>
    wanted.every((word) => words.toLowerCase().includes(word)),
  );
}
