import assert from 'node:assert/strict';
import path from 'node:path';
import {cpSync, globSync, readFileSync} from 'node:fs';
import {test} from 'node:test';
import {
  emptyState,
  type Event,
  eventTypes,
  evolve,
  isKnownEvent,
  type State,
  toEvent,
  toEventParts,
} from '../../source/domain/index.ts';
import {openJournal} from '../../source/journal/index.ts';
import {describeState} from '../domain/support/describe-state.ts';
import {makeDirectory} from './support/journal-fixture.ts';

const fixtures = path.join(import.meta.dirname, 'fixtures');
const journals = globSync('release-*/*', {cwd: fixtures}).toSorted();

async function replay(
  directory: string,
): Promise<{readonly state: State; readonly events: readonly Event[]}> {
  const events: Event[] = [];
  const journal = await openJournal({
    directory,
    clock: {wall: () => 0, mono: () => 0n},
    boot: 'test',
    knows: isKnownEvent,
    report: () => undefined,
    replay: (entry) => events.push(toEvent(entry)),
  });
  await journal.close();
  assert.deepEqual(journal.found.ending, {kind: 'clean'});
  return {events, state: events.reduce(evolve, emptyState)};
}

for (const name of journals) {
  test(`the journal ${name} replays to the same state, for ever`, async (t) => {
    const directory = makeDirectory(t);
    cpSync(path.join(fixtures, name), directory, {recursive: true});
    const {state} = await replay(directory);
    assert.deepEqual(state.misfits, []);
    assert.equal(describeState(state), readFileSync(path.join(directory, 'state.txt'), 'utf8'));
  });
}

test('the kept journals hold every event that can be written', async (t) => {
  const directory = makeDirectory(t);
  const seen = new Set<string>();
  for (const name of journals) {
    cpSync(path.join(fixtures, name), path.join(directory, name), {recursive: true});
    for (const {type} of (await replay(path.join(directory, name))).events) seen.add(type);
  }

  assert.deepEqual(
    eventTypes.filter((type) => !seen.has(type)),
    [],
  );
});

test('an event is the same after it was written down', () => {
  const event: Event = {type: 'note-added', at: 7, on: 'r1', text: 'x'};
  assert.deepEqual(toEvent(toEventParts(event)), event);
});
