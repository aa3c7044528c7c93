import {excerpt} from '../excerpt.ts';
import {isSlowPattern} from './is-slow-pattern.ts';

export type PatternReading =
  | {readonly pattern: string; readonly flags: string}
  | {readonly refused: string; readonly name: 'bad-pattern' | 'slow-pattern'};

/** `/regular expression/flags`, to be tried on each added line. Refusals go on after the text of the pattern. */
export function readPattern(text: string): PatternReading {
  const match = /^\/(.*)\/([a-z]*)$/s.exec(text);
  if (match === null)
    return bad(`is not between slashes: write \`forbid: /${excerpt(escaped(text))}/\`.`);

  const [, pattern = '', flags = ''] = match;
  if (pattern.length > mostCharacters)
    return bad(`is longer than ${mostCharacters} characters: use several shorter ones.`);
  if (!/^[gimsuv]*$/.test(flags))
    return bad(`has a flag that means nothing here ("${flags}"): use i, m, s, u or v.`);

  // Lines are tried one by one: "g" would only make the expression remember where it stopped.
  const lineFlags = flags.replaceAll('g', '');
  const compiled = compile(pattern, lineFlags);
  if ('refused' in compiled) return bad(compiled.refused);
  if (isSlowPattern(pattern)) {
    return {
      name: 'slow-pattern',
      refused:
        'repeats something that itself repeats or can be read in two ways, which can take for ever on one line: write it without a repetition inside a repetition.',
    };
  }

  return compiled.expression.test('')
    ? bad('also matches an empty line, so every change would break it: make it match something.')
    : {pattern, flags: lineFlags};
}

const mostCharacters = 500;

function bad(refused: string): PatternReading {
  return {name: 'bad-pattern', refused};
}

function compile(
  pattern: string,
  flags: string,
): {readonly expression: RegExp} | {readonly refused: string} {
  try {
    return {expression: new RegExp(pattern, flags)};
  } catch (error) {
    // V8 says: Invalid regular expression: /the pattern/flags: the reason
    const reason = String(error).split(': ').at(-1);
    return {refused: `is not a regular expression (${excerpt(reason ?? '')}): correct it.`};
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`);
}
