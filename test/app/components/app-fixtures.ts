import type {Size} from '../../../source/app/render/frame.ts';
import {
  busy,
  type Fixture,
  happen,
  nothingYet,
  open,
  press,
  tokenStory,
} from '../screens/fixtures.ts';
import {needing, type NeedKind} from '../screens/need-fixtures.ts';

// The apps that the tests of components share. Their time is at the beginning of a step of the
// clock that the screens show.

const medium: Size = {columns: 120, rows: 35};

/** The title of the first task in all of them. */
export const firstTitle = 'Share the refresh in flight';

/** A repository without runs. */
export function atStart(size: Size = medium): Fixture {
  return open(nothingYet().state, nothingYet().now, size);
}

/** Two agents at work, one of which asks for a secret, and a shell. */
export function atWork(size: Size = medium): Fixture {
  const harness = busy();
  return opened(open(harness.state, harness.time, size));
}

/** A task that is merged, one that stopped, one that asks, one that waits. */
export function inStory(size: Size = medium): Fixture {
  const {harness, now} = tokenStory();
  return opened(open(harness.state, now, size));
}

/** A need of this kind on the screen. */
export function atNeed(kind: NeedKind, size: Size = medium): Fixture {
  const fixture = open(needing(kind), 65_000, size);
  press(fixture, 'n');
  return fixture;
}

function opened(fixture: Fixture): Fixture {
  press(fixture, 'enter', 'w');
  fixture.now = Math.ceil(fixture.now / 10_000) * 10_000;
  return fixture;
}

/** Changes that have nothing to do with most of the screen. */
export const aSecond = (fixture: Fixture): void => {
  fixture.now += 1000;
  happen(fixture, {type: 'time-passed'});
};

export const aNotice = (fixture: Fixture): void => {
  happen(fixture, {type: 'wish-refused', wish: {type: 'resume', what: 'r1'}, text: 'No.'});
};

export const aBell = (fixture: Fixture): void => {
  const view = {title: '', scroll: 0, bells: 1, wantsMouse: false, connection: 'live'} as const;
  happen(fixture, {type: 'pane-changed', session: 's3', view});
};
