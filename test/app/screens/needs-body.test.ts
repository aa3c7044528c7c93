import {describe, test} from 'node:test';
import {compareGolden} from './compare-golden.ts';
import {needing, type NeedKind, needKinds} from './need-fixtures.ts';
import {
  answer,
  type Fixture,
  happen,
  open,
  planned,
  plannedAgain,
  press,
  type,
} from './fixtures.ts';

/**
 * Where there is least room, what somebody must know is read whole: each kind of need, and what is
 * said about a plan.
 */
const fixtures: Readonly<Record<string, () => Fixture>> = {
  ...Object.fromEntries(needKinds.map((kind) => [`need-${kind}`, () => getNeed(kind)])),
  'workers-trouble': () => chosen('trouble', 'r1.t1'),
  'workers-refused': () => chosen('accept-refused', 'r1'),
  'plan-commented': () => {
    const fixture = commented('Is this so for service accounts as well?');
    // What was said when it was kept is gone from the last line.
    fixture.now += 10_000;
    return fixture;
  },
  'plan-comment-emptied': () => {
    const fixture = commented('Is this so?');
    press(fixture, 'c', 'ctrl-u');
    return fixture;
  },
  'plan-again': () => {
    const harness = planned();
    const fixture = open(harness.state, harness.time + 60_000);
    press(fixture, 'enter', 'p', 'G');
    plannedAgain(harness);
    fixture.state = harness.state;
    happen(fixture, {type: 'event-heard', event: harness.events.at(-1)!});
    return fixture;
  },
};

describe('at 80×24, where there is least room:', () => {
  for (const [name, fixture] of Object.entries(fixtures))
    test(name, () => {
      compareGolden(name, fixture());
    });
});

function getNeed(kind: NeedKind): Fixture {
  const fixture = open(needing(kind), 65_000);
  press(fixture, 'n');
  answer(fixture, {events: []});
  return fixture;
}

function chosen(kind: NeedKind, selected: string): Fixture {
  const fixture = open(needing(kind), 65_000, undefined, {selected});
  press(fixture, 'enter');
  return fixture;
}

function commented(text: string): Fixture {
  const harness = planned();
  const fixture = open(harness.state, harness.time + 60_000);
  press(fixture, 'enter', 'p', 'down', 'down', 'down', 'c');
  type(fixture, text);
  press(fixture, 'enter');
  return fixture;
}
