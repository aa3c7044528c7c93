import {closeSync, constants, openSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import type {AgentOutcome} from '../agents/index.ts';
import {wordsOf} from './words-of.ts';

/** Leaves the outcome whole or not at all; nothing that somebody put in its way is followed. Gives what went wrong, if anything did. */
export function writeOutcome(file: string, outcome: AgentOutcome): string | undefined {
  const half = path.join(path.dirname(file), `.${path.basename(file)}.half`);
  try {
    rmSync(half, {force: true});
    const opened = openSync(half, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
    try {
      writeFileSync(opened, `${JSON.stringify(outcome)}\n`);
    } finally {
      closeSync(opened);
    }

    renameSync(half, file);
    return undefined;
  } catch (error) {
    return wordsOf(error);
  }
}

/** What an earlier start left there is not what comes of this one. */
export function removeOutcome(file: string): void {
  try {
    rmSync(file, {force: true});
  } catch {
    // What cannot be removed cannot be written either, and that is said.
  }
}
