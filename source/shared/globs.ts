import picomatch from 'picomatch';

export type GlobParseResult = {readonly glob: string} | {readonly rejected: string};

/**
 * A glob is a path from the repository's root with `*`, `**`, `?` and `{a,b}`. Every other
 * character is literal, so that `app/(shop)/[id]/page.tsx` is just a path. A rejection is a
 * sentence that continues after the glob.
 */
export function parseGlob(text: string): GlobParseResult {
  const glob = text.startsWith('./') ? text.slice(2) : text;
  const fault = faults.find(({found}) => found(glob));
  return fault === undefined ? {glob} : {rejected: fault.text};
}

/** Splits `a, b/{c,d}/**` at the commas that are not inside braces. */
export function splitGlobs(text: string): string[] {
  const globs: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1;
    else if (text[at] === '}') depth -= 1;
    else if (text[at] === ',' && depth === 0) {
      globs.push(text.slice(from, at).trim());
      from = at + 1;
    }
  }

  return [...globs, text.slice(from).trim()];
}

export function hasWildcard(glob: string): boolean {
  return /[*?{]/.test(glob);
}

/**
 * Each star multiplies the time of a match: four in one name take 1.4 s, as measured for
 * 0003-rules-file.md.
 */
export function hasTooManyWildcards(glob: string): boolean {
  const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  return (
    count(glob, /\*+/g) > 4 ||
    count(glob, /\{/g) > 4 ||
    count(glob, /\*\*/g) > 2 ||
    glob.split('/').some((name) => count(name, /\*+/g) > 2)
  );
}

const maxCharacters = 256;

const faults: readonly {readonly found: (glob: string) => boolean; readonly text: string}[] = [
  {found: (glob) => glob === '', text: 'is empty: name a path, or remove the comma.'},
  {
    found: (glob) => glob.length > maxCharacters,
    text: `is longer than ${maxCharacters} characters: use several shorter globs.`,
  },
  {
    found: (glob) => glob.includes('\\'),
    text: 'has a backslash: write paths with "/" on every system.',
  },
  {
    found: (glob) => /^(?:\/|~|[A-Za-z]:)/.test(glob),
    text: 'is absolute: write it from the root of the repository, without "/" in front.',
  },
  {
    found: (glob) => glob.split('/').includes('..'),
    text: 'leaves the repository with "..": name paths inside it.',
  },
  {
    found: (glob) => glob.startsWith('!'),
    text: 'starts with "!", which has no meaning here: use `protect:` for what must not change.',
  },
  {found: (glob) => /^["'].*["']$/s.test(glob), text: 'is in quotes: write it without them.'},
  {
    found: (glob) => !hasBalancedBraces(glob),
    text: 'has a brace without its partner: write {a,b}.',
  },
  {
    found: hasTooManyWildcards,
    text: 'has too many wildcards (at most four, two of them `**`, two between slashes): use several simpler globs.',
  },
];

function hasBalancedBraces(glob: string): boolean {
  let depth = 0;
  for (const character of glob) {
    if (character === '{') depth += 1;
    if (character === '}') depth -= 1;
    if (depth < 0) return false;
  }

  return depth === 0;
}

/**
 * Matches paths against the globs of a rules file or a plan: the whole path, from the repository's
 * root, dot files included. A name without a wildcard matches a file, or a folder and everything in
 * it; a glob that ends in "/" matches what is in the folder.
 */
export function pathMatcher(globs: readonly string[]): (path: string) => boolean {
  const matchers = globs.flatMap(expandGlob).map((glob) =>
    picomatch(escapeLiterals(glob), {
      dot: true,
      nonegate: true,
      noextglob: true,
      nobracket: true,
      windows: false,
    }),
  );
  return (path) => matchers.some((matches) => matches(path));
}

/** The picomatch globs that one of our globs means. */
export function expandGlob(glob: string): string[] {
  if (glob.endsWith('/')) return [`${glob}**`];
  const name = glob.slice(glob.lastIndexOf('/') + 1);
  return /[*?{]/.test(name) ? [glob] : [glob, `${glob}/**`];
}

/** Escapes every character that picomatch treats as special and our globs do not. */
function escapeLiterals(glob: string): string {
  return glob.replaceAll(/[!"#$%&'()+:;<=>@[\\\]^`|~]/g, String.raw`\$&`);
}
