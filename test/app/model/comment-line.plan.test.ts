import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import type {UserCommand} from '../../../source/domain/index.ts';
import {formatPlanLines} from '../../../source/plan/index.ts';
import {toUiState} from '../../../source/app/model/create-model.ts';
import {selectPlanScreen} from '../../../source/app/select/plan-screen.ts';
import {type Harness, userCommand} from '../../domain/support/harness.ts';
import {drawCells} from '../screens/draw.tsx';
import {
  type Fixture,
  happen,
  open,
  planned,
  plannedAgain,
  press,
  richPlan,
  type,
} from '../screens/fixtures.ts';

/** The line of the first task, which is the second entry of the screen. */
const taskLine = formatPlanLines(richPlan).find(({field}) => field === 'tasks[0]')!.number;

describe('a comment on a line of the plan', () => {
  test('is kept for the line under the cursor, and goes to the planner with the rejection', () => {
    const fixture = atPlan();
    comment(fixture, 1, 'Why?');
    assert.deepEqual(
      [fixture.commands, texts(fixture), fixture.model.notice?.text],
      [[], [`${taskLine} Why?`], 'Saved. It goes to the planner when you send the plan back.'],
    );
    assert.match(rows(fixture).join('\n'), /╭─ you ─+╮\n.*│ Why\? +│\n/);
    assert.match(
      rows(fixture, 10_000).at(-2) ?? '',
      /^ 1 comment · X sends the plan back with it$/,
    );
    // Beside comments a reason is not needed.
    press(fixture, 'X', 'enter');
    assert.deepEqual(fixture.commands, [
      {type: 'comment-plan', run: 'r1', line: taskLine, text: 'Why?'},
      {type: 'reject-plan', run: 'r1', plan: '3f2a9c01d4e5b6a7', reason: ''},
    ]);
    happen(fixture, {type: 'wish-granted', wish: fixture.commands[0] as UserCommand, answer: {}});
    assert.deepEqual(fixture.model.planComments, []);
  });

  test('is opened by the same key with its text, and what is written then takes its place', () => {
    const fixture = atPlan();
    comment(fixture, 1, 'Why?');
    assert.match(rows(fixture, 10_000).at(-3) ?? '', / c edit comment /);
    press(fixture, 'c');
    assert.deepEqual(
      [fixture.model.field?.text, fixture.model.field?.label],
      ['Why?', 'Edit, on task 1'],
    );
    assert.match(rows(fixture).at(-1) ?? '', /Enter save {2}Esc cancel/);
    press(fixture, 'escape');
    assert.deepEqual(texts(fixture), [`${taskLine} Why?`]);
    press(fixture, 'c', 'ctrl-u');
    type(fixture, 'How?');
    press(fixture, 'enter');
    assert.deepEqual(texts(fixture), [`${taskLine} How?`]);
  });

  test('is taken back by submitting nothing, or by x, and that is said', () => {
    const fixture = atPlan();
    comment(fixture, 1, 'Why?');
    press(fixture, 'c', 'ctrl-u');
    assert.match(rows(fixture).at(-1) ?? '', /Enter delete it {2}Esc cancel/);
    press(fixture, 'enter');
    assert.deepEqual(
      [texts(fixture), fixture.model.notice?.text],
      [[], 'The comment is taken back.'],
    );
    assert.doesNotMatch(rows(fixture, 10_000).at(-2) ?? '', /comment/);
    press(fixture, 'c');
    type(fixture, 'Again');
    press(fixture, 'enter', 'x');
    assert.deepEqual(
      [texts(fixture), fixture.model.notice?.text, fixture.commands],
      [[], 'The comment is taken back.', []],
    );
    press(fixture, 'c', 'enter');
    assert.deepEqual([fixture.model.field, fixture.model.notice], [undefined, undefined]);
  });

  test('that the daemon has stays there: the key writes another', () => {
    const harness = planned();
    userCommand(harness, {
      type: 'comment-plan',
      run: 'r1',
      line: taskLine,
      text: 'From the command line',
    });
    const fixture = atPlan(harness);
    assert.match(rows(fixture).join('\n'), /─ you, sent ─+╮\n.*│ From the command line/);
    comment(fixture, 1, 'From the app');
    assert.match(
      rows(fixture).join('\n'),
      /─ you, sent ─+╮\n.*│ From the command line[^]*─ you ─+╮\n.*│ From the app/,
    );
    press(fixture, 'x');
    assert.deepEqual(texts(fixture), []);
    assert.match(rows(fixture).join('\n'), /│ From the command line/);
  });

  test("is there again after the app was left, and is the person's again when it could not be sent", () => {
    const fixture = atPlan();
    comment(fixture, 1, 'Why?');
    const later = open(
      fixture.state,
      fixture.now,
      undefined,
      JSON.parse(JSON.stringify(toUiState(fixture.model))),
    );
    press(later, 'enter', 'p');
    assert.deepEqual(texts(later), [`${taskLine} Why?`]);
    press(later, 'X', 'enter');
    assert.deepEqual(toUiState(later.model).planComments, []);
    happen(later, {
      type: 'wish-refused',
      wish: later.commands[0] as UserCommand,
      text: 'not connected',
    });
    assert.deepEqual(
      [later.model.planComments, later.model.notice?.text],
      [fixture.model.planComments, 'not connected'],
    );
  });

  test('goes with the approval, too: the journal has what was said', () => {
    const fixture = atPlan();
    comment(fixture, 1, 'Fine');
    press(fixture, 'A');
    assert.deepEqual(
      fixture.commands.map((one) => (one as UserCommand).type),
      ['comment-plan', 'approve-plan'],
    );
  });

  test('is not put on another plan that came while it was written', () => {
    const harness = planned();
    const fixture = atPlan(harness);
    press(fixture, 'c');
    type(fixture, 'Why?');
    plannedAgain(harness);
    handleEvent(fixture, harness);
    press(fixture, 'enter');
    assert.deepEqual([texts(fixture), fixture.model.field?.text], [[], 'Why?']);
    assert.match(
      fixture.model.notice?.text ?? '',
      /^The plan has changed, so your comment was not saved/,
    );
  });

  test('that was not sent when the plan is gone is given up, and that is said', () => {
    const harness = planned();
    const fixture = atPlan(harness);
    comment(fixture, 1, 'Why?');
    plannedAgain(harness);
    handleEvent(fixture, harness);
    assert.deepEqual(
      [fixture.model.planComments, fixture.model.notice?.text],
      [[], 'Your comment was not sent: the plan of r1 does not wait any more.'],
    );
  });

  test('goes with its line when the plan is edited', () => {
    const harness = planned();
    const fixture = atPlan(harness);
    comment(fixture, 1, 'Why?');
    comment(
      fixture,
      selectPlanScreen(fixture.model, fixture.state)!.entries.findLastIndex(
        ({item}) => item !== undefined,
      ),
      'And this?',
    );
    const [first, last] = texts(fixture).map((text) => Number(text.split(' ', 1)[0]));
    userCommand(harness, {
      type: 'edit-plan',
      run: 'r1',
      plan: {...richPlan, problem: 'Shorter.', assumptions: ['Callers run in one process.']},
      hash: 'edited',
    });
    handleEvent(fixture, harness);
    // One assumption is gone above both of them.
    assert.deepEqual(texts(fixture), [`${first! - 1} Why?`, `${last! - 1} And this?`]);
  });

  test('that is remembered is read with care', () => {
    const whole = {run: 'r1', round: 1, plan: 'x', line: 2, source: 'y', text: 'z'};
    const {planComments} = open(planned().state, 0, undefined, {
      planComments: [
        whole,
        null,
        7,
        {...whole, run: 'x'},
        {...whole, line: -1},
        {...whole, text: ' '},
      ],
    }).model;
    assert.deepEqual(
      planComments.map(({text}) => text),
      ['z'],
    );
    assert.deepEqual(
      open(planned().state, 0, undefined, {planComments: 'x'}).model.planComments,
      [],
    );
  });
});

describe('a new plan', () => {
  test('begins at its top; the place of the one before is forgotten', () => {
    const harness = planned();
    const fixture = atPlan(harness);
    press(fixture, 'G');
    assert.notEqual(fixture.model.places.plan.cursor, 0);
    plannedAgain(harness);
    handleEvent(fixture, harness);
    assert.deepEqual(
      [fixture.model.screen, fixture.model.places.plan],
      ['plan', {cursor: 0, top: 0}],
    );
  });

  test('begins at its top also for who was elsewhere meanwhile', () => {
    const harness = planned();
    const fixture = atPlan(harness);
    press(fixture, 'G', 'w');
    plannedAgain(harness);
    handleEvent(fixture, harness);
    press(fixture, 'p');
    assert.deepEqual(fixture.model.places.plan, {cursor: 0, top: 0});
    assert.match(rows(fixture)[2] ?? '', /^▌Stop refreshing tokens twice/);
  });

  test('is not hidden by the text that could not be read as the one before', () => {
    const harness = planned();
    const fixture = atPlan(harness);
    press(fixture, 'e');
    happen(fixture, {type: 'edited', name: 'r1-plan.yaml', text: 'tasks: nothing'});
    assert.equal(fixture.model.draft?.text, 'tasks: nothing');
    plannedAgain(harness);
    handleEvent(fixture, harness);
    assert.equal(fixture.model.draft, undefined);
  });
});

test('a plan that the person edited keeps the place, as far as it exists', () => {
  const harness = planned();
  const fixture = atPlan(harness);
  press(fixture, ...Array.from({length: 30}, () => 'down'));
  const before = fixture.model.places.plan;
  userCommand(harness, {
    type: 'edit-plan',
    run: 'r1',
    plan: {...richPlan, problem: 'Another one.'},
    hash: 'edited',
  });
  handleEvent(fixture, harness);
  assert.deepEqual(fixture.model.places.plan, before);
  press(fixture, 'G');
  userCommand(harness, {
    type: 'edit-plan',
    run: 'r1',
    plan: {...richPlan, tasks: richPlan.tasks.slice(0, 1), risks: []},
    hash: 'shorter',
  });
  handleEvent(fixture, harness);
  assert.match(rows(fixture).findLast((row) => row.startsWith('▌')) ?? '', /^▌2\.1 Edit/);
});

function atPlan(harness: Harness = planned()): Fixture {
  const fixture = open(harness.state, harness.time);
  press(fixture, 'enter', 'p');
  return fixture;
}

/** So many entries down from the top. */
function comment(fixture: Fixture, down: number, text: string): void {
  press(fixture, 'home', ...Array.from({length: down}, () => 'down'), 'c');
  type(fixture, text);
  press(fixture, 'enter');
}

function texts({model}: Fixture): string[] {
  return model.planComments.map(({line, text}) => `${line} ${text}`);
}

function handleEvent(fixture: Fixture, harness: Harness): void {
  fixture.state = harness.state;
  happen(fixture, {type: 'event-heard', event: harness.events.at(-1)!});
}

function rows({model, state, now}: Fixture, later = 0): readonly string[] {
  return drawCells(model, state, now + later).rows;
}
