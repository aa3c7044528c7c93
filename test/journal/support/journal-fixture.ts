import os from 'node:os';
import path from 'node:path';
import {mkdtempSync, rmSync} from 'node:fs';
import type {TestContext} from 'node:test';
import {
  type Clock,
  type Entry,
  type Journal,
  type JournalOptions,
  type JournalNotice,
  openJournal,
} from '../../../source/journal/index.ts';

/** A directory of its own, gone after the test. */
export function makeDirectory(t: TestContext): string {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'orchestra-journal-'));
  t.after(() => {
    rmSync(directory, {recursive: true, force: true});
  });
  return directory;
}

export type Opened = {
  readonly journal: Journal;
  readonly entries: Entry[];
  readonly notices: JournalNotice[];
};

/**
 * Opens a journal and keeps what it says. The clock ticks once per look, so that stamps can be told
 * apart.
 */
export async function open(
  directory: string,
  options: Partial<JournalOptions> = {},
): Promise<Opened> {
  const entries: Entry[] = [];
  const notices: JournalNotice[] = [];
  const journal = await openJournal({
    directory,
    clock: tickingClock(),
    boot: 'b1',
    knows: () => true,
    replay: (entry) => entries.push(entry),
    report: (notice) => notices.push(notice),
    ...options,
  });
  return {journal, entries, notices};
}

export async function entriesIn(directory: string): Promise<Entry[]> {
  const {journal, entries} = await open(directory);
  await journal.close();
  return entries;
}

export function tickingClock(): Clock {
  let ticks = 0;
  return {
    wall: () => 1_700_000_000_000 + ++ticks,
    mono: () => 9_007_199_254_740_993n + BigInt(++ticks),
  };
}

export const note = (text: string): {type: string; data: {text: string}} => ({
  type: 'noted',
  data: {text},
});
