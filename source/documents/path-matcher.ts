import picomatch from 'picomatch';

/**
 * What the globs of a rules file or a plan mean, in one place. A path is matched whole, from the repository's root;
 * dot files are files. A name without a wildcard stands for a file or for a folder and all that is in it; a glob that
 * ends in "/" for what is in the folder.
 */
export function pathMatcher(globs: readonly string[]): (path: string) => boolean {
  const matchers = globs
    .flatMap(formsOf)
    .map((glob) =>
      picomatch(literal(glob), {
        dot: true,
        nonegate: true,
        noextglob: true,
        nobracket: true,
        windows: false,
      }),
    );
  return (path) => matchers.some((matches) => matches(path));
}

/** The globs, in the sense of the matcher itself, that a glob of ours stands for. */
export function formsOf(glob: string): string[] {
  if (glob.endsWith('/')) return [`${glob}**`];
  const name = glob.slice(glob.lastIndexOf('/') + 1);
  return /[*?{]/.test(name) ? [glob] : [glob, `${glob}/**`];
}

/** Takes the meaning from every character that is no wildcard of ours. */
function literal(glob: string): string {
  return glob.replaceAll(/[!"#$%&'()+:;<=>@[\\\]^`|~]/g, String.raw`\$&`);
}
