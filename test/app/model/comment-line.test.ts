import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {selectRun, type UserCommand} from '../../../source/domain/index.ts';
import {textOfLine} from '../../../source/app/model/line.ts';
import {sendComments} from '../../../source/app/model/comment-line.ts';
import {toUiState} from '../../../source/app/model/create-model.ts';
import type {Model} from '../../../source/app/model/model.ts';
import {withSettings} from '../../../source/app/model/settings.ts';
import {computeLayout, selectBodyRect} from '../../../source/app/model/compute-layout.ts';
import {renderChrome} from '../../../source/app/screens/render-chrome.ts';
import {type PlanRow, planScreenRows} from '../../../source/app/screens/plan-body.ts';
import {type Harness, userCommand} from '../../domain/support/harness.ts';
import {
  answer,
  done,
  type Fixture,
  happen,
  open,
  planned,
  plannedAgain,
  press,
  richPlan,
  type,
} from '../screens/fixtures.ts';

describe('a comment on a line of the plan', () => {
  test('is kept for the line under the cursor, and goes to the planner with the rejection', () => {
    const fixture = atPlan();
    comment(fixture, 5, 'Why?');
    assert.deepEqual(
      [fixture.commands, texts(fixture), fixture.model.notice?.text],
      [[], ['4 Why?'], 'The planner gets it with your reason when you reject the plan.'],
    );
    assert.match(rows(fixture).join('\n'), / {3}> you: Why\?\n/);
    assert.match(
      rows(fixture).at(-2) ?? '',
      /^ 1 comment not sent yet; X rejects the plan with it$/,
    );
    // Beside comments a reason is not needed.
    press(fixture, 'X', 'enter');
    assert.deepEqual(fixture.commands, [
      {type: 'comment-plan', run: 'r1', line: 4, text: 'Why?'},
      {type: 'reject-plan', run: 'r1', plan: '3f2a9c01d4e5b6a7', reason: ''},
    ]);
    happen(fixture, {type: 'wish-granted', wish: fixture.commands[0] as UserCommand, answer: {}});
    assert.deepEqual(fixture.model.planComments, []);
  });

  test('is opened by the same key with its text, and what is written then takes its place', () => {
    const fixture = atPlan();
    comment(fixture, 5, 'Why?');
    assert.match(status(fixture, 10_000), / c edit comment /);
    press(fixture, 'c');
    assert.deepEqual(
      [fixture.model.field?.text, fixture.model.field?.label],
      ['Why?', 'Edit, on line 4'],
    );
    assert.match(status(fixture), /Enter keeps {2}Esc gives up/);
    press(fixture, 'escape');
    assert.deepEqual(texts(fixture), ['4 Why?']);
    // On the row of the comment itself as on its line.
    const own = screenRows(fixture).findIndex(({row}) => textOfLine(row).includes('> you: Why?'));
    press(fixture, 'home', ...Array.from({length: own}, () => 'down'), 'c', 'ctrl-u');
    type(fixture, 'How?');
    press(fixture, 'enter');
    assert.deepEqual(texts(fixture), ['4 How?']);
  });

  test('is taken back by submitting nothing, or by x, and that is said', () => {
    const fixture = atPlan();
    comment(fixture, 5, 'Why?');
    press(fixture, 'c', 'ctrl-u');
    assert.match(status(fixture), /Enter takes it back {2}Esc gives up/);
    press(fixture, 'enter');
    assert.deepEqual(
      [texts(fixture), fixture.model.notice?.text],
      [[], 'The comment is taken back.'],
    );
    assert.doesNotMatch(rows(fixture).at(-2) ?? '', /comment/);
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
    userCommand(harness, {type: 'comment-plan', run: 'r1', line: 4, text: 'From the command line'});
    const fixture = atPlan(harness);
    assert.match(rows(fixture).join('\n'), / {3}> you, sent: From the command line/);
    comment(fixture, 5, 'From the app');
    assert.match(
      rows(fixture).join('\n'),
      /you, sent: From the command line\n {3}> you: From the app/,
    );
    press(fixture, 'x');
    assert.deepEqual(texts(fixture), []);
    assert.match(rows(fixture).join('\n'), /you, sent: From the command line/);
  });

  test("is there again after the app was left, and is the person's again when it could not be sent", () => {
    const fixture = atPlan();
    comment(fixture, 5, 'Why?');
    const later = open(
      fixture.state,
      fixture.now,
      undefined,
      JSON.parse(JSON.stringify(toUiState(fixture.model))),
    );
    press(later, 'enter', 'p');
    assert.deepEqual(texts(later), ['4 Why?']);
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
    comment(fixture, 5, 'Fine');
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
    assert.match(fixture.model.notice?.text ?? '', /^The plan and its line numbers have changed/);
  });

  test('that was not sent when the plan is gone is given up, and that is said', () => {
    const harness = planned();
    const fixture = atPlan(harness);
    comment(fixture, 5, 'Why?');
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
    comment(fixture, 5, 'Why?');
    comment(
      fixture,
      screenRows(fixture).findLastIndex(({line}) => line !== undefined),
      'And this?',
    );
    const last = Number(texts(fixture)[1]?.split(' ', 1)[0]);
    userCommand(harness, {
      type: 'edit-plan',
      run: 'r1',
      plan: {...richPlan, problem: 'Shorter.', assumptions: ['Callers run in one process.']},
      hash: 'edited',
    });
    handleEvent(fixture, harness);
    assert.deepEqual(texts(fixture), ['4 Why?', `${last - 1} And this?`]);
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
    assert.notEqual(fixture.model.places.plan.top, 0);
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
    assert.match(rows(fixture)[1] ?? '', /^▸ {2}1 Objective/);
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
  assert.match(rows(fixture).at(-2) ?? '', /^▸/);
});

describe('a comment on a line of a diff', () => {
  test('is opened with its text, changed, and taken back by submitting nothing; each is said', () => {
    const {fixture} = atDiff();
    assert.match(status(fixture, 10_000), / c edit comment /);
    press(fixture, 'c');
    assert.deepEqual(
      [fixture.model.field?.text, fixture.model.field?.label],
      ['Why?', 'Edit, on line 6'],
    );
    type(fixture, ' Really?');
    press(fixture, 'enter');
    assert.deepEqual(
      fixture.model.comments.map(({text}) => text),
      ['Why? Really?'],
    );
    press(fixture, 'c', 'ctrl-u');
    assert.match(status(fixture), /Enter takes it back/);
    press(fixture, 'enter');
    assert.deepEqual(
      [fixture.model.comments, fixture.model.notice?.text],
      [[], 'The comment is taken back.'],
    );
  });

  test('is there again after the app was left, on its line', () => {
    const {fixture, harness} = atDiff();
    const later = open(
      harness.state,
      harness.time,
      undefined,
      JSON.parse(JSON.stringify(toUiState(fixture.model))),
    );
    press(later, 'enter', 'r');
    answer(later, harness);
    assert.deepEqual(later.model.comments, fixture.model.comments);
    assert.match(rows(later).join('\n'), / {9}> you: Why\?\n/);
    assert.match(rows(later).at(-1) ?? '', /^ 1 comment not sent yet; S sends/);
  });

  test("is the daemon's once it has it, and till then it is neither shown nor lost", () => {
    const {fixture} = atDiff();
    const before = fixture.model.comments;
    press(fixture, 'S');
    const sent = fixture.commands.at(-1) as UserCommand;
    assert.deepEqual([sent.type, toUiState(fixture.model).comments], ['add-note', []]);
    assert.doesNotMatch(rows(fixture).join('\n'), /you: Why/);
    press(fixture, 'S');
    assert.equal(fixture.commands.length, 1, 'it is not sent twice');
    happen(fixture, {type: 'wish-refused', wish: sent, text: 'not connected'});
    assert.deepEqual(
      [fixture.model.comments, fixture.model.notice?.text],
      [before, 'not connected'],
    );
    press(fixture, 'S');
    // Another note of the same person is not this one.
    happen(fixture, {
      type: 'wish-granted',
      wish: {type: 'add-note', on: 'r1', text: 'something else'},
      answer: {},
    });
    assert.equal(fixture.model.comments.length, 1);
    happen(fixture, {
      type: 'wish-granted',
      wish: fixture.commands.at(-1) as UserCommand,
      answer: {},
    });
    assert.deepEqual(fixture.model.comments, []);
  });

  test('whose line has changed since stands at the end of its file, and can be edited and taken back there', () => {
    const {fixture} = atDiff();
    const [own] = fixture.model.comments;
    const moved: Fixture = {
      ...fixture,
      model: {...fixture.model, comments: [{...own!, source: 'what it was before'}]},
    };
    press(moved, 'G');
    assert.match(rows(moved).join('\n'), /Line 6 was: what it was before *\n▸? *> you: Why\?/);
    press(moved, 'c');
    assert.equal(moved.model.field?.text, 'Why?');
    press(moved, 'escape', 'x');
    assert.deepEqual(moved.model.comments, []);
  });

  test('on what is over is given up, and that is said', () => {
    const {fixture, harness} = atDiff();
    userCommand(harness, {type: 'discard', what: 'r1'});
    handleEvent(fixture, harness);
    assert.deepEqual(
      [fixture.model.comments, fixture.model.notice?.text],
      [[], 'Your comment on r1 was not sent: it is over.'],
    );
  });

  test('that is remembered is read with care', () => {
    const whole = {of: 'r1.t1', path: 'a', line: 2, source: 'y', text: 'z'};
    const {comments} = open(done().state, 0, undefined, {
      comments: [
        whole,
        {...whole, sentAs: 'w', text: 'later'},
        null,
        7,
        {...whole, of: 'x'},
        {...whole, line: 0},
        {...whole, path: 1},
        {...whole, text: ' '},
      ],
    }).model;
    assert.deepEqual(comments, [whole, {...whole, text: 'later'}]);
    assert.deepEqual(open(done().state, 0, undefined, {comments: 'x'}).model.comments, []);
  });
});

test('a comment on a file that the change has no longer stands behind the others, and can be read, edited and sent', () => {
  const {fixture} = atDiff();
  const [own] = fixture.model.comments;
  assert.ok(own !== undefined);
  happen(fixture, {
    type: 'answered',
    name: 'diff/r1',
    value: {
      from: 'a',
      to: 'b',
      files: [],
      text: 'diff --git a/other.js b/other.js\n--- a/other.js\n+++ b/other.js\n@@ -1 +1 @@\n-one\n+two\n',
    },
  });
  // The file that was in view stays there.
  assert.match(
    rows(fixture).join('\n'),
    new RegExp(
      `${own.path} +not in the change any more +file 2 of 2[^]*still sent[^]*Line ${own.line} was[^]*you: Why\\?`,
    ),
  );
  press(fixture, 'end', 'c');
  assert.equal(fixture.model.field?.text, 'Why?');
  type(fixture, ' Really');
  press(fixture, 'enter');
  assert.deepEqual(
    fixture.model.comments.map(({text, path}) => [text, path]),
    [['Why? Really', own.path]],
  );
  happen(fixture, {
    type: 'answered',
    name: 'diff/r1',
    value: {from: 'a', to: 'b', files: [], text: ''},
  });
  assert.match(rows(fixture).join('\n'), /you: Why\? Really/);
  press(fixture, 'S');
  assert.match(JSON.stringify(fixture.commands), /Why\? Really/);
});

/** With one comment, on the tenth row of the diff of a run that is done. */
function atDiff(): {readonly fixture: Fixture; readonly harness: Harness} {
  const harness = done();
  const fixture = open(harness.state, harness.time);
  press(fixture, 'r');
  answer(fixture, harness);
  press(fixture, ...Array.from({length: 9}, () => 'down'), 'c');
  type(fixture, 'Why?');
  press(fixture, 'enter');
  return {fixture: fixture, harness};
}

function atPlan(harness: Harness = planned()): Fixture {
  const fixture = open(harness.state, harness.time);
  press(fixture, 'enter', 'p');
  return fixture;
}

/** So many rows down from the top. */
function comment(fixture: Fixture, down: number, text: string): void {
  press(fixture, 'home', ...Array.from({length: down}, () => 'down'), 'c');
  type(fixture, text);
  press(fixture, 'enter');
}

function screenRows({model, state}: Fixture): readonly PlanRow[] {
  const run = selectRun(state, 'r1')!;
  if (run.stage.at !== 'reviewing') return [];
  return planScreenRows(
    {model, state},
    run,
    selectBodyRect(computeLayout(model.size, model, state), 'plan'),
  );
}

function texts({model}: Fixture): string[] {
  return model.planComments.map(({line, text}) => `${line} ${text}`);
}

function handleEvent(fixture: Fixture, harness: Harness): void {
  fixture.state = harness.state;
  happen(fixture, {type: 'event-heard', event: harness.events.at(-1)!});
}

function rows({model, state, now}: Fixture): string[] {
  return (
    renderChrome({model, state, size: model.size, now})
      .find(({name}) => name === 'main')
      ?.lines.map((row) => textOfLine(row).trimEnd()) ?? []
  );
}

function status({model, state, now}: Fixture, later = 0): string {
  return textOfLine(
    renderChrome({model, state, size: model.size, now: now + later}).find(
      ({name}) => name === 'status',
    )?.lines[0] ?? [],
  );
}

test('sending without a comment names the key that writes one, also one that the person chose', () => {
  const {fixture} = atDiff();
  const {settings} = fixture.model;
  const notice = (model: Model): string | undefined =>
    sendComments({...model, comments: []}, fixture.state, fixture.now).model.notice?.text;
  assert.equal(
    notice(fixture.model),
    'There is no comment yet. c writes one on the line under the cursor.',
  );
  assert.equal(
    notice(withSettings(fixture.model, {...settings, keys: {'review.comment-line': 'K'}})),
    'There is no comment yet. K writes one on the line under the cursor.',
  );
});
