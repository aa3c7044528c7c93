import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Box, type DOMElement} from 'ink';
import {createRef} from 'react';
import {App} from '../../../source/app/App.tsx';
import {selectWindow} from '../../../source/app/select/window-rows.ts';
import {conclude} from '../../domain/support/harness.ts';
import {plannedTask} from '../../domain/support/samples.ts';
import {runToExit, thinking} from '../../domain/support/stages.ts';
import {type Fixture, happen, open, press, richPlan} from '../screens/fixtures.ts';
import {reviewed, toDiff} from '../screens/review-fixture.ts';
import {openTree} from '../support/live-app.tsx';

const size = {columns: 120, rows: 35};

test('a window has a screen above and below the cursor, and ends where the list ends', () => {
  assert.deepEqual(selectWindow(1000, 500, 24), {from: 476, to: 525});
  assert.deepEqual(selectWindow(10, 99, 24), {from: 0, to: 10});
  assert.deepEqual(selectWindow(0, 0, 24), {from: 0, to: 0});
});

for (const [name, show] of [
  ['plan', showPlan],
  ['diff', showDiff],
  ['timeline', showTimeline],
] as const)
  test(`however long the list of the ${name} is, as many boxes are rendered`, () => {
    const [short, long] = [300, 3000].map((length) => countBoxes(show(length)));
    assert.ok((short ?? 0) > 100, `${short} boxes`);
    assert.equal(long, short);
  });

function showPlan(length: number): Fixture {
  const harness = thinking();
  runToExit(harness, 's1');
  const tasks = Array.from({length: 4}, (_, index) =>
    plannedTask(`t${index + 1}`, {title: `Task ${index + 1}`}),
  );
  conclude(harness, 'read-plan', {
    type: 'plan-received',
    run: 'r1',
    round: 1,
    plan: {
      ...richPlan,
      tasks,
      assumptions: Array.from({length}, (_, index) => `Assumption ${index % 7}.`),
    },
    hash: '3f2a9c01d4e5b6a7',
    tree: '9bc1d2e3f4a50617',
  });
  const fixture = open(harness.state, harness.time, size);
  press(fixture, 'p');
  return moveTo(fixture, 'plan');
}

function showDiff(length: number): Fixture {
  const lines = Array.from({length}, (_, index) => `+const value${index % 10} = ${index % 10};`);
  const fixture = reviewed(size, toDiff('src/long.ts', lines, 'new'));
  for (let step = 0; step < 100; step++) press(fixture, 'down');
  return fixture;
}

function showTimeline(length: number): Fixture {
  const harness = thinking();
  const fixture = open(harness.state, harness.time, size);
  press(fixture, 't');
  const entries = Array.from({length}, (_, index) => ({
    at: 1_000_000 + index,
    type: 'session-running',
    words: `event ${index % 10}`,
    run: null,
    task: null,
    session: null,
  }));
  happen(fixture, {type: 'answered', name: 'timeline', value: {entries, earlier: 0}});
  return moveTo(fixture, 'timeline');
}

function moveTo(fixture: Fixture, list: 'plan' | 'timeline'): Fixture {
  const {model} = fixture;
  const place = {...model.places[list], cursor: 100};
  return {...fixture, model: {...model, places: {...model.places, [list]: place}}};
}

/** The nodes of Ink's tree below the whole app. */
function countBoxes(fixture: Fixture): number {
  const ref = createRef<DOMElement>();
  const tree = openTree(
    <Box ref={ref}>
      <App />
    </Box>,
    fixture,
  );
  const count = (node: DOMElement): number =>
    node.childNodes.reduce(
      (sum, child) => sum + (child.nodeName === '#text' ? 1 : 1 + count(child)),
      0,
    );
  const boxes = ref.current === null ? 0 : count(ref.current);
  tree.close();
  return boxes;
}
