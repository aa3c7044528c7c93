import {describe, test} from 'node:test';
import {compareGolden} from './compare-golden.ts';
import {needing, needKinds, type NeedKind} from './needing.ts';
import {answer, happen, open, planned, plannedAgain, press, type, type Stage} from './scenes.ts';

/** Where there is least room, what somebody must know is read whole: each kind of need, and what is said about a plan. */
const scenes: Readonly<Record<string, () => Stage>> = {
  ...Object.fromEntries(needKinds.map((kind) => [`need-${kind}`, () => needOf(kind)])),
  'workers-trouble': () => chosen('trouble', 'r1.t1'),
  'workers-refused': () => chosen('accept-refused', 'r1'),
  'plan-commented': () => {
    const stage = commented('Is this so for service accounts as well?');
    // What was said when it was kept is gone from the last line.
    stage.now += 10_000;
    return stage;
  },
  'plan-comment-emptied': () => {
    const stage = commented('Is this so?');
    press(stage, 'c', 'ctrl-u');
    return stage;
  },
  'plan-again': () => {
    const house = planned();
    const stage = open(house.state, house.time + 60_000);
    press(stage, 'enter', 'p', 'G');
    plannedAgain(house);
    stage.state = house.state;
    happen(stage, {type: 'event-heard', event: house.events.at(-1)!});
    return stage;
  },
};

describe('at 80×24, where there is least room:', () => {
  for (const [name, scene] of Object.entries(scenes))
    test(name, () => {
      compareGolden(name, scene());
    });
});

function needOf(kind: NeedKind): Stage {
  const stage = open(needing(kind), 65_000);
  press(stage, 'n');
  answer(stage, {events: []});
  return stage;
}

function chosen(kind: NeedKind, selected: string): Stage {
  const stage = open(needing(kind), 65_000, undefined, {selected});
  press(stage, 'enter');
  return stage;
}

function commented(text: string): Stage {
  const house = planned();
  const stage = open(house.state, house.time + 60_000);
  press(stage, 'enter', 'p', 'down', 'down', 'down', 'c');
  type(stage, text);
  press(stage, 'enter');
  return stage;
}
