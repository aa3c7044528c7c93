import {without} from '../../base/index.ts';
import {keymapOf} from './keymap-of.ts';
import {boundBy} from './key-names.ts';
import {readKeyChange} from './read-key-change.ts';

type Keys = Readonly<Record<string, unknown>>;

/** A person's keys with other ones for a name, or with the usual ones again; refused when one of their wishes could not be kept then. */
export function changeKeys(
  keys: Keys,
  leave: string,
  name: string,
  chords: readonly string[] | 'usual',
): {readonly keys: Keys} | {readonly refused: string} {
  const rest = without(keys, name);
  if (chords === 'usual')
    return Object.hasOwn(keys, name) || boundBy(name).length > 0
      ? checked(keys, rest, leave, name)
      : refusalOf(name);
  const change = readKeyChange(name, chords.length === 1 ? chords[0] : chords);
  if ('refused' in change) return {refused: `${name}: ${change.refused}`};
  const [first, ...more] = change.chords;
  return checked(
    keys,
    {...rest, [name]: first === undefined ? 'none' : more.length === 0 ? first : [first, ...more]},
    leave,
    name,
  );
}

/** Not a wish fewer than before may hold, but those that were never understood. */
function checked(
  before: Keys,
  after: Keys,
  leave: string,
  name: string,
): ReturnType<typeof changeKeys> {
  const known = new Set(keymapOf(before, leave).problems.map((one) => one.name));
  const problem = keymapOf(after, leave).problems.find(
    (one) => one.name === name || !known.has(one.name),
  );
  return problem === undefined ? {keys: after} : {refused: `${problem.name}: ${problem.words}`};
}

function refusalOf(name: string): {readonly refused: string} {
  const change = readKeyChange(name, 'none');
  return {refused: `${name}: ${'refused' in change ? change.refused : 'there is no such name'}`};
}
