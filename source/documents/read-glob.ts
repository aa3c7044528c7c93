export type GlobReading = {readonly glob: string} | {readonly refused: string};

/**
 * A glob is a path from the repository's root with `*`, `**`, `?` and `{a,b}`; every other character stands for itself,
 * so that `app/(shop)/[id]/page.tsx` is just a path. Refusals are sentences that go on after the glob's name.
 */
export function readGlob(text: string): GlobReading {
  const glob = text.startsWith('./') ? text.slice(2) : text;
  const fault = faults.find(({found}) => found(glob));
  return fault === undefined ? {glob} : {refused: fault.text};
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

/** Each star multiplies the time a match can take: four in one name cost 1.4 s, as measured for 0003-rules-file.md. */
export function hasTooManyWildcards(glob: string): boolean {
  const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  return (
    count(glob, /\*+/g) > 4 ||
    count(glob, /\{/g) > 4 ||
    count(glob, /\*\*/g) > 2 ||
    glob.split('/').some((name) => count(name, /\*+/g) > 2)
  );
}

const mostCharacters = 256;

const faults: readonly {readonly found: (glob: string) => boolean; readonly text: string}[] = [
  {found: (glob) => glob === '', text: 'is empty: name a path, or take the comma away.'},
  {
    found: (glob) => glob.length > mostCharacters,
    text: `is longer than ${mostCharacters} characters: use several shorter globs.`,
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
    text: 'begins with "!", which means nothing here: use `protect:` for what must not change.',
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
