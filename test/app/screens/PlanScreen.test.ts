import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {selectRun} from '../../../source/domain/index.ts';
import {withLedgerEntry} from '../../../source/shared/index.ts';
import {selectPlanScreen} from '../../../source/app/select/plan-screen.ts';
import {colourBits, unitsPerCell} from '../../../source/app/render/frame.ts';
import {themeFromPalette} from '../../../source/app/theme/from-palette.ts';
import {palettes} from '../../../source/app/theme/palettes.ts';
import {userCommand} from '../../domain/support/harness.ts';
import {plannedTask} from '../../domain/support/samples.ts';
import {reviewing} from '../../domain/support/stages.ts';
import {compareGolden} from './compare-golden.ts';
import {
  done,
  type Fixture,
  happen,
  nothingYet,
  open,
  planned,
  planning,
  press,
  type,
  withNotes,
} from './fixtures.ts';
import {needing} from './need-fixtures.ts';
import {atPlan, atPlanOf, drawn, sizes, text} from './plan-fixtures.ts';

/** What of the plan is on the screen at one place of the cursor after the other. */
function readThrough(fixture: Fixture): string {
  const count = selectPlanScreen(fixture.model, fixture.state)!.entries.length;
  const seen: string[] = [];
  press(fixture, 'home');
  for (let index = 0; index < count; index++) {
    seen.push(text(fixture));
    press(fixture, 'down');
  }

  return seen.join('\n');
}

for (const size of sizes)
  describe(`at ${size.columns}×${size.rows}:`, () => {
    test('a plan', () => {
      compareGolden('plan', atPlan(size));
    });

    test('its end, with notes about the repository', () => {
      const harness = planned();
      const fixture = open(withNotes(harness.state), harness.time + 60_000, size);
      press(fixture, 'enter', 'p', 'G');
      compareGolden('plan-end', fixture);
    });

    test('a comment is written below its line, another one stands there', () => {
      const fixture = atPlan(size);
      press(fixture, 'down', 'c');
      type(fixture, 'Why in this task?');
      press(fixture, 'enter', 'down', 'c');
      type(fixture, 'Without the token, surely');
      compareGolden('plan-commenting', fixture);
    });

    test('every word of a long plan can be brought into view', () => {
      const series = (name: string, count: number): string =>
        Array.from({length: count}, (_, index) => `${name}${index}`).join(' ');
      const fixture = atPlanOf(
        {
          problem: series('problem', 400),
          risks: [series('risk', 150)],
          tasks: [
            plannedTask('t1', {
              title: series('title', 12),
              brief: `${series('brief', 300)}\n${series('second', 20)}`,
              files: Array.from({length: 60}, (_, index) => `src/folder/file-${index}.ts`),
              skill: 'careful',
            }),
          ],
        },
        size,
      );
      const all = new Set(readThrough(fixture).split(/[\s│╭╮╯╰]+/));
      const expected = [
        ['problem', 400],
        ['risk', 150],
        ['title', 12],
        ['brief', 300],
        ['second', 20],
      ] as const;
      for (const [name, count] of expected)
        for (let index = 0; index < count; index++)
          assert.ok(all.has(`${name}${index}`), `${name}${index}`);
      for (let index = 0; index < 60; index++)
        assert.ok(all.has(`src/folder/file-${index}.ts`), `file ${index}`);
      assert.ok(all.has('careful'));
    });
  });

describe('the decision bar', () => {
  test('has the ways on and what follows; a click on one equals its key', () => {
    const {rows, places} = drawn(atPlan());
    assert.match(
      rows.at(-3) ?? '',
      /^ A approve and start {5}c comment on this {5}e edit in \$EDITOR {5}X send back with a reason$/,
    );
    assert.match(rows.at(-2) ?? '', /^ 2 workers start at once, each in its own worktree\./);
    assert.ok(
      places.some(
        ({region, rect}) =>
          region.kind === 'target' &&
          region.target.type === 'action' &&
          region.target.action === 'approve' &&
          rect.row === 37,
      ),
    );
  });

  test('says how much is below what is in view', () => {
    const fixture = atPlan({columns: 80, rows: 24});
    happen(fixture, {
      type: 'viewports-changed',
      viewports: {plan: {rows: 19, content: 44, top: 0, items: 6}},
    });
    assert.match(drawn(fixture).rows.at(-2) ?? '', /25 lines below$/);
  });

  test('takes the reason for sending the plan back', () => {
    const fixture = atPlan();
    press(fixture, 'X');
    type(fixture, 'Too large');
    const {rows} = drawn(fixture);
    assert.match(rows.at(-3) ?? '', /^ Reason: Too large$/);
    assert.match(rows.at(-2) ?? '', /^ The planner plans again with it\./);
    assert.match(rows.at(-1) ?? '', /^ Enter send {2}Esc cancel/);
  });

  test('names the comments that go back with the plan', () => {
    const fixture = atPlan();
    press(fixture, 'down', 'c');
    type(fixture, 'Why?');
    press(fixture, 'enter');
    assert.match(drawn(fixture).rows.at(-2) ?? '', /1 comment · X sends the plan back with it/);
    press(fixture, 'X');
    assert.equal(fixture.model.field?.label, 'Reason (optional)');
  });

  test('is not there for a plan that is approved', () => {
    const harness = done();
    const fixture = open(harness.state, harness.time, {columns: 120, rows: 40});
    press(fixture, 'enter', 'p');
    assert.doesNotMatch(text(fixture), /approve and start|send back/);
    assert.match(text(fixture), /What you approved/);
  });
});

test('hashes have ten characters, and the tree that stayed the same is named', () => {
  const harness = reviewing();
  const {stage} = selectRun(harness.state, 'r1')!;
  assert.ok(stage.at === 'reviewing');
  const shown = text(atPlan({columns: 160, rows: 45}, harness));
  assert.match(
    shown,
    new RegExp(`The planner changed nothing: tree ${stage.proposal.tree!.slice(0, 10)}`),
  );
  assert.match(text(atPlan()), /plan {2}3f2a9c01d4 /);
});

test('files that two tasks may change at once are named', () => {
  const fixture = atPlanOf({
    tasks: [
      plannedTask('t1', {title: 'One', files: ['src/shared.ts', 'src/a.ts']}),
      plannedTask('t2', {title: 'Two', files: ['src/shared.ts']}),
    ],
  });
  assert.match(text(fixture), /2 files, 1 twice/);
  assert.match(text(fixture), /src\/shared\.ts is in tasks 1, 2, which may run at once/);
});

test('an approval that no longer holds is asked for again, in plain words', () => {
  const fixture = atPlan();
  const run = selectRun(fixture.state, 'r1')!;
  assert.ok(run.stage.at === 'reviewing');
  assert.doesNotMatch(text(fixture), /Please approve again/);
  fixture.state = {
    ...fixture.state,
    runs: withLedgerEntry(fixture.state.runs, 1, {
      ...run,
      stage: {...run.stage, voided: 'rules-changed'},
    }),
  };
  assert.match(text(fixture), /The rules changed\. Please approve again\./);
});

test('notes about the repository are announced above the plan', () => {
  const harness = planned();
  const fixture = open(withNotes(harness.state), harness.time, {columns: 120, rows: 40});
  press(fixture, 'enter', 'p');
  assert.match(drawn(fixture).rows[2] ?? '', /^ ! 2 notes about the repository below the plan/);
});

describe('without a plan:', () => {
  test('before the first objective', () => {
    const {state, now} = nothingYet();
    const fixture = open(state, now);
    press(fixture, 'escape', 'p');
    assert.match(text(fixture), /No plan yet\. {2}o says what should be different/);
  });

  test('while it is planned', () => {
    const harness = planning();
    const fixture = open(harness.state, harness.time);
    press(fixture, 'enter', 'p');
    assert.match(text(fixture), /The planner reads .* writes the plan\.\s+w shows it at work/);
  });

  test('after planning failed', () => {
    const fixture = open(needing('planless'), 65_000);
    press(fixture, 'enter', 'p');
    assert.match(text(fixture), /Planning failed\. {2}n shows why and what you can do/);
  });

  test('in the queue', () => {
    const harness = planning();
    const run = selectRun(harness.state, 'r1')!;
    const state = {
      ...harness.state,
      runs: withLedgerEntry(harness.state.runs, 1, {...run, stage: {at: 'queued'} as const}),
    };
    const fixture = open(state, harness.time);
    press(fixture, 'enter', 'p');
    assert.match(text(fixture), /it waits in the queue\. {2}w shows what runs before it/);
  });

  test('after it is over', () => {
    const harness = planned();
    const fixture = atPlan(undefined, harness);
    userCommand(harness, {type: 'discard', what: 'r1'});
    fixture.state = harness.state;
    happen(fixture, {type: 'event-heard', event: harness.events.at(-1)!});
    assert.match(text(fixture), /Over: it is discarded\. {2}t shows what happened/);
  });
});

test('hostile text reaches no cell: escapes, controls and direction marks are shown or dropped', () => {
  const evil = '\u001B[31mred\u001B]0;title\u0007 \u202Eabc \u0000 wide 漢字';
  const fixture = atPlanOf({
    objective: evil,
    problem: evil,
    rootCause: evil,
    assumptions: [evil],
    invariants: [evil],
    risks: [evil],
    rejected: [{alternative: evil, reason: evil}],
    tasks: [
      plannedTask('t1', {title: evil, brief: evil, files: ['src/\u001B[2Jx'], tools: [evil]}),
    ],
    validation: [{name: 'evil\u001B[0m', command: evil}],
  });
  for (const size of sizes) {
    fixture.model = {...fixture.model, size};
    const seen = readThrough(fixture);
    assert.doesNotMatch(seen, /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E]/);
  }
});

test('a screen reader hears sentences, without frames and lanes', () => {
  const fixture = atPlan({columns: 80, rows: 40});
  fixture.model = {...fixture.model, isScreenReader: true};
  press(fixture, 'down');
  const shown = text(fixture);
  assert.match(shown, /chosen: Task 1 of 4: Share the refresh in flight\. Keep the promise/);
  assert.match(shown, /Task 4 of 4: Release\. After 2, 3\. Bump the version/);
  assert.match(shown, /They start in this order: 1 2 then 3 then 4/);
  assert.doesNotMatch(shown, /[●│╭╯├]/);
});

test('at 40×12 the two decisions have their keys, and the plan can be read', () => {
  const fixture = atPlan({columns: 40, rows: 12});
  assert.match(drawn(fixture).rows.at(-3) ?? '', /^ A approve {2}X send back {2}c comment/);
  press(fixture, 'down');
  assert.match(text(fixture), /▌ ● {5}1 {2}Share the refresh in/);
});

test('lanes fork, cross and join', () => {
  const fixture = atPlanOf({
    tasks: [
      plannedTask('t1'),
      plannedTask('t2'),
      plannedTask('t3', {after: ['t1']}),
      plannedTask('t4', {after: ['t1', 't2']}),
      plannedTask('t5', {after: ['t3', 't4', 't1']}),
    ],
  });
  assert.deepEqual(
    drawn(fixture).rows.flatMap(
      (row) => /^ {2}([●│├┤┴─╯ ]+) \d {2}Task/.exec(row)?.[1]?.trim() ?? [],
    ),
    ['●', '│ ●', '├─│─●', '├─● │', '●─┴─╯'],
  );
});

test('the chosen entry has the colour of the selection in every cell, also beside wrapped text', () => {
  const theme = themeFromPalette('overture', palettes.overture, {
    depth: 'full',
    paintsBackground: true,
  });
  const fixture = atPlan({columns: 80, rows: 24});
  press(fixture, 'down');
  const {cells, rows} = drawn(fixture, {theme});
  const behind = (row: number, column: number): number =>
    // The writer paints cells without a background in that of the theme.
    (cells.words[(row * cells.columns + column) * unitsPerCell + 2] ?? 0) & colourBits ||
    0x3_12_13_1c;
  for (const [row, line] of rows.entries()) {
    if (row < 2 || row > 20) continue;
    const colours = new Set(Array.from({length: 80}, (_, column) => behind(row, column)));
    assert.deepEqual([...colours], [line.startsWith('▌') ? 0x3_2b_32_52 : 0x3_12_13_1c], line);
  }
});

test('signs in ASCII', () => {
  const shown = text(atPlan(), {signs: 'ascii'});
  assert.match(shown, /o-' {3}4 {2}Release/);
  assert.match(shown, /1 2 > 3 > 4/);
});
