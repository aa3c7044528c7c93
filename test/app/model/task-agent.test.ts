import assert from 'node:assert/strict';
import {test} from 'node:test';
import {planHash} from '../../../source/plan/index.ts';
import {type PlannedTask, selectRun, type UserCommand} from '../../../source/domain/index.ts';
import {userCommand} from '../../domain/support/harness.ts';
import {drawCells} from '../screens/draw.tsx';
import {happen, open, planned, press, richPlan} from '../screens/fixtures.ts';

test('a key on the plan gives the task under the cursor the next agent, and comes round to that of the run', () => {
  const harness = planned();
  const fixture = open(harness.state, harness.time, undefined, undefined, {
    agents: ['claude', 'codex'],
  });
  press(fixture, 'enter', 'p', 'd');
  assert.equal(fixture.commands.length, 0);
  assert.match(fixture.model.notice?.text ?? '', /Move to a task first/);
  press(fixture, 'down');
  const worker = selectRun(harness.state, 'r1')?.request.worker ?? assert.fail();
  const others = ['claude', 'codex'].filter((name) => name !== worker);
  const names: (string | undefined)[] = [];
  for (let times = 0; times <= others.length; times++) {
    press(fixture, 'd');
    const command = fixture.commands.at(-1) as UserCommand | undefined;
    if (command?.type !== 'edit-plan') assert.fail();
    const [first, ...rest] = command.plan.tasks;
    names.push(first?.agent);
    assert.equal(command.hash, planHash(command.plan));
    assert.deepEqual({...command.plan, tasks: rest}, {...richPlan, tasks: richPlan.tasks.slice(1)});
    userCommand(harness, command);
    fixture.state = harness.state;
    happen(fixture, {type: 'event-heard', event: harness.events.at(-1) ?? assert.fail()});
    const shown = drawCells(fixture.model, fixture.state, fixture.now).rows.join('\n');
    if (first?.agent !== undefined)
      assert.match(shown, new RegExp(`${first.agent}\\s`), 'it is shown with its task');
  }

  assert.deepEqual(names, [...others, undefined]);
});

test('+ gives the task one more variant by another agent, - takes the marked one away; all are approved together', () => {
  const harness = planned();
  const fixture = open(harness.state, harness.time, undefined, undefined, {
    agents: ['claude', 'codex'],
  });
  const worker = selectRun(harness.state, 'r1')?.request.worker ?? assert.fail();
  const agents = [...new Set([worker, 'claude', 'codex'])];
  const tasksOf = (command: unknown): readonly PlannedTask[] =>
    (command as Extract<UserCommand, {type: 'edit-plan'}>).plan.tasks;
  const change = (key: string): readonly PlannedTask[] => {
    const before = fixture.commands.length;
    press(fixture, key);
    const command = fixture.commands.at(-1) as UserCommand;
    if (fixture.commands.length === before || command.type !== 'edit-plan') assert.fail(key);
    const {refused} = userCommand(harness, command);
    assert.equal(refused, undefined);
    fixture.state = harness.state;
    happen(fixture, {type: 'event-heard', event: harness.events.at(-1) ?? assert.fail()});
    return tasksOf(command);
  };
  press(fixture, 'enter', 'p', '+');
  assert.match(fixture.model.notice?.text ?? '', /Move to a task first/);
  press(fixture, 'down', '-');
  assert.match(fixture.model.notice?.text ?? '', /It has no variants/);

  const count = richPlan.tasks.length;
  const two = change('+');
  assert.equal(two.length, count + 1);
  const [root] = two;
  assert.equal(two[1]?.variantOf, root?.id);
  assert.equal(two[1]?.agent, agents[1], 'the next agent that has none yet');
  assert.match(fixture.model.notice?.text ?? '', /2 variants/);
  const shown = drawCells(fixture.model, fixture.state, fixture.now).rows.join('\n');
  assert.match(shown, /variant of 1/);
  assert.match(shown, new RegExp(`0/${count}\\b`), 'variants count once');

  change('+');
  press(fixture, 'down', 'down');
  const left = change('-');
  assert.equal(left.length, count + 1);
  press(fixture, 'home', 'down');
  const none = change('-');
  assert.deepEqual(none, richPlan.tasks);

  for (let times = 1; times < 8; times += 1) {
    press(fixture, 'home', 'down');
    change('+');
  }

  press(fixture, 'home', 'down', '+');
  assert.match(fixture.model.notice?.text ?? '', /at most 8 variants/);
});
