import {describe, test} from 'node:test';
import type {Size} from '../../../source/app/render/frame.ts';
import type {Harness} from '../../domain/support/harness.ts';
import {userCommand} from '../../domain/support/harness.ts';
import {tokenStory} from '../../reports/runs/token-story.ts';
import {compareGolden} from './compare-golden.ts';
import {
  answer,
  busy,
  conflicted,
  done,
  type Fixture,
  happen,
  open,
  planned,
  press,
  type,
  violated,
} from './fixtures.ts';
import {needing, type NeedKind, needKinds} from './need-fixtures.ts';

const sizes: readonly Size[] = [
  {columns: 60, rows: 15},
  {columns: 80, rows: 24},
  {columns: 120, rows: 35},
  {columns: 160, rows: 45},
  {columns: 220, rows: 60},
];

/** Each need as a person comes to it: by keys. */
const fixtures: Readonly<Record<string, (size: Size) => Fixture>> = {
  'need-question': (size) => notified(size, 'n', 'n'),
  'need-question-answer': (size) => {
    const fixture = notified(size, 'n', 'n', 'enter');
    type(fixture, 'no, keep both');
    return fixture;
  },
  'need-stopped': (size) => notified(size, 'n'),
  'need-stopped-hint': (size) => {
    const fixture = notified(size, 'n', 'G');
    type(fixture, 'the link is in docs/index.md');
    return fixture;
  },
  'need-stopped-reading': (size) => {
    const {harness, now} = tokenStory();
    const fixture = open(harness.state, now, size);
    press(fixture, 'n');
    return fixture;
  },
  'need-secret': (size) => {
    const harness = busy();
    const fixture = open(harness.state, harness.time + 240_000, size);
    press(fixture, 'enter', 'n', 'enter');
    type(fixture, 'hunter2');
    return fixture;
  },
  'need-plan': (size) => getNeed(planned(), size),
  'need-accept': (size) => getNeed(done(), size),
  'need-rule-broken': (size) => getNeed(violated(), size),
  'need-conflict': (size) => getNeed(conflicted(), size),
  'need-settled': (size) => {
    const {harness, now} = tokenStory();
    const fixture = open(harness.state, now, size);
    press(fixture, 'n');
    userCommand(harness, {type: 'grant-attempt', task: 'r1.t2'});
    fixture.state = harness.state;
    happen(fixture, {type: 'event-heard', event: harness.events.at(-1)!});
    return fixture;
  },
};

for (const size of sizes) {
  describe(`at ${size.columns}×${size.rows}:`, () => {
    for (const [name, fixture] of Object.entries(fixtures))
      test(name, () => {
        compareGolden(name, fixture(size));
      });
  });
}

for (const size of sizes.slice(1, 3)) {
  describe(`each kind of need at ${size.columns}×${size.rows}:`, () => {
    for (const kind of needKinds)
      test(kind, () => {
        compareGolden(`need-${kind}`, getKind(kind, size));
      });
  });
}

function notified(size: Size, ...keys: readonly string[]): Fixture {
  const {harness, left, now} = tokenStory();
  const fixture = open(harness.state, now, size);
  answer(fixture, harness, left);
  press(fixture, 'enter', 'n');
  answer(fixture, harness);
  press(fixture, ...keys.slice(1));
  return fixture;
}

function getNeed(harness: Harness, size: Size): Fixture {
  const fixture = open(harness.state, harness.time + 60_000, size);
  press(fixture, 'n');
  answer(fixture, harness);
  return fixture;
}

function getKind(kind: NeedKind, size: Size): Fixture {
  const fixture = open(needing(kind), 65_000, size);
  press(fixture, 'n');
  answer(fixture, {events: []});
  return fixture;
}
