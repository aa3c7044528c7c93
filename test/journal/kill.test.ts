import assert from 'node:assert/strict';
import path from 'node:path';
import process from 'node:process';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';
import {test} from 'node:test';
import type {Entry} from '../../source/journal/index.ts';
import {makeDirectory, open} from './support/journal-fixture.ts';

const program = path.join(import.meta.dirname, 'programs', 'append-forever.ts');
const rounds = 50;

/**
 * Runs the program, kills it after some acknowledgements (none: while it opens), and gives all that
 * it acknowledged.
 */
async function runAndKill(directory: string, after: number): Promise<string[]> {
  const child = spawn(process.execPath, [program, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const acknowledged: string[] = [];
  for await (const line of createInterface({input: child.stdout})) {
    if (line !== 'opening') acknowledged.push(line);
    if (acknowledged.length >= after) child.kill('SIGKILL');
  }

  if (child.signalCode === null) await once(child, 'exit');
  assert.equal(child.signalCode, 'SIGKILL');
  return acknowledged;
}

function checkEntries(
  entries: readonly Entry[],
  promised: ReadonlyMap<number, string>,
  message: string,
): void {
  const events = entries.map(({data}) => data as {decision: string; index: number; of: number});
  const missing = [...promised].filter(([seq, decision]) => events[seq - 1]?.decision !== decision);
  assert.deepEqual(missing, [], message);
  const whole = events
    .filter(({index}) => index === 0)
    .flatMap(({decision, of}) => Array.from({length: of}, (_, index) => `${decision}.${index}`));
  assert.deepEqual(
    events.map(({decision, index}) => `${decision}.${index}`),
    whole,
    message,
  );
}

test(`${rounds} times kill -9 during appends or opening: what was acknowledged is there, and no decision is there by half`, async (t) => {
  const directory = makeDirectory(t);
  const promised = new Map<number, string>();
  let tornEnds = 0;
  for (let round = 0; round < rounds; round += 1) {
    for (const line of await runAndKill(directory, round % 5 === 0 ? 0 : (round * 37) % 150)) {
      const [seq, decision] = line.split(' ');
      promised.set(Number(seq), decision!);
    }

    const {journal, entries} = await open(directory);
    await journal.close();
    assert.deepEqual(journal.status(), {mode: 'writing'}, `round ${round}`);
    if (journal.found.ending.kind === 'torn') tornEnds += 1;
    checkEntries(entries, promised, `round ${round}`);
  }

  t.diagnostic(`${promised.size} acknowledged, 0 lost, ${tornEnds} torn ends`);
});
