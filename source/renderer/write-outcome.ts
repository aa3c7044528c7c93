import {rmSync} from 'node:fs';
import type {AgentOutcome} from '../agents/index.ts';
import {writeWhole} from '../files/index.ts';
import {wordsOf} from './words-of.ts';

/** Leaves the outcome whole or not at all; nothing that somebody put in its way is followed. Gives what went wrong, if anything did. */
export function writeOutcome(file: string, outcome: AgentOutcome): string | undefined {
  try {
    writeWhole(file, `${JSON.stringify(outcome)}\n`);
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
