import path from 'node:path';
import {accessSync, constants, existsSync, statSync} from 'node:fs';
import {findAgentWorktree} from '../domain/index.ts';
import {tryRealPath} from './file-system.ts';
import {type ProbeOptions, type ProbeOutcome, runProbe} from './run-probe.ts';

/** Apple adds `(Apple Git-154)`, Windows a fourth number. */
export const gitProgram: ProbedProgram = {
  command: 'git',
  versionArguments: ['--version'],
  readVersion: (output) => /^git version (?<version>\d\S*)/m.exec(output)?.groups?.['version'],
};

export const ghProgram: ProbedProgram = {
  command: 'gh',
  versionArguments: ['--version'],
  readVersion: (output) => /^gh version (?<version>\d\S*)/m.exec(output)?.groups?.['version'],
  quiet: {GH_NO_UPDATE_NOTIFIER: '1'},
};

export type FoundProgram = {
  readonly file?: string;
  /**
   * Earlier matches on PATH, skipped because whoever can write to the repository could have put
   * them there.
   */
  readonly ignored: readonly string[];
};

export type Search = {
  /** The value of PATH. */
  readonly path: string;
  /** Programs inside of this directory are skipped. */
  readonly outside?: string | undefined;
};

/**
 * Finds a program on PATH. Skips programs of the repository, relative PATH entries and links into
 * the repository.
 */
export function findProgram(name: string, {path: value, outside}: Search): FoundProgram {
  const ignored: string[] = [];
  for (const directory of absoluteEntries(value)) {
    const file = path.join(directory, name);
    if (!isExecutable(file)) continue;
    if (!isInside(file, outside)) return {file, ignored};
    ignored.push(file);
  }

  return {ignored};
}

/** A program that is named by its path counts as installed if the file exists. */
export function isInstalled(program: string, search: Search): boolean {
  return path.isAbsolute(program)
    ? existsSync(program)
    : findProgram(program, search).file !== undefined;
}

/** PATH for the programs that we run: a script with `#!/usr/bin/env node` searches it as well. */
export function trustedPath({path: value, outside}: Search): string {
  return absoluteEntries(value)
    .filter((directory) => !isInside(directory, outside))
    .join(path.delimiter);
}

function absoluteEntries(value: string): string[] {
  return value.split(path.delimiter).filter((entry) => path.isAbsolute(entry));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * Compares the path and its real path: `/usr/local/bin/x` may link into the repository. Agent
 * worktrees of any repository count as inside.
 */
function isInside(file: string, outside: string | undefined): boolean {
  const toReal = (one: string): string => tryRealPath(one) ?? one;
  const names = [file, toReal(file)];
  if (names.some((one) => findAgentWorktree(one) !== undefined)) return true;
  return (
    outside !== undefined &&
    names.some((one) => [outside, toReal(outside)].some((other) => contains(other, one)))
  );
}

function contains(directory: string, file: string): boolean {
  const relative = path.relative(directory, file);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`);
}

export type AskProgramOptions = ProbeOptions & {
  /** Programs inside of this directory are not run. */
  readonly outside?: string | undefined;
};

/** `outcome` is absent when the program was not found. */
export type ProgramAnswer = FoundProgram & {readonly outcome?: ProbeOutcome};

/** Finds a program and runs it once. Its own PATH has only the trusted entries. */
export async function askProgram(
  command: string,
  argv: readonly string[],
  {outside, ...options}: AskProgramOptions,
): Promise<ProgramAnswer> {
  const search = {path: options.env['PATH'] ?? '', outside};
  const found = findProgram(command, search);
  if (found.file === undefined) return found;
  return {
    ...found,
    outcome: await runProbe(found.file, argv, {
      ...options,
      env: {...options.env, PATH: trustedPath(search)},
    }),
  };
}

/** A program that prints its version. Some (pi) print it on standard error. */
export type ProbedProgram = {
  readonly command: string;
  readonly versionArguments: readonly string[];
  readonly readVersion: (output: string) => string | undefined;
  /** Environment that keeps it from looking for updates. */
  readonly quiet?: Readonly<Record<string, string>>;
};

export type InstalledProgram =
  | {readonly at: 'missing'; readonly ignored: readonly string[]}
  | {readonly at: 'works'; readonly file: string; readonly version: string}
  | {readonly at: 'silent'; readonly file: string; readonly why: VersionFailure};

/** Why the version is not known. */
export type VersionFailure =
  | {readonly at: 'timed-out'; readonly timeoutMs: number}
  | {readonly at: 'failed'; readonly how: string}
  | {readonly at: 'unreadable'; readonly said: string};

export async function inspectProgram(
  program: ProbedProgram,
  options: AskProgramOptions,
): Promise<InstalledProgram> {
  const {file, ignored, outcome} = await askProgram(program.command, program.versionArguments, {
    ...options,
    env: {...options.env, ...program.quiet},
  });
  if (file === undefined || outcome === undefined) return {at: 'missing', ignored};
  const version =
    outcome.at === 'exited' && outcome.code === 0
      ? (program.readVersion(outcome.stdout) ?? program.readVersion(outcome.stderr))
      : undefined;
  return version === undefined
    ? {at: 'silent', file, why: toVersionFailure(outcome)}
    : {at: 'works', file, version};
}

function toVersionFailure(outcome: ProbeOutcome): VersionFailure {
  if (outcome.at === 'timed-out') return {at: 'timed-out', timeoutMs: outcome.timeoutMs};
  if (outcome.at === 'signalled') return {at: 'failed', how: outcome.signal};
  if (outcome.at === 'not-started') return {at: 'failed', how: outcome.code};
  if (outcome.code !== 0) return {at: 'failed', how: `exit code ${outcome.code}`};
  return {at: 'unreadable', said: (outcome.stdout.trim() || outcome.stderr.trim()).slice(0, 80)};
}
