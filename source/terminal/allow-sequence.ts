/**
 * The allow-list of control sequences, by the names that the reader gives them. `undefined` lets a
 * sequence through, a text replaces it, and the empty text drops it: sequences that are not listed
 * never reach a terminal.
 *
 * `max` bounds repetitions, so that a few bytes cannot cause much work.
 *
 * Deliberately absent: queries (we answer them), window operations, media copy, keyboard protocols
 * (they change what the detach key sends), DECCOLM, protection (it marks unknown cells),
 * rectangles, and everything else that programs do not need.
 */
export function allowSequence(name: string, numbers: string, max: number): string | undefined {
  const rule = rules.get(name);
  if (rule === undefined || (name !== 'm' && numbers.includes(':'))) return '';
  return rule(numbers, max);
}

type Rule = (numbers: string, max: number) => string | undefined;

const always: Rule = () => undefined;
const rules = new Map<string, Rule>([
  // Styles, movement, the scroll region.
  ...Array.from('mABCDEFGHadefr`', (name): [string, Rule] => [name, always]),
  // Insert, delete, scroll, erase, tabs, repeat.
  ...Array.from('@ILMPSTXZb', (name): [string, Rule] => [
    name,
    (numbers, max) => boundedRepeat(name, numbers, max),
  ]),
  ['J', upTo('3')],
  ['?J', upTo('3')],
  ['K', upTo('2')],
  ['?K', upTo('2')],
  ['g', (numbers) => retainIf(numbers === '' || numbers === '0' || numbers === '3')],
  // Save and restore the cursor; its shape; soft reset.
  ['s', (numbers) => retainIf(numbers === '')],
  ['u', (numbers) => retainIf(numbers === '')],
  [' q', upTo('6')],
  ['!p', (numbers) => retainIf(numbers === '')],
  // Insert mode and the private modes.
  ['h', (numbers) => retainIf(numbers === '4')],
  ['l', (numbers) => retainIf(numbers === '4')],
  ['?h', (numbers) => allowedModes(numbers, 'h')],
  ['?l', (numbers) => allowedModes(numbers, 'l')],
]);

/** The private modes that a program may set on a person's terminal. */
const privateModes = new Set([
  '1',
  '6',
  '7',
  '12',
  '25',
  '47',
  '1000',
  '1002',
  '1003',
  '1004',
  '1005',
  '1006',
  '1007',
  '1015',
  '1047',
  '1048',
  '1049',
  '2004',
  '2026',
]);

function retainIf(isAllowed: boolean): string | undefined {
  return isAllowed ? undefined : '';
}

/** One digit or none. */
function upTo(digit: string): Rule {
  return (numbers) => retainIf(numbers.length <= 1 && numbers <= digit);
}

function boundedRepeat(name: string, numbers: string, max: number): string | undefined {
  if (numbers.length <= 2) return retainIf(!numbers.includes(';'));
  // With more than one number it is another sequence: `CSI 1;2;3;4;5 T` tracks the mouse.
  return numbers.includes(';') ? '' : `\u001B[${Math.min(max, Number(numbers))}${name}`;
}

function allowedModes(numbers: string, final: string): string | undefined {
  if (privateModes.has(numbers)) return undefined;
  const allowed = numbers.split(';').filter((number) => privateModes.has(number));
  return allowed.length === 0 ? '' : `\u001B[?${allowed.join(';')}${final}`;
}
