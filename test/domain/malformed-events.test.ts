import assert from 'node:assert/strict';
import path from 'node:path';
import {globSync, readFileSync} from 'node:fs';
import {test} from 'node:test';
import {ledgerEntries} from '../../source/shared/index.ts';
import {
  buildBrief,
  buildNeedsReport,
  buildStatus,
  buildTimeline,
  describeEvent,
  explainStop,
} from '../../source/reports/index.ts';
import {
  decide,
  emptyState,
  type Event,
  type EventParts,
  eventTypes,
  evolve,
  findMalformation,
  selectNeeds,
  selectRuns,
  type State,
  toEvent,
  wanted,
} from '../../source/domain/index.ts';
import {createRandom} from '../support/random.ts';

const fixtures = path.join(import.meta.dirname, '..', 'journal', 'fixtures');

/** What was written down by every release, as it lies in the files. */
const histories = globSync('release-*/*/journal.jsonl', {cwd: fixtures})
  .toSorted()
  .map((file) =>
    readFileSync(path.join(fixtures, file), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => toEvent(JSON.parse(line.slice(0, line.lastIndexOf('\t'))) as EventParts)),
  );

const garbage: readonly unknown[] = [
  undefined,
  null,
  {},
  [],
  '',
  'x',
  0,
  -1,
  1e300,
  true,
  [null],
  [{}],
  [[]],
  {name: {}},
  {kind: 'constructor'},
  {kind: '__proto__'},
  {at: {}},
  {for: 'nobody'},
  {tasks: [{}]},
  {length: 1e9},
  'r0',
  'r1.t1.t2',
  JSON.parse('{"__proto__": {"kind": "agent"}}'),
];

/** The same event with garbage in one of its fields, or inside of one. */
function* spoiled(event: Event): Generator<Event> {
  const {type, at, ...data} = event;
  for (const [name, value] of Object.entries<unknown>(data)) {
    for (const junk of garbage) yield {...data, [name]: junk, type, at} as Event;
    if (typeof value !== 'object' || value === null) continue;
    const list: readonly unknown[] | undefined = Array.isArray(value) ? value : undefined;
    for (const key of Object.keys(value)) {
      for (const junk of garbage)
        yield {
          ...data,
          [name]: list?.with(Number(key), junk) ?? {...value, [key]: junk},
          type,
          at,
        } as Event;
    }
  }

  yield {type, at} as unknown as Event;
}

/** Everything that is asked about a state and its history. */
function askEverything(state: State, events: readonly Event[]): void {
  const sound = events.filter((event) => findMalformation(event) === undefined);
  const now = state.at + 1000;
  JSON.stringify(buildStatus(state, now, {}));
  JSON.stringify(buildNeedsReport(state, now, {}));
  selectNeeds(state);
  wanted(state);
  ledgerEntries(state.sessions);
  buildTimeline(sound, {state, limit: 1000, all: true});
  buildBrief(state, sound, {since: 0, now});
  for (const event of sound) describeEvent(event);
  for (const {id, tasks} of selectRuns(state))
    for (const about of [id, ...tasks.map((task) => task.id)])
      explainStop({state, about, events: sound, redact: (text) => text});
  decide(state, {type: 'report', at: now, saw: {type: 'time-passed'}});
}

test('every event that any release has written is well-formed', () => {
  const seen = new Set<string>();
  for (const event of histories.flat()) {
    assert.equal(findMalformation(event), undefined, JSON.stringify(event));
    seen.add(event.type);
  }

  assert.deepEqual(
    eventTypes.filter((type) => !seen.has(type)),
    [],
  );
});

test('garbage in any field of any event: it is noted and not believed, and every question is answered', () => {
  const tried = new Set<string>();
  let count = 0;
  let malformed = 0;
  for (const history of histories) {
    let before: State = emptyState;
    for (const [index, event] of history.entries()) {
      if (!tried.has(event.type)) {
        tried.add(event.type);
        for (const junk of spoiled(event)) {
          count += 1;
          const after = evolve(before, junk);
          assert.equal(after.seq, before.seq + 1);
          if (findMalformation(junk) === undefined) continue;
          malformed += 1;
          assert.equal(after.misfits.length, before.misfits.length + 1, JSON.stringify(junk));
          askEverything(after, [...history.slice(0, index), junk]);
        }
      }

      before = evolve(before, event);
    }
  }

  assert.equal(tried.size, eventTypes.length);
  assert.ok(malformed > 3000, `${malformed} of ${count} were malformed`);
});

test('whole histories in which one event in ten is garbage are folded to their end, and every question is answered', () => {
  for (const [seed, history] of histories.entries()) {
    const random = createRandom(seed);
    const events = history.map((event) =>
      random.chance(0.1) ? random.pick([...spoiled(event)]) : event,
    );
    askEverything(events.reduce(evolve, emptyState), events);
  }
});

test('nothing that is inherited is taken for an event or a field', () => {
  for (const type of ['constructor', 'toString', '__proto__', 'hasOwnProperty'])
    assert.equal(evolve(emptyState, {type, at: 1} as never).misfits.length, 1);
  const spec = JSON.parse('{"__proto__": {"name": "web", "command": "serve"}}') as object;
  assert.match(
    findMalformation({type: 'service-declared', at: 1, spec} as never) ?? '',
    /service-declared is malformed: its spec/,
  );
});
