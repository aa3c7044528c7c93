import assert from 'node:assert/strict';
import {Buffer} from 'node:buffer';
import type {Disk} from '../../../source/journal/disk.ts';
import type {
  Draft,
  Entry,
  Journal,
  JournalNotice,
  JournalStatus,
} from '../../../source/journal/index.ts';
import {toBlobName} from '../../../source/journal/blobs.ts';
import {open} from './journal-fixture.ts';

export type History = {
  /** Names of the decisions in the order in which they were tried. */
  readonly tried: string[];
  /** What was promised to be there. */
  readonly acknowledged: Entry[];
  /** Of the last journal that could be opened. */
  lastStatus: JournalStatus | undefined;
};

/**
 * Some starts, decisions of one to three events, alone and at once, and blobs that are named by
 * records. It never gives up.
 */
export async function runWorkload(directory: string, disk: Disk): Promise<History> {
  const history: History = {tried: [], acknowledged: [], lastStatus: undefined};
  for (const start of ['a', 'b']) {
    const journal = await tryToOpen(directory, disk, history);
    if (journal === undefined) continue;
    await attempt(journal, `${start}1`, 1, history);
    await attempt(journal, `${start}2`, 3, history);
    await Promise.all([
      attempt(journal, `${start}3`, 1, history),
      attempt(journal, `${start}4`, 2, history),
      attempt(journal, `${start}5`, 1, history),
    ]);
    await attemptBlob(journal, `${start}6`, history);
    await attempt(journal, `${start}7`, 2, history);
    await attempt(journal, `${start}8`, 1, history);
    history.lastStatus = await journal.retry();
    await journal.close();
  }

  return history;
}

/** Opens what a run has left, twice, and holds it against what was promised. */
export async function checkHistory(
  directory: string,
  disk: Disk,
  history: History,
  message: string,
): Promise<void> {
  const {journal, entries} = await open(directory, {disk});
  assert.deepEqual(journal.status(), {mode: 'writing'}, message);
  const promised = new Set(history.acknowledged.map(({seq}) => seq));
  assert.deepEqual(
    entries.filter(({seq}) => promised.has(seq)),
    history.acknowledged,
    `${message}: what was acknowledged is there`,
  );
  checkDecisions(entries, history.tried, message);
  for (const {data} of entries) {
    if (typeof data['blob'] === 'string')
      assert.equal(
        journal.readBlob(data['blob']).kind,
        'whole',
        `${message}: a blob that is named is whole`,
      );
  }

  const [added] = await journal.append([{type: 'noted', data: {decision: 'z', index: 0, of: 1}}]);
  await journal.close();
  const again = await open(directory, {disk});
  await again.journal.close();
  assert.equal(again.journal.found.ending.kind, 'clean', message);
  assert.deepEqual(again.entries, [...entries, added], `${message}: opening again changes nothing`);
  assert.deepEqual(
    disk.list(directory).filter((name) => name.endsWith('.tmp')),
    [],
    message,
  );
}

/** Each decision is there once, with all its events side by side, in the order of the tries. */
function checkDecisions(
  entries: readonly Entry[],
  tried: readonly string[],
  message: string,
): void {
  const events = entries
    .filter(({type}) => type !== 'disk-full')
    .map(({data}) => data as {decision: string; index: number; of: number});
  const found = events.filter(({index}) => index === 0);
  assert.deepEqual(
    events.map(({decision, index}) => `${decision}.${index}`),
    found.flatMap(({decision, of}) =>
      Array.from({length: of}, (_, index) => `${decision}.${index}`),
    ),
    `${message}: no decision is there by half`,
  );
  const order = found.map(({decision}) => tried.indexOf(decision));
  assert.deepEqual(
    order,
    [...new Set(order)].sort((a, b) => a - b),
    `${message}: in order`,
  );
}

async function tryToOpen(
  directory: string,
  disk: Disk,
  history: History,
): Promise<Journal | undefined> {
  const report = (notice: JournalNotice): void => {
    if (notice.kind === 'degraded' && notice.entry !== undefined)
      history.acknowledged.push(notice.entry);
  };
  try {
    return (await open(directory, {disk, report}).catch(() => open(directory, {disk, report})))
      .journal;
  } catch {
    return undefined;
  }
}

async function attempt(
  journal: Journal,
  decision: string,
  of: number,
  history: History,
  blob?: string,
): Promise<void> {
  await journal.retry();
  history.tried.push(decision);
  const events = Array.from({length: of}, (_, index): Draft => ({
    type: 'noted',
    data: {decision, index, of, ...(blob !== undefined && {blob}), text: 'x'.repeat(index * 50)},
  }));
  try {
    history.acknowledged.push(...(await journal.append(events)));
  } catch {
    // Refused; whether it is there is what the check looks at.
  }
}

async function attemptBlob(journal: Journal, decision: string, history: History): Promise<void> {
  const bytes = Buffer.from(`the plan of ${decision}`);
  try {
    const name = await journal.putBlob(bytes);
    assert.equal(name, toBlobName(bytes));
    await attempt(journal, decision, 1, history, name);
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
  }
}
