// Writes the journals that every later release must replay to the same state: `node --import tsx scripts/golden-journals.ts 0.1`.
// Run once for a release, committed, and never again for that release. test/journal/golden.test.ts replays them all.
import {mkdirSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {eventTypes, isKnownEvent, partsOf, type Event, type State} from '../source/domain/index.ts';
import {openJournal} from '../source/journal/index.ts';
import {describeState} from '../test/domain/support/describe-state.ts';
import {live} from '../test/domain/support/live.ts';

const [release] = process.argv.slice(2);
if (release === undefined) throw new Error('expected the release whose journals these are, for example 0.1');
const directory = path.join(import.meta.dirname, '..', 'test', 'journal', 'fixtures', `release-${release}`);

for (const [index, {events, state}] of choose().entries()) {
  const place = path.join(directory, String(index + 1));
  mkdirSync(place, {recursive: true});
  await write(place, events);
  writeFileSync(path.join(place, 'state.txt'), describeState(state));
}

/** The fewest random lives in which everything happens that can happen. */
function choose(): {readonly events: readonly Event[]; readonly state: State}[] {
  const lives = Array.from({length: 3000}, (_, index) => live(index + 1).house).filter(({events}) => events.length < 400);
  const missing = new Set<string>(eventTypes);
  const chosen: {readonly events: readonly Event[]; readonly state: State}[] = [];
  while (missing.size > 0) {
    const worth = ({events}: {readonly events: readonly Event[]}): number => new Set(events.map(({type}) => type).filter((type) => missing.has(type))).size / events.length;
    const best = lives.toSorted((a, b) => worth(b) - worth(a))[0]!;
    if (worth(best) === 0) throw new Error(`nothing happens of ${[...missing].join(', ')}`);
    chosen.push(best);
    for (const {type} of best.events) missing.delete(type);
  }

  return chosen;
}

async function write(place: string, events: readonly Event[]): Promise<void> {
  let now = 0n;
  const clock = {wall: () => Number(now), mono: () => (now += 1_000_000n)};
  const journal = await openJournal({directory: place, clock, boot: 'golden', knows: isKnownEvent, replay: () => undefined, report: () => undefined});
  for (const event of events) {
    const {at, ...draft} = partsOf(event);
    await journal.append([draft], at);
  }

  await journal.close();
  rmSync(path.join(place, 'reserve'));
  rmSync(path.join(place, 'blobs'), {recursive: true});
}
