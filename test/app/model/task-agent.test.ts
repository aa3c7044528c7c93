import assert from 'node:assert/strict';
import {test} from 'node:test';
import {planHash} from '../../../source/plan/index.ts';
import {selectRun, type UserCommand} from '../../../source/domain/index.ts';
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
