import {simpleGit} from 'simple-git';
import {GitFailure} from './git-failure.ts';

/** Runs git where and as it is told, and nothing that a repository would like to have run along with it. */
export type Git = (
  directory: string,
  argv: readonly string[],
  options?: GitCall,
) => Promise<string>;

export type GitCall = {
  /** A private index: whoever works in the tree never notices. */
  readonly index?: string;
  /** What git reads from its standard input. */
  readonly input?: string;
  /** Name, address and date of a commit, so that doing it again makes the same one. */
  readonly identity?: GitIdentity;
  /** Who wrote it, where that is not the person; `date` as git takes it. */
  readonly author?: {readonly name: string; readonly email: string; readonly date: string};
  /** Reads look, they never write an index back. */
  readonly isRead?: boolean;
  readonly signal?: AbortSignal;
};

export type GitIdentity = {
  readonly name: string;
  readonly email: string;
  /** Milliseconds since 1970; git counts in seconds. */
  readonly at: number;
};

export type GitOptions = {
  /** Absolute, found outside the repository. */
  readonly program: string;
  /** PATH, HOME and the like; nothing that begins with GIT_ is taken over. */
  readonly env: Readonly<Record<string, string>>;
};

/**
 * What runs a program of the repository's choice is off on every call (faults 3.12.4). A clean filter cannot be switched
 * off like this: the guard looks for new ones before git is called (see `../guard`).
 */
const hardened = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.pager=cat',
  'core.editor=false',
  'core.sshCommand=false',
  'core.untrackedCache=false',
  'core.quotePath=false',
  'core.symlinks=true',
  'diff.external=',
  'diff.renames=false',
  'merge.renames=true',
  'protocol.ext.allow=never',
  'protocol.file.allow=user',
  'commit.gpgSign=false',
  'tag.gpgSign=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'submodule.recurse=false',
  'advice.detachedHead=false',
  'fetch.recurseSubmodules=false',
  // A file whose other times were put back is still seen to have changed.
  'core.trustctime=true',
  'core.checkStat=default',
  'core.ignoreStat=false',
  // An index is one file, so that a copy of it is an index; a worktree that is moved still knows where it belongs.
  'core.splitIndex=false',
  'index.sparse=false',
  'worktree.useRelativePaths=false',
  'checkout.workers=0',
];

/** simple-git refuses these by name because they can run programs; here they are what stops the programs. */
const unsafe = {
  allowUnsafeHooksPath: true,
  allowUnsafeFsMonitor: true,
  allowUnsafePager: true,
  allowUnsafeEditor: true,
  allowUnsafeSshCommand: true,
  allowUnsafeDiffExternal: true,
  allowUnsafeProtocolOverride: true,
  allowUnsafeGpgProgram: true,
  allowUnsafeSubmodule: true,
  allowUnsafeCustomBinary: true,
  allowUnsafeConfigPaths: true,
};

const ownVariables = [
  'GIT_CONFIG_NOSYSTEM',
  'GIT_OPTIONAL_LOCKS',
  'GIT_INDEX_FILE',
  'GIT_TERMINAL_PROMPT',
  'GIT_LITERAL_PATHSPECS',
  'GIT_AUTHOR_NAME',
  'GIT_AUTHOR_EMAIL',
  'GIT_AUTHOR_DATE',
  'GIT_COMMITTER_NAME',
  'GIT_COMMITTER_EMAIL',
  'GIT_COMMITTER_DATE',
];

/** The same for whoever starts git by itself, because its output is bytes. */
export function gitArguments(): readonly string[] {
  return hardened.flatMap((setting) => ['-c', setting]);
}

export function gitEnvironment(
  {env}: Pick<GitOptions, 'env'>,
  call: GitCall,
): Record<string, string> {
  const base = Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => !/^(?:GIT_|EDITOR$|VISUAL$|PAGER$|SSH_ASKPASS$|PREFIX$)/.test(name),
    ),
  );
  return {...base, ...variablesOf(call)};
}

export function createGit({program, env}: GitOptions): Git {
  return async (directory, argv, call = {}) => {
    let failure: GitFailure | undefined;
    const {input} = call;
    const git = simpleGit({
      baseDir: directory,
      binary: program,
      config: hardened,
      unsafe,
      allowEnvironment: ownVariables,
      completion: {onClose: true, onExit: false},
      errors: (error, {exitCode, stdOut, stdErr}) => {
        if (exitCode === 0) return undefined;
        if (error instanceof Error && exitCode === -1) return error;
        failure = new GitFailure({
          argv,
          code: exitCode,
          stdout: textOf(stdOut),
          stderr: textOf(stdErr),
        });
        return failure;
      },
      // As bytes: an empty text would leave git waiting for its input for ever.
      ...(input === undefined ? {} : {input: () => Buffer.from(input)}),
      ...(call.signal === undefined ? {} : {abort: call.signal}),
    });
    try {
      return await git.env(gitEnvironment({env}, call)).raw([...argv]);
    } catch (error) {
      // simple-git hands over only the words of an error; the status and the output are the answer of some commands.
      throw failure ?? error;
    }
  };
}

function variablesOf({index, identity, author, isRead}: GitCall): Record<string, string> {
  return {
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    // What git says is read here: in one language, whatever the person's is.
    LC_ALL: 'C',
    LANGUAGE: '',
    ...(isRead === true ? {GIT_OPTIONAL_LOCKS: '0'} : {}),
    ...(index === undefined ? {} : {GIT_INDEX_FILE: index}),
    ...(identity === undefined ? {} : identityOf(identity)),
    ...(author === undefined
      ? {}
      : {
          GIT_AUTHOR_NAME: author.name,
          GIT_AUTHOR_EMAIL: author.email,
          GIT_AUTHOR_DATE: author.date,
        }),
  };
}

function identityOf({name, email, at}: GitIdentity): Record<string, string> {
  const date = `@${Math.floor(at / 1000)} +0000`;
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
    GIT_COMMITTER_DATE: date,
  };
}

function textOf(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString('utf8');
}
