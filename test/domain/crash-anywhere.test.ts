import assert from 'node:assert/strict';
import {test} from 'node:test';
import {emptyState, evolve, type Event, type State} from '../../source/domain/index.ts';
import {createHouse, type House} from './support/house.ts';
import {createPerson, nextWish, type Person} from './support/person.ts';
import {settle, step, tell} from './support/play.ts';
import {environment, request} from './support/samples.ts';
import {createWorld, type World} from './support/world.ts';

const stories = 16;

/** A story without crashes, and what the person had been asked when each event was written. */
type Story = {
  readonly events: readonly Event[];
  readonly asked: readonly (readonly [string, number])[][];
  readonly end: State;
};

test(`${stories} stories, cut after every single event and gone on from there, end as if nothing had happened`, () => {
  let cuts = 0;
  for (let seed = 1; seed <= stories; seed++) {
    const story = tellStory(seed);
    for (let cut = 1; cut < story.events.length; cut++) {
      const house = goOn(seed, story, cut);
      assert.deepEqual(
        timeless(house.state),
        timeless(story.end),
        `story ${seed} cut after event ${cut}, ${story.events[cut - 1]!.type}`,
      );
      cuts++;
    }
  }

  assert.ok(cuts > stories * 30, `only ${cuts} cuts`);
});

function start(house: House): void {
  tell(house, {
    type: 'start-run',
    request,
    budget: {tokens: 100_000},
    environment,
    at: ++house.time,
    by: {kind: 'person', client: 'ada'},
  });
}

function cast(seed: number): {world: World; person: Person} {
  return {world: createWorld(`story-${seed}`, 0.5), person: createPerson(`story-${seed}`)};
}

function tellStory(seed: number): Story {
  const house = createHouse();
  const {world, person} = cast(seed);
  const asked: (readonly [string, number])[][] = [];
  const note = (): void => {
    while (asked.length < house.events.length) asked.push([...person.asked]);
  };

  tell(house, {
    type: 'report',
    at: 1,
    saw: {
      type: 'project-read',
      project: {
        setup: 'npm ci',
        services: [{name: 'web', command: 'npm start'}],
        limits: {workers: 2, runs: 1},
      },
    },
  });
  start(house);
  note();
  for (;;) {
    if (!step(house, world)) {
      const wish = nextWish(person, house.state);
      if (wish === undefined) break;
      tell(house, {...wish, at: ++house.time, by: {kind: 'person', client: 'ada'}});
    }

    note();
  }

  return {events: house.events, asked, end: house.state};
}

/** The daemon died after `cut` events. The world and the person are as they were; a new daemon reads the journal. */
function goOn(seed: number, {events, asked}: Story, cut: number): House {
  const {world, person} = cast(seed);
  for (const [subject, times] of asked[cut - 1]!) person.asked.set(subject, times);
  const house = createHouse(events.slice(0, cut), events[cut - 1]!.at);
  assert.deepEqual(house.state, events.slice(0, cut).reduce(evolve, emptyState));
  tell(house, {type: 'report', at: ++house.time, saw: {type: 'daemon-started', build: 'test'}});
  if (house.state.runs.size === 0) start(house);
  settle(house, world, person);
  return house;
}

/** What was reached, without the moments at which it was. */
function timeless(state: State): unknown {
  const moments = new Set(['at', 'since', 'when', 'until', 'seq', 'createdAt', 'starts', 'waited']);
  return JSON.parse(
    JSON.stringify(state, (key, value: unknown) =>
      moments.has(key) && typeof value !== 'string' && typeof value !== 'object'
        ? undefined
        : key === 'starts'
          ? undefined
          : value,
    ),
  );
}
