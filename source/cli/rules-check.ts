import path from 'node:path';
import {existsSync} from 'node:fs';
import {
  checkRules,
  formatRulesFileError,
  formatRulesJson,
  formatRulesReport,
} from '../rules/index.ts';
import {maxDocumentBytes} from '../syntax/index.ts';
import {findAgentWorktree} from '../domain/index.ts';
import {readRegularFile, type FileRefusalReason} from '../files/index.ts';
import {getRealPath} from '../config/index.ts';
import {repositoryAt} from './repo-paths.ts';
import type {CliContext, ExitCode} from './cli-context.ts';

const usualFile = '.rulesfile.md';

/**
 * `orchestra rules check [FILE]`: 0 when the file has no errors, 1 when it has, 2 when there is no
 * file to read.
 */
export function rulesCheck(
  file: string,
  options: {readonly json?: boolean},
  cli: CliContext,
): ExitCode {
  const reading = readSmallFile(path.resolve(directoryFor(file, cli), file));
  if ('reason' in reading) {
    cli.err(formatRulesFileError({file, reason: reading.reason, example: examplePath()}));
    return 2;
  }

  const check = checkRules(file, reading.bytes);
  cli.out(options.json === true ? formatRulesJson(check) : formatRulesReport(check));
  return check.ok ? 0 : 1;
}

/**
 * In an agent's worktree, the rules of the person's checkout are checked. A file that is named is
 * read where it is.
 */
function directoryFor(file: string, {cwd, env}: CliContext): string {
  if (file !== usualFile || findAgentWorktree(getRealPath(cwd)) === undefined) return cwd;
  return repositoryAt({cwd, env})?.root ?? cwd;
}

/** The person named it, so links are followed. */
function readSmallFile(file: string): {readonly bytes: Uint8Array} | {readonly reason: string} {
  const reading = readRegularFile(file, {maxBytes: maxDocumentBytes, links: 'follow'});
  return reading.at === 'read'
    ? {bytes: reading.bytes}
    : {reason: reasons[reading.why] ?? reading.code ?? reading.message};
}

const reasons: Readonly<Partial<Record<FileRefusalReason, string>>> = {
  missing: 'missing',
  'not-regular': 'not a file',
  'too-large': 'too large',
};

/** The package's root is one directory above the bundle and two above this source file. */
function examplePath(): string {
  const name = '.rulesfile.example.md';
  const places = ['..', '../..'].map((folder) => path.join(import.meta.dirname, folder, name));
  return places.find((place) => existsSync(place)) ?? name;
}
