import {excerpt} from '../excerpt.ts';
import {hasHiddenCharacters} from '../hidden-characters.ts';
import {isSlowPattern} from '../rules/is-slow-pattern.ts';

export type LogPatternReading = {readonly pattern: string} | {readonly refused: string};

/** A regular expression, without slashes and flags, to be tried on each line of a log. Refusals go on after the pattern. */
export function readLogPattern(pattern: string): LogPatternReading {
  if (pattern.length > mostCharacters)
    return {
      refused: `is longer than ${mostCharacters} characters: a few words of the line are enough.`,
    };
  if (/[\n\t]/.test(pattern) || hasHiddenCharacters(pattern))
    return {
      refused: String.raw`has line breaks, tabs, control or hidden characters: write them as \t or \x1b, in single quotes.`,
    };
  if (/^\/.+\/[a-z]*$/.test(pattern))
    return {
      refused: 'is between slashes: write it without them, or [/] for a slash that is meant.',
    };

  const compiled = compile(pattern);
  if ('refused' in compiled) return compiled;
  if (isSlowPattern(pattern))
    return {
      refused:
        'repeats something that itself repeats or can be read in two ways, which can take for ever on one line: write it without a repetition inside a repetition.',
    };
  return compiled.expression.test('')
    ? {refused: 'also matches an empty line, so it proves nothing: make it match something.'}
    : {pattern};
}

const mostCharacters = 500;

function compile(pattern: string): {readonly expression: RegExp} | {readonly refused: string} {
  try {
    return {expression: new RegExp(pattern)};
  } catch (error) {
    // V8 says: Invalid regular expression: /the pattern/: the reason
    const reason = String(error).split(': ').at(-1);
    return {refused: `is not a regular expression (${excerpt(reason ?? '')}): correct it.`};
  }
}
