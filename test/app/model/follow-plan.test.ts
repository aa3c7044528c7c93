import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {conclude, type Harness, userCommand} from '../../domain/support/harness.ts';
import {request} from '../../domain/support/samples.ts';
import {runToExit, startSession} from '../../domain/support/stages.ts';
import {drawCells} from '../screens/draw.tsx';
import {
  type Fixture,
  happen,
  open,
  paneText,
  planning,
  press,
  richPlan,
  type,
} from '../screens/fixtures.ts';

/** Work, with the pane of the planner of r1 chosen. */
function atPlanner(): {readonly fixture: Fixture; readonly harness: Harness} {
  const harness = planning();
  const fixture = open(harness.state, harness.time);
  press(fixture, 'enter', 'w');
  assert.deepEqual([fixture.model.screen, fixture.model.selected], ['workers', 'r1']);
  return {fixture, harness};
}

/** The planner ends, and its plan is read. */
function receivePlan(fixture: Fixture, harness: Harness): void {
  runToExit(harness, 's1');
  conclude(harness, 'read-plan', {
    type: 'plan-received',
    run: 'r1',
    round: 1,
    plan: richPlan,
    hash: '3f2a9c01d4e5b6a7',
    tree: '9bc1d2e3f4a50617',
  });
  fixture.state = harness.state;
  fixture.now = harness.time;
  const event = harness.events.findLast((one) => one.type === 'plan-received')!;
  happen(fixture, {type: 'event-heard', event});
}

describe('a plan that becomes ready is opened', () => {
  test('for a person at the pane of its planner, and decides nothing in that moment', () => {
    const {fixture, harness} = atPlanner();
    receivePlan(fixture, harness);
    assert.deepEqual([fixture.model.screen, fixture.model.run], ['plan', 'r1']);
    fixture.now -= 900;
    press(fixture, 'A');
    assert.deepEqual(fixture.commands, []);
    assert.match(fixture.model.notice?.text ?? '', /screen just changed/);
    press(fixture, 'escape');
    assert.equal(fixture.model.screen, 'workers');
  });

  test('for a person on the start screen who asked for it and has typed nothing', () => {
    const {fixture, harness} = atPlanner();
    askedFor(fixture);
    press(fixture, 'o');
    assert.deepEqual([fixture.model.screen, fixture.model.field?.text], ['start', '']);
    receivePlan(fixture, harness);
    assert.deepEqual([fixture.model.screen, fixture.model.field], ['plan', undefined]);
  });
});

describe('nothing changes under what is read or written:', () => {
  const places: Readonly<Record<string, (fixture: Fixture) => void>> = {
    'on another screen'(fixture) {
      press(fixture, 't');
    },
    'while another objective is written'(fixture) {
      askedFor(fixture);
      press(fixture, 'o');
      type(fixture, 'Also');
    },
    'on the start screen, for a run that somebody else asked for'(fixture) {
      press(fixture, 'o');
    },
    'while something is confirmed'(fixture) {
      press(fixture, 'X');
      assert.notEqual(fixture.model.confirmation, undefined);
    },
    'while the output of the planner is scrolled back'(fixture) {
      fixture.model = {...fixture.model, scrolled: {r1: 12}};
    },
  };
  for (const [name, go] of Object.entries(places))
    test(name, () => {
      const {fixture, harness} = atPlanner();
      go(fixture);
      const {screen} = fixture.model;
      receivePlan(fixture, harness);
      assert.equal(fixture.model.screen, screen);
    });

  test('with another row chosen', () => {
    const harness = planning();
    userCommand(harness, {
      type: 'start-session',
      name: 'shell',
      command: ['bash'],
      directory: '/work',
    });
    startSession(harness, 's2');
    const fixture = open(harness.state, harness.time, undefined, {selected: 's2'});
    press(fixture, 'enter', 'w');
    assert.deepEqual([fixture.model.screen, fixture.model.selected], ['workers', 's2']);
    receivePlan(fixture, harness);
    assert.equal(fixture.model.screen, 'workers');
  });
});

test('Work never shows the raw output of a planner whose plan is ready', () => {
  const {fixture, harness} = atPlanner();
  assert.match(shown(fixture), /claude -p/);
  receivePlan(fixture, harness);
  press(fixture, 'w');
  assert.equal(fixture.model.screen, 'workers');
  assert.doesNotMatch(shown(fixture), /claude -p/);
  assert.match(shown(fixture), /its plan/);
});

function askedFor(fixture: Fixture): void {
  happen(fixture, {
    type: 'wish-granted',
    wish: {type: 'start-run', request, budget: {}},
    answer: {events: [{type: 'run-created', run: 'r1'}]},
  });
}

function shown({model, state, now}: Fixture): string {
  return drawCells(model, state, now, {pane: paneText}).rows.join('\n');
}
