import type {Random} from '../support/random.ts';

/** Pieces that mean something to a terminal, and some that are broken off. */
const pieces: readonly ((random: Random) => string)[] = [
  (random) =>
    random.pick([
      'hello',
      'x',
      '  ',
      'wide 日本語',
      'é',
      'e\u0301',
      '👩‍👩‍👧‍👦',
      '🇩🇪',
      '⚠️',
      '👍🏽',
      '\u200B',
      '\u202E',
      '\uFFFD',
      'a'.repeat(30),
      '│─╮',
    ]),
  (random) =>
    random.pick([
      '\r',
      '\n',
      '\r\n',
      '\t',
      '\b',
      '\u0007',
      '\u0005',
      '\u000E',
      '\u000F',
      '\u000B',
      '\u000C',
      '\0',
      '\u007F',
      '\u0018',
      '\u001A',
      '\u001B',
    ]),
  (random) => `\u001B[${number(random)}${random.pick('ABCDEFGHIJKLMPSTXZ`abdefgmrsu@'.split(''))}`,
  (random) => `\u001B[${number(random)};${number(random)}${random.pick('Hfrmhl'.split(''))}`,
  (random) =>
    `\u001B[${random.pick(['0', '1', '4', '7', '31', '44', '92', '38;5;200', '48;2;1;2;3', '4:3', '21', '9', '53', '39', '49', '58;5;1', '2;3', '8', '5'])}m`,
  (random) =>
    `\u001B[?${random.pick(['1', '5', '6', '7', '12', '25', '47', '69', '1000', '1002', '1003', '1004', '1005', '1006', '1015', '1047', '1048', '1049', '2004', '2026', '2027', '7;25', '9999'])}${random.pick(['h', 'l'])}`,
  (random) =>
    `\u001B${random.pick(['7', '8', 'D', 'E', 'H', 'M', '=', '>', 'c', '(0', '(B', ')0', '*0', 'Z', '#8', '%G', 'n', 'N', ' F', '\\'])}`,
  (random) =>
    `\u001B[${random.pick(['c', '>c', '=c', '5n', '6n', '?6n', '>q', '?2026$p', '4$p', '?9999$p', '21t', '18t', 'x', '!p', ' q', '3 q', '"q', '1"q', 'i', '4i', '?u', '>1u', '<u', '3g', 'g', '?1$r', '2J', 'J', '1J', '3J', 'K', '1K', '20h', '4h', '4l'])}`,
  (random) =>
    `${random.pick(['\u001B]', '\u009D'])}${random.pick(['0;title', '2;t\u0007', '8;;https://example.org', '8;;javascript:alert(1)', '52;c;QUJD', '10;?', '11;?', '4;1;?', '9;x', '777;notify;a;b', '1337;File=:QQ==', '7501;?', '7501;state=blocked:kind=question:msg=SGk=', '133;A', '7;file:///'])}${random.pick(['\u0007', '\u001B\\', '\u009C', '', '\u0018'])}`,
  (random) =>
    `\u001B${random.pick(['P', '_', '^', 'X'])}${random.pick(['$qm', '+q544e', 'tmux;\u001B\u001B]52;c;QQ==\u0007', '1;2q#0~~', 'Gi=1;AAAA', ''])}${random.pick(['\u001B\\', '\u009C', '', '\u001A'])}`,
  (random) => `\u009B${number(random)}${random.pick(['m', 'J', 'H', 'n'])}`,
  (random) =>
    `\u001B[${Array.from({length: random.below(60)}, () => number(random)).join(random.pick([';', ':']))}${random.pick(['m', 'H', 'r'])}`,
];

function number(random: Random): string {
  return random.pick([
    '',
    '0',
    '1',
    '2',
    '3',
    '5',
    '8',
    '40',
    '99',
    '255',
    '1000',
    '9999',
    '65536',
    '2147483648',
    '99999999999999999999',
  ]);
}

/** A stream that a program in bad faith, or none at all, might send. */
export function hostileText(random: Random, length: number): string {
  return Array.from({length}, () => random.pick(pieces)(random)).join('');
}

/** The same as bytes, of which some are changed, lost or doubled. */
export function hostileBytes(random: Random, length: number): Uint8Array {
  const bytes = [...new TextEncoder().encode(hostileText(random, length))];
  for (let count = random.below(4); count > 0; count--) {
    const at = random.below(bytes.length);
    const change = random.below(3);
    if (change === 0) bytes[at] = random.below(256);
    else if (change === 1) bytes.splice(at, 1 + random.below(4));
    else bytes.splice(at, 0, ...bytes.slice(at, at + random.below(8)));
  }

  return Uint8Array.from(bytes);
}
