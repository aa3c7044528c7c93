/** What git says about the directory it was asked in. */
export type RepositoryFacts =
  | {readonly at: 'none'}
  /** git refused or could not be asked; `said` is its first line. */
  | {readonly at: 'unknown'; readonly said: string}
  | {
      readonly at: 'repository';
      /** Shared by all worktrees; the repository's identity. */
      readonly commonDirectory: string;
      /** Absent in a bare repository and inside a `.git` directory. */
      readonly topLevel?: string;
      readonly isBare: boolean;
      readonly isShallow: boolean;
      readonly hasCommit: boolean;
    };

/** Nothing that the repository's own configuration names may run. */
const hardened = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];

/** `--show-toplevel` comes last, because git stops there in a bare repository. */
export const repositoryQuestion: readonly string[] = [
  ...hardened,
  'rev-parse',
  '--path-format=absolute',
  '--is-bare-repository',
  '--is-shallow-repository',
  '--git-common-dir',
  '--show-toplevel',
];

/** Exit code 0: there is a commit to start from. */
export const headQuestion: readonly string[] = [
  ...hardened,
  'rev-parse',
  '--verify',
  '--quiet',
  'HEAD^{commit}',
];

/** Both answers were given under `LC_ALL=C`. */
export function readRepository(
  answer: {readonly stdout: string; readonly stderr: string},
  hasCommit: boolean,
): RepositoryFacts {
  const [isBare, isShallow, commonDirectory, topLevel] = answer.stdout.split('\n');
  if (
    (isBare !== 'true' && isBare !== 'false') ||
    commonDirectory === undefined ||
    commonDirectory === ''
  ) {
    return answer.stderr.includes('not a git repository')
      ? {at: 'none'}
      : {at: 'unknown', said: answer.stderr.trim().split('\n')[0] ?? ''};
  }

  return {
    at: 'repository',
    commonDirectory,
    ...(topLevel === undefined || topLevel === '' ? {} : {topLevel}),
    isBare: isBare === 'true',
    isShallow: isShallow === 'true',
    hasCommit,
  };
}
