// Writes the journals that every later release must replay to the same state: `node --import tsx
// scripts/golden-journals.ts 0.1`. With a name (`… 0.3 turns`) it adds journals of that name with the
// events that are in none yet, for what was added since.
// Committed, and never written again. test/journal/golden.test.ts replays them all.
import path from 'node:path';
import {globSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {
  type Event,
  eventTypes,
  isKnownEvent,
  type State,
  toEventParts,
} from '../source/domain/index.ts';
import {openJournal} from '../source/journal/index.ts';
import {describeState} from '../test/domain/support/describe-state.ts';
import {runRandomHistory} from '../test/domain/support/random-history.ts';

const [release, name] = process.argv.slice(2);
if (release === undefined)
  throw new Error('expected the release whose journals these are, for example 0.1');
const fixtures = path.join(import.meta.dirname, '..', 'test', 'journal', 'fixtures');
const directory = path.join(fixtures, `release-${release}`);

type Life = {readonly events: readonly Event[]; readonly state: State};

const maxLives = 10_000;
const sought = name === undefined ? eventTypes : listNewTypes();

for (const [index, {events, state}] of choose().entries()) {
  const place = path.join(directory, nameOf(index + 1));
  mkdirSync(place, {recursive: true});
  await write(place, events);
  writeFileSync(path.join(place, 'state.txt'), describeState(state));
}

/** `1`, `2`; with a name `turns`, `turns-2`. */
function nameOf(number: number): string {
  if (name === undefined) return String(number);
  return number === 1 ? name : `${name}-${number}`;
}

/** The events that no journal has yet. */
function listNewTypes(): readonly (typeof eventTypes)[number][] {
  const known = globSync('release-*/*/journal.jsonl', {cwd: fixtures})
    .map((file) => readFileSync(path.join(fixtures, file), 'utf8'))
    .join('\n');
  return eventTypes.filter((type) => !known.includes(`"type":"${type}"`));
}

/**
 * Few random lives in which everything happens that can happen. What is rare takes more of them.
 */
function choose(): readonly Life[] {
  const lives: Life[] = [];
  for (let seed = 1; seed <= maxLives; seed += 1) {
    const {harness} = runRandomHistory(seed);
    if (harness.events.length < 450) lives.push(harness);
    const chosen = seed % 250 === 0 ? getCover(lives) : undefined;
    if (chosen !== undefined) return chosen;
  }

  throw new Error(`something happens in none of ${maxLives} lives`);
}

/** The fewest of them that hold every event, if they do. */
function getCover(lives: readonly Life[]): readonly Life[] | undefined {
  const missing = new Set<string>(sought);
  const chosen: Life[] = [];
  while (missing.size > 0) {
    const worth = ({events}: Life): number =>
      new Set(events.map(({type}) => type).filter((type) => missing.has(type))).size /
      events.length;
    const best = lives.toSorted((a, b) => worth(b) - worth(a))[0]!;
    if (worth(best) === 0) return undefined;
    chosen.push(best);
    for (const {type} of best.events) missing.delete(type);
  }

  return chosen;
}

async function write(place: string, events: readonly Event[]): Promise<void> {
  let now = 0n;
  const clock = {wall: () => Number(now), mono: () => (now += 1_000_000n)};
  const journal = await openJournal({
    directory: place,
    clock,
    boot: 'golden',
    knows: isKnownEvent,
    replay: () => undefined,
    report: () => undefined,
  });
  for (const event of events) {
    const {at, ...draft} = toEventParts(event);
    await journal.append([draft], at);
  }

  await journal.close();
  rmSync(path.join(place, 'reserve'));
  rmSync(path.join(place, 'blobs'), {recursive: true});
}
