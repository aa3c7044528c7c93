import {existsSync} from 'node:fs';
import path from 'node:path';
import {
  checkRules,
  mostBytes,
  rulesFileTrouble,
  rulesJson,
  rulesReport,
} from '../documents/index.ts';
import {agentWorktreeIn} from '../domain/index.ts';
import {readRegularFile, type RefusalReason} from '../files/index.ts';
import {realPathOf} from '../settings/index.ts';
import {repositoryAt} from './here.ts';
import type {ExitCode, Surroundings} from './surroundings.ts';

const usualFile = '.rulesfile.md';

/** `orchestra rules check [FILE]`: 0 when the file has no errors, 1 when it has, 2 when there is no file to read. */
export function rulesCheck(
  file: string,
  options: {readonly json?: boolean},
  surroundings: Surroundings,
): ExitCode {
  const reading = readSmallFile(path.resolve(directoryFor(file, surroundings), file));
  if ('reason' in reading) {
    surroundings.err(rulesFileTrouble({file, reason: reading.reason, example: examplePath()}));
    return 2;
  }

  const check = checkRules(file, reading.bytes);
  surroundings.out(options.json === true ? rulesJson(check) : rulesReport(check));
  return check.ok ? 0 : 1;
}

/** In an agent's worktree the project's rules are those of the checkout that it was made beside. A file that is named is read where it is. */
function directoryFor(file: string, {cwd, env}: Surroundings): string {
  if (file !== usualFile || agentWorktreeIn(realPathOf(cwd)) === undefined) return cwd;
  return repositoryAt({cwd, env})?.root ?? cwd;
}

/** A person named it, so a link is followed. */
function readSmallFile(file: string): {readonly bytes: Uint8Array} | {readonly reason: string} {
  const reading = readRegularFile(file, {maxBytes: mostBytes, links: 'follow'});
  return reading.at === 'read'
    ? {bytes: reading.bytes}
    : {reason: reasons[reading.why] ?? reading.code ?? reading.message};
}

const reasons: Readonly<Partial<Record<RefusalReason, string>>> = {
  missing: 'missing',
  'not-regular': 'not a file',
  'too-large': 'too large',
};

/** The package's root is one folder above the bundle and two above this source. */
function examplePath(): string {
  const name = '.rulesfile.example.md';
  const places = ['..', '../..'].map((folder) => path.join(import.meta.dirname, folder, name));
  return places.find((place) => existsSync(place)) ?? name;
}
