import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {runOf, type Wish} from '../../../source/domain/index.ts';
import {textOfLine} from '../../../source/tui/model/line.ts';
import {memoryOf} from '../../../source/tui/model/memory.ts';
import {bodyRectOf, plotOf} from '../../../source/tui/model/plot-of.ts';
import {chromeOf} from '../../../source/tui/screens/chrome-of.ts';
import {planScreenRows, type PlanRow} from '../../../source/tui/screens/plan-body.ts';
import {wish, type House} from '../../domain/support/house.ts';
import {
  answer,
  done,
  happen,
  open,
  planned,
  plannedAgain,
  press,
  richPlan,
  type,
  type Stage,
} from '../screens/scenes.ts';

describe('a comment on a line of the plan', () => {
  test('is kept for the line under the cursor, and goes to the planner with the rejection', () => {
    const stage = atPlan();
    comment(stage, 5, 'Why?');
    assert.deepEqual(
      [stage.wishes, texts(stage), stage.model.notice?.words],
      [[], ['4 Why?'], 'The planner gets it with your reason when you reject the plan.'],
    );
    assert.match(rows(stage).join('\n'), / {3}> you: Why\?\n/);
    assert.match(rows(stage).at(-2) ?? '', /^ 1 comment not sent yet; X rejects the plan with it$/);
    // Beside comments a reason is not needed.
    press(stage, 'X', 'enter');
    assert.deepEqual(stage.wishes, [
      {type: 'comment-plan', run: 'r1', line: 4, text: 'Why?'},
      {type: 'reject-plan', run: 'r1', plan: '3f2a9c01d4e5b6a7', reason: ''},
    ]);
    happen(stage, {type: 'wish-granted', wish: stage.wishes[0] as Wish, answer: {}});
    assert.deepEqual(stage.model.planComments, []);
  });

  test('is opened by the same key with its text, and what is written then takes its place', () => {
    const stage = atPlan();
    comment(stage, 5, 'Why?');
    assert.match(status(stage, 10_000), / c edit comment /);
    press(stage, 'c');
    assert.deepEqual(
      [stage.model.field?.text, stage.model.field?.label],
      ['Why?', 'Edit, on line 4'],
    );
    assert.match(status(stage), /Enter keeps {2}Esc gives up/);
    press(stage, 'escape');
    assert.deepEqual(texts(stage), ['4 Why?']);
    // On the row of the comment itself as on its line.
    const own = screenRows(stage).findIndex(({row}) => textOfLine(row).includes('> you: Why?'));
    press(stage, 'home', ...Array.from({length: own}, () => 'down'), 'c', 'ctrl-u');
    type(stage, 'How?');
    press(stage, 'enter');
    assert.deepEqual(texts(stage), ['4 How?']);
  });

  test('is taken back by submitting nothing, or by x, and that is said', () => {
    const stage = atPlan();
    comment(stage, 5, 'Why?');
    press(stage, 'c', 'ctrl-u');
    assert.match(status(stage), /Enter takes it back {2}Esc gives up/);
    press(stage, 'enter');
    assert.deepEqual([texts(stage), stage.model.notice?.words], [[], 'The comment is taken back.']);
    assert.doesNotMatch(rows(stage).at(-2) ?? '', /comment/);
    press(stage, 'c');
    type(stage, 'Again');
    press(stage, 'enter', 'x');
    assert.deepEqual(
      [texts(stage), stage.model.notice?.words, stage.wishes],
      [[], 'The comment is taken back.', []],
    );
    press(stage, 'c', 'enter');
    assert.deepEqual([stage.model.field, stage.model.notice], [undefined, undefined]);
  });

  test('that the daemon has stays there: the key writes another', () => {
    const house = planned();
    wish(house, {type: 'comment-plan', run: 'r1', line: 4, text: 'From the command line'});
    const stage = atPlan(house);
    assert.match(rows(stage).join('\n'), / {3}> you, sent: From the command line/);
    comment(stage, 5, 'From the app');
    assert.match(
      rows(stage).join('\n'),
      /you, sent: From the command line\n {3}> you: From the app/,
    );
    press(stage, 'x');
    assert.deepEqual(texts(stage), []);
    assert.match(rows(stage).join('\n'), /you, sent: From the command line/);
  });

  test("is there again after the app was left, and is the person's again when it could not be sent", () => {
    const stage = atPlan();
    comment(stage, 5, 'Why?');
    const later = open(
      stage.state,
      stage.now,
      undefined,
      JSON.parse(JSON.stringify(memoryOf(stage.model))),
    );
    press(later, 'enter', 'p');
    assert.deepEqual(texts(later), ['4 Why?']);
    press(later, 'X', 'enter');
    assert.deepEqual(memoryOf(later.model).planComments, []);
    happen(later, {type: 'wish-refused', wish: later.wishes[0] as Wish, words: 'not connected'});
    assert.deepEqual(
      [later.model.planComments, later.model.notice?.words],
      [stage.model.planComments, 'not connected'],
    );
  });

  test('goes with the approval, too: the journal has what was said', () => {
    const stage = atPlan();
    comment(stage, 5, 'Fine');
    press(stage, 'A');
    assert.deepEqual(
      stage.wishes.map((one) => (one as Wish).type),
      ['comment-plan', 'approve-plan'],
    );
  });

  test('is not put on another plan that came while it was written', () => {
    const house = planned();
    const stage = atPlan(house);
    press(stage, 'c');
    type(stage, 'Why?');
    plannedAgain(house);
    hear(stage, house);
    press(stage, 'enter');
    assert.deepEqual([texts(stage), stage.model.field?.text], [[], 'Why?']);
    assert.match(stage.model.notice?.words ?? '', /^The plan has changed since/);
  });

  test('that was not sent when the plan is gone is given up, and that is said', () => {
    const house = planned();
    const stage = atPlan(house);
    comment(stage, 5, 'Why?');
    plannedAgain(house);
    hear(stage, house);
    assert.deepEqual(
      [stage.model.planComments, stage.model.notice?.words],
      [[], 'Your comment was not sent: the plan of r1 does not wait any more.'],
    );
  });

  test('goes with its line when the plan is edited', () => {
    const house = planned();
    const stage = atPlan(house);
    comment(stage, 5, 'Why?');
    comment(
      stage,
      screenRows(stage).findLastIndex(({line}) => line !== undefined),
      'And this?',
    );
    const last = Number(texts(stage)[1]?.split(' ', 1)[0]);
    wish(house, {
      type: 'edit-plan',
      run: 'r1',
      plan: {...richPlan, problem: 'Shorter.', assumptions: ['Callers run in one process.']},
      hash: 'edited',
    });
    hear(stage, house);
    assert.deepEqual(texts(stage), ['4 Why?', `${last - 1} And this?`]);
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
    const house = planned();
    const stage = atPlan(house);
    press(stage, 'G');
    assert.notEqual(stage.model.places.plan.top, 0);
    plannedAgain(house);
    hear(stage, house);
    assert.deepEqual([stage.model.screen, stage.model.places.plan], ['plan', {cursor: 0, top: 0}]);
  });

  test('begins at its top also for who was elsewhere meanwhile', () => {
    const house = planned();
    const stage = atPlan(house);
    press(stage, 'G', 'w');
    plannedAgain(house);
    hear(stage, house);
    press(stage, 'p');
    assert.deepEqual(stage.model.places.plan, {cursor: 0, top: 0});
    assert.match(rows(stage)[1] ?? '', /^▸ {2}1 Objective/);
  });

  test('is not hidden by the text that could not be read as the one before', () => {
    const house = planned();
    const stage = atPlan(house);
    press(stage, 'e');
    happen(stage, {type: 'edited', name: 'r1-plan.yaml', text: 'tasks: nothing'});
    assert.equal(stage.model.draft?.text, 'tasks: nothing');
    plannedAgain(house);
    hear(stage, house);
    assert.equal(stage.model.draft, undefined);
  });
});

test('a plan that the person edited keeps the place, as far as it exists', () => {
  const house = planned();
  const stage = atPlan(house);
  press(stage, ...Array.from({length: 30}, () => 'down'));
  const before = stage.model.places.plan;
  wish(house, {
    type: 'edit-plan',
    run: 'r1',
    plan: {...richPlan, problem: 'Another one.'},
    hash: 'edited',
  });
  hear(stage, house);
  assert.deepEqual(stage.model.places.plan, before);
  press(stage, 'G');
  wish(house, {
    type: 'edit-plan',
    run: 'r1',
    plan: {...richPlan, tasks: richPlan.tasks.slice(0, 1), risks: []},
    hash: 'shorter',
  });
  hear(stage, house);
  assert.match(rows(stage).at(-2) ?? '', /^▸/);
});

describe('a comment on a line of a diff', () => {
  test('is opened with its text, changed, and taken back by submitting nothing; each is said', () => {
    const {stage} = atDiff();
    assert.match(status(stage, 10_000), / c edit comment /);
    press(stage, 'c');
    assert.deepEqual(
      [stage.model.field?.text, stage.model.field?.label],
      ['Why?', 'Edit, on line 6'],
    );
    type(stage, ' Really?');
    press(stage, 'enter');
    assert.deepEqual(
      stage.model.comments.map(({text}) => text),
      ['Why? Really?'],
    );
    press(stage, 'c', 'ctrl-u');
    assert.match(status(stage), /Enter takes it back/);
    press(stage, 'enter');
    assert.deepEqual(
      [stage.model.comments, stage.model.notice?.words],
      [[], 'The comment is taken back.'],
    );
  });

  test('is there again after the app was left, on its line', () => {
    const {stage, house} = atDiff();
    const later = open(
      house.state,
      house.time,
      undefined,
      JSON.parse(JSON.stringify(memoryOf(stage.model))),
    );
    press(later, 'enter', 'r');
    answer(later, house);
    assert.deepEqual(later.model.comments, stage.model.comments);
    assert.match(rows(later).join('\n'), / {9}> you: Why\?\n/);
    assert.match(rows(later).at(-1) ?? '', /^ 1 comment not sent yet; S sends/);
  });

  test("is the daemon's once it has it, and till then it is neither shown nor lost", () => {
    const {stage} = atDiff();
    const before = stage.model.comments;
    press(stage, 'S');
    const sent = stage.wishes.at(-1) as Wish;
    assert.deepEqual([sent.type, memoryOf(stage.model).comments], ['add-note', []]);
    assert.doesNotMatch(rows(stage).join('\n'), /you: Why/);
    press(stage, 'S');
    assert.equal(stage.wishes.length, 1, 'it is not sent twice');
    happen(stage, {type: 'wish-refused', wish: sent, words: 'not connected'});
    assert.deepEqual([stage.model.comments, stage.model.notice?.words], [before, 'not connected']);
    press(stage, 'S');
    // Another note of the same person is not this one.
    happen(stage, {
      type: 'wish-granted',
      wish: {type: 'add-note', on: 'r1', text: 'something else'},
      answer: {},
    });
    assert.equal(stage.model.comments.length, 1);
    happen(stage, {type: 'wish-granted', wish: stage.wishes.at(-1) as Wish, answer: {}});
    assert.deepEqual(stage.model.comments, []);
  });

  test('whose line has changed since stands at the end of its file, and can be edited and taken back there', () => {
    const {stage} = atDiff();
    const [own] = stage.model.comments;
    const moved: Stage = {
      ...stage,
      model: {...stage.model, comments: [{...own!, source: 'what it was before'}]},
    };
    press(moved, 'G');
    assert.match(rows(moved).join('\n'), /Line 6 was: what it was before *\n▸? *> you: Why\?/);
    press(moved, 'c');
    assert.equal(moved.model.field?.text, 'Why?');
    press(moved, 'escape', 'x');
    assert.deepEqual(moved.model.comments, []);
  });

  test('on what is over is given up, and that is said', () => {
    const {stage, house} = atDiff();
    wish(house, {type: 'discard', what: 'r1'});
    hear(stage, house);
    assert.deepEqual(
      [stage.model.comments, stage.model.notice?.words],
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
  const {stage} = atDiff();
  const [own] = stage.model.comments;
  assert.ok(own !== undefined);
  happen(stage, {
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
    rows(stage).join('\n'),
    new RegExp(
      `${own.path} +not in the change any more +file 2 of 2[^]*still sent[^]*Line ${own.line} was[^]*you: Why\\?`,
    ),
  );
  press(stage, 'end', 'c');
  assert.equal(stage.model.field?.text, 'Why?');
  type(stage, ' Really');
  press(stage, 'enter');
  assert.deepEqual(
    stage.model.comments.map(({text, path}) => [text, path]),
    [['Why? Really', own.path]],
  );
  happen(stage, {
    type: 'answered',
    name: 'diff/r1',
    value: {from: 'a', to: 'b', files: [], text: ''},
  });
  assert.match(rows(stage).join('\n'), /you: Why\? Really/);
  press(stage, 'S');
  assert.match(JSON.stringify(stage.wishes), /Why\? Really/);
});

/** With one comment, on the tenth row of the diff of a run that is done. */
function atDiff(): {readonly stage: Stage; readonly house: House} {
  const house = done();
  const stage = open(house.state, house.time);
  press(stage, 'r');
  answer(stage, house);
  press(stage, ...Array.from({length: 9}, () => 'down'), 'c');
  type(stage, 'Why?');
  press(stage, 'enter');
  return {stage, house};
}

function atPlan(house: House = planned()): Stage {
  const stage = open(house.state, house.time);
  press(stage, 'enter', 'p');
  return stage;
}

/** So many rows down from the top. */
function comment(stage: Stage, down: number, text: string): void {
  press(stage, 'home', ...Array.from({length: down}, () => 'down'), 'c');
  type(stage, text);
  press(stage, 'enter');
}

function screenRows({model, state}: Stage): readonly PlanRow[] {
  const run = runOf(state, 'r1')!;
  if (run.stage.at !== 'reviewing') return [];
  return planScreenRows({model, state}, run, bodyRectOf(plotOf(model.size, model, state), 'plan'));
}

function texts({model}: Stage): string[] {
  return model.planComments.map(({line, text}) => `${line} ${text}`);
}

function hear(stage: Stage, house: House): void {
  stage.state = house.state;
  happen(stage, {type: 'event-heard', event: house.events.at(-1)!});
}

function rows({model, state, now}: Stage): string[] {
  return (
    chromeOf({model, state, size: model.size, now})
      .find(({name}) => name === 'main')
      ?.lines.map((row) => textOfLine(row).trimEnd()) ?? []
  );
}

function status({model, state, now}: Stage, later = 0): string {
  return textOfLine(
    chromeOf({model, state, size: model.size, now: now + later}).find(({name}) => name === 'status')
      ?.lines[0] ?? [],
  );
}
