import {simpleGit} from 'simple-git';

export type GitExit = {
  readonly argv: readonly string[];
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
};

/**
 * Git exited with a status other than 0. Its output is included: for some commands it is the
 * result.
 */
export class GitFailure extends Error {
  override readonly name = 'GitFailure';
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;

  constructor({argv, code, stdout, stderr}: GitExit) {
    super(
      `git ${formatCommand(argv)} exited with ${code}: ` +
        (findFirstLine(stderr) ?? findFirstLine(stdout) ?? 'it printed nothing'),
    );
    this.code = code;
    this.stdout = stdout;
    this.stderr = stderr;
  }
}

/** The git command and its first argument, without global options. */
function formatCommand(argv: readonly string[]): string {
  const at = argv.findIndex(
    (argument, index) =>
      !argument.startsWith('-') &&
      !['-c', '--git-dir', '--work-tree'].includes(argv[index - 1] ?? ''),
  );
  return argv.slice(Math.max(at, 0), Math.max(at, 0) + 2).join(' ');
}

function findFirstLine(text: string): string | undefined {
  return text
    .split('\n')
    .find((line) => line.trim() !== '')
    ?.trim();
}

/**
 * Runs git in a directory, without hooks, pagers or other programs that a repository can configure.
 */
export type Git = (
  directory: string,
  argv: readonly string[],
  options?: GitCall,
) => Promise<string>;

export type GitCall = {
  /** A private index file, so that the working tree's own index stays unchanged. */
  readonly index?: string;
  /** Standard input of git. */
  readonly input?: string;
  /** Name, email and date of a commit; the same identity makes the same commit. */
  readonly identity?: GitIdentity;
  /** The author when it is not `identity`; `date` in git's format. */
  readonly author?: {readonly name: string; readonly email: string; readonly date: string};
  /** Takes no optional locks, so that a read never writes the index. */
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
  /** PATH, HOME and so on; variables that begin with GIT_ are dropped. */
  readonly env: Readonly<Record<string, string>>;
};

/**
 * Settings of every call: everything that runs a program of the repository's choice is off (faults
 * 3.12.4). A clean filter cannot be switched off like this; the guard looks for new ones before git
 * is called (see `../guard`).
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
  // ctime detects a change even when the file's mtime was set back.
  'core.trustctime=true',
  'core.checkStat=default',
  'core.ignoreStat=false',
  // An index is one file, so that it can be copied; absolute paths, so that a worktree can be
  // moved.
  'core.splitIndex=false',
  'index.sparse=false',
  'worktree.useRelativePaths=false',
  'checkout.workers=0',
];

/**
 * simple-git rejects these options because they can run programs; our values switch the programs
 * off.
 */
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

/** The hardened settings as arguments, for callers that spawn git themselves to read bytes. */
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
  return {...base, ...toVariables(call)};
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
          stdout: decodeOutput(stdOut),
          stderr: decodeOutput(stdErr),
        });
        return failure;
      },
      // As a buffer: with an empty string simple-git never closes git's input.
      ...(input === undefined ? {} : {input: () => Buffer.from(input)}),
      ...(call.signal === undefined ? {} : {abort: call.signal}),
    });
    try {
      return await git.env(gitEnvironment({env}, call)).raw([...argv]);
    } catch (error) {
      // simple-git's error has only a message; callers need the status and the output.
      throw failure ?? error;
    }
  };
}

function toVariables({index, identity, author, isRead}: GitCall): Record<string, string> {
  return {
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    // Messages of git are parsed, so they must be in English.
    LC_ALL: 'C',
    LANGUAGE: '',
    ...(isRead === true ? {GIT_OPTIONAL_LOCKS: '0'} : {}),
    ...(index === undefined ? {} : {GIT_INDEX_FILE: index}),
    ...(identity === undefined ? {} : toIdentityVariables(identity)),
    ...(author === undefined
      ? {}
      : {
          GIT_AUTHOR_NAME: author.name,
          GIT_AUTHOR_EMAIL: author.email,
          GIT_AUTHOR_DATE: author.date,
        }),
  };
}

function toIdentityVariables({name, email, at}: GitIdentity): Record<string, string> {
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

function decodeOutput(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString('utf8');
}
