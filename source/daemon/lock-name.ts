import {randomBytes} from 'node:crypto';
import {linkSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {bytesOrThrow, readRegularFile, writeWhole} from '../files/index.ts';
import {namesIn} from './names-in.ts';

/** In the repository's own state directory, which only its owner can read. */
export const lockNameFile = 'lock-name';

/** A file that goes away under us again and again is somebody's doing. */
const maxTries = 5;

/**
 * The name of the daemon's lock: 128 random bits that are chosen once and kept in the state directory, because any local
 * user can take a name that can be guessed. Of several that choose at once one wins, and all of them use its name.
 */
export function ensureLockName(stateDirectory: string): string {
  const file = path.join(stateDirectory, lockNameFile);
  for (let tries = 0; tries < maxTries; tries++) {
    const name = readName(file);
    if (name !== undefined) return name;
    offerName(file);
  }

  throw new Error(
    `expected ${file} to stay where it is, but it was removed ${maxTries} times while a daemon started. Look who does that, then start again`,
  );
}

function readName(file: string): string | undefined {
  const text = textOf(file);
  if (text === undefined) return undefined;
  const digits = /^(?<digits>[\da-f]{32})\n$/.exec(text)?.groups?.['digits'];
  if (digits === undefined)
    throw new Error(
      `${file}: expected 32 hexadecimal digits, the name of the daemon's lock, got something else. Make sure that no daemon of this repository runs, then remove the file: another name is chosen`,
    );
  return `\0orchestra-${digits}`;
}

function textOf(file: string): string | undefined {
  const reading = readRegularFile(file, {maxBytes: 1024});
  return reading.at === 'refused' && reading.why === 'missing'
    ? undefined
    : bytesOrThrow(file, reading).toString('utf8');
}

/** Written whole under another name first: whoever sees the file sees all of it. */
function offerName(file: string): void {
  const own = `${file}.${randomBytes(6).toString('hex')}`;
  const text = `${randomBytes(16).toString('hex')}\n`;
  try {
    writeWhole(own, text, {isDurable: true});
    giveName(own, file, text);
  } finally {
    rmSync(own, {force: true});
  }
}

function giveName(own: string, file: string, text: string): void {
  try {
    linkSync(own, file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EEXIST' || code === 'ENOENT') return;
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw error;
    // A disk without hard links: it is made all the same only if nobody else has made it.
    writeFileSync(file, text, {flag: 'wx', mode: 0o600});
  }
}

/** What those left that were killed while they chose. For whoever has the lock; one that is just choosing tries again. */
export function dropOffers(stateDirectory: string): void {
  for (const name of namesIn(stateDirectory))
    if (/^lock-name\.[\da-f]{12}$/.test(name))
      rmSync(path.join(stateDirectory, name), {force: true});
}
