import os from 'node:os';
import path from 'node:path';
import {mkdtempSync, rmSync} from 'node:fs';
import type {DaemonConnection} from '../client/index.ts';
import {writeFileAtomic} from '../files/index.ts';
import {type GivenFile, maxGivenBytes} from '../protocol/index.ts';
import {sanitizeText} from '../shared/index.ts';
import {UsageError} from './repo-paths.ts';
import type {CliContext} from './cli-context.ts';

/**
 * Copies files for the program of a session and returns the paths of the copies. `-` is what
 * standard input has. Throws if one of them cannot be given.
 */
export async function giveCopies(
  daemon: Pick<DaemonConnection, 'ask'>,
  session: string,
  files: readonly string[],
  cli: Pick<CliContext, 'cwd' | 'readInput'>,
): Promise<readonly string[]> {
  if (files.filter((file) => file === '-').length > 1)
    throw new UsageError('expected --file - once: standard input can be read only once');
  const input = files.includes('-') ? saveTemporarily(await readInput(cli)) : undefined;
  try {
    const wanted = files.map((file) =>
      file === '-' && input !== undefined ? input.file : path.resolve(cli.cwd, file),
    );
    const {files: given} = (await daemon.ask({
      about: 'give-files',
      session,
      files: wanted,
      copies: 'all',
    })) as {readonly files: readonly GivenFile[]};
    return given.map((one, index) => requireGiven(one, files[index] ?? ''));
  } finally {
    input?.remove();
  }
}

async function readInput({readInput: read}: Pick<CliContext, 'readInput'>): Promise<Uint8Array> {
  const help = 'give it a file: cat shot.png | orchestra send s7 --file -';
  if (read === undefined)
    throw new UsageError(`--file - reads standard input, and that is a terminal; ${help}`);
  const bytes = await read(maxGivenBytes);
  if (bytes === 'too-large')
    throw new UsageError(
      `standard input is larger than ${maxGivenBytes / 1024 ** 2} MiB, the limit`,
    );
  if (bytes.length === 0) throw new UsageError(`standard input was empty; ${help}`);
  return bytes;
}

function requireGiven(given: GivenFile, name: string): string {
  if (given.at === 'missing')
    throw new UsageError(`expected a file at ${sanitizeText(name)}, and there is none`);
  if (given.at === 'refused')
    throw new UsageError(`${sanitizeText(name)} ${given.why}. Nothing was typed`);
  return given.path;
}

/**
 * A file of these bytes that nobody else can read: the daemon reads files, as a message of its
 * protocol has 1 MB at most.
 */
export function saveTemporarily(bytes: Uint8Array): {
  readonly file: string;
  readonly remove: () => void;
} {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'orchestra-given-'));
  const remove = (): void => {
    rmSync(directory, {recursive: true, force: true});
  };
  try {
    const file = path.join(directory, 'given');
    writeFileAtomic(file, bytes);
    return {file, remove};
  } catch (error) {
    remove();
    throw error;
  }
}
