import {excerpt} from './sanitize-text.ts';

export type PatternCompileResult =
  | {readonly expression: RegExp}
  /** The sentence continues after the pattern's text. */
  | {readonly rejected: string; readonly isSlow: boolean};

/**
 * Compiles a regular expression that somebody wrote into a file. Rejects one that could take
 * exponential time.
 */
export function compilePattern(pattern: string, flags = ''): PatternCompileResult {
  try {
    const expression = new RegExp(pattern, flags);
    return isSlowPattern(pattern) ? slowPattern : {expression};
  } catch (error) {
    // V8's message: Invalid regular expression: /the pattern/flags: the reason
    const reason = String(error).split(': ').at(-1);
    return {
      isSlow: false,
      rejected: `is not a regular expression (${excerpt(reason ?? '')}): correct it.`,
    };
  }
}

const slowPattern = {
  isSlow: true,
  rejected:
    'repeats something that itself repeats or can be read in two ways, which can take ' +
    'for ever on one line: write it without a repetition inside a repetition.',
} as const;

/**
 * Whether matching can take exponential time: a group that repeats without limit and contains
 * another endless repetition (`(a+)+`) or alternatives that may begin alike (`(\w|\d)*`). Some
 * harmless patterns are reported too, because a rules file comes with a repository and its patterns
 * run in the daemon.
 */
function isSlowPattern(pattern: string): boolean {
  const outer: Group[] = [];
  let group = newGroup();
  const tokens = [...pattern.matchAll(token)].map(([text]) => text);
  for (const [index, text] of tokens.entries()) {
    if (text.startsWith('(')) {
      group.starts ??= '(';
      outer.push(group);
      group = newGroup();
    } else if (text === ')') {
      const isEndless = endless.test(tokens[index + 1] ?? '');
      if (isEndless && (group.hasEndless || isAmbiguous(group))) return true;
      const {hasEndless} = group;
      group = outer.pop() ?? newGroup();
      group.hasEndless ||= hasEndless;
    } else if (text === '|') {
      endAlternative(group);
    } else if (endless.test(text)) {
      group.hasEndless = true;
    } else {
      group.starts ??= text;
    }
  }

  return false;
}

/**
 * The group that is being read: the first token of each alternative, and whether anything in it
 * repeats without limit.
 */
type Group = {hasEndless: boolean; starts: string | undefined; readonly alternatives: string[]};

const token =
  /\\[^]|\[(?:\\[^]|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<\w+>))?|\{\d+(?:,\d*)?\}\??|[*+?]\??|[^]/g;
/** `*`, `+`, `{3,}`; a counted repetition of ten or more is as bad. */
const endless = /^(?:[*+]|\{\d+,\}|\{\d+,\d{2,}\}|\{\d{2,}\})/;

function newGroup(): Group {
  return {hasEndless: false, starts: undefined, alternatives: []};
}

function endAlternative(group: Group): void {
  group.alternatives.push(group.starts ?? '');
  group.starts = undefined;
}

function isAmbiguous(group: Group): boolean {
  if (group.alternatives.length === 0) return false;
  endAlternative(group);
  const areLetters = group.alternatives.every((start) => /^(?:[^\\[(.]|\\[^A-Za-z])$/s.test(start));
  return (
    !areLetters ||
    new Set(group.alternatives.map((start) => start.toLowerCase())).size < group.alternatives.length
  );
}
