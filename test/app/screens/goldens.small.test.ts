import {describe, test} from 'node:test';
import {compareGolden} from './compare-golden.ts';
import {needing, type NeedKind} from './need-fixtures.ts';
import {type Fixture, happen, open, planned, plannedAgain, press, type} from './fixtures.ts';

/** What is said about a plan and a task, where there is least room. */
const fixtures: Readonly<Record<string, () => Fixture>> = {
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
