/**
 * The allow-list of control sequences, in the names that the reader gives them. `undefined` lets a sequence through as it is,
 * a text stands in for it, and the empty text drops it: whatever is not named here never reaches a terminal.
 *
 * `most` bounds what is repeated, so that a few bytes cannot ask for much work.
 *
 * Deliberately absent: queries (we answer them), window operations, media copy, keyboard protocols (they change what the
 * detach key sends), DECCOLM, DECALN, protection (the emulator uses it to mark what it does not know), rectangles.
 */
export function allowSequence(name: string, numbers: string, most: number): string | undefined {
  if (name !== 'm' && numbers.includes(':')) return '';
  switch (name) {
    case 'm':
    case 'A':
    case 'B':
    case 'C':
    case 'D':
    case 'E':
    case 'F':
    case 'G':
    case 'H':
    case 'a':
    case 'd':
    case 'e':
    case 'f':
    case 'r':
    case '`':
      return undefined;
    case '@':
    case 'I':
    case 'L':
    case 'M':
    case 'P':
    case 'S':
    case 'T':
    case 'X':
    case 'Z':
    case 'b':
      return boundedRepeat(name, numbers, most);
    case 'J':
    case '?J':
      return keepIf(isUpTo(numbers, '3'));
    case 'K':
    case '?K':
      return keepIf(isUpTo(numbers, '2'));
    case 'g':
      return keepIf(numbers === '' || numbers === '0' || numbers === '3');
    case ' q':
      return keepIf(isUpTo(numbers, '6'));
    case 's':
    case 'u':
    case '!p':
      return keepIf(numbers === '');
    case 'h':
    case 'l':
      return keepIf(numbers === '4');
    case '?h':
    case '?l':
      return allowedModes(numbers, name.charAt(1));
    default:
      return '';
  }
}

/** The private modes that a program may set on a person's terminal. */
const privateModes = new Set(['1', '6', '7', '12', '25', '47', '1000', '1002', '1003', '1004', '1005', '1006', '1007', '1015', '1047', '1048', '1049', '2004', '2026']);

function keepIf(isAllowed: boolean): string | undefined {
  return isAllowed ? undefined : '';
}

/** One digit or none. */
function isUpTo(numbers: string, digit: string): boolean {
  return numbers.length <= 1 && numbers <= digit;
}

function boundedRepeat(name: string, numbers: string, most: number): string | undefined {
  if (numbers.length <= 2) return keepIf(!numbers.includes(';'));
  // With more than one number it would be another sequence: `CSI 1;2;3;4;5 T` tracks the mouse.
  return numbers.includes(';') ? '' : `\u001B[${Math.min(most, Number(numbers))}${name}`;
}

function allowedModes(numbers: string, final: string): string | undefined {
  if (privateModes.has(numbers)) return undefined;
  const kept = numbers.split(';').filter((number) => privateModes.has(number));
  return kept.length === 0 ? '' : `\u001B[?${kept.join(';')}${final}`;
}
