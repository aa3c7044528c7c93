import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {selectPlanScreen} from '../../../source/app/select/plan-screen.ts';
import {happen, open, planned, plannedAgain, press, type, withNotes} from './fixtures.ts';
import {atPlan, drawn, sizes} from './plan-fixtures.ts';

describe('the cursor', () => {
  test('is on entries; a click chooses one, and a second click comments on it', () => {
    const fixture = atPlan();
    const target = {type: 'item', list: 'plan', index: 2} as const;
    const place = drawn(fixture).places.find(
      ({region}) =>
        region.kind === 'target' && JSON.stringify(region.target) === JSON.stringify(target),
    );
    assert.ok(place !== undefined && place.rect.rows > 0);
    for (const cursor of [1, 2]) {
      happen(fixture, {
        type: 'mouse-used',
        mouse: {
          action: 'press',
          button: 'left',
          row: place.rect.row,
          column: place.rect.column,
          ctrl: false,
          alt: false,
          shift: false,
          code: 0,
        },
        target,
      });
      assert.equal(fixture.model.places.plan.cursor, 2, `click ${cursor}`);
    }

    assert.equal(fixture.model.field?.label, 'On task 2');
  });

  test('a comment goes to the line of its entry; what is no line of the plan refuses it with a reason', () => {
    const reasons = {
      rule: /^A rule is no line of the plan.*\.rulesfile\.md/,
      check: /^A check of the rules is no line of the plan/,
      note: /^A note about the repository is no line of the plan/,
    };
    for (const size of sizes) {
      const harness = planned();
      const fixture = open(withNotes(harness.state), harness.time, size);
      press(fixture, 'p');
      const {entries, hasColumn} = selectPlanScreen(fixture.model, fixture.state)!;
      assert.deepEqual(
        new Set(entries.map(({kind}) => kind)),
        new Set([
          'objective',
          'task',
          'why',
          'note',
          ...(hasColumn ? [] : (['check', 'rule'] as const)),
        ]),
      );
      for (const [index, entry] of entries.entries()) {
        fixture.model = {
          ...fixture.model,
          field: undefined,
          notice: undefined,
          places: {...fixture.model.places, plan: {cursor: index, top: 0}},
        };
        press(fixture, 'c');
        const {field, notice} = fixture.model;
        if (entry.item === undefined) {
          assert.equal(field, undefined, entry.id);
          assert.match(notice?.text ?? '', reasons[entry.kind as keyof typeof reasons], entry.id);
        } else {
          assert.ok(field?.for.what === 'comment-plan', entry.id);
          assert.deepEqual(
            [field.for.line, field.for.source],
            [entry.item.line, entry.item.source],
          );
        }
      }
    }
  });

  test('behind the last entry it is on the last entry', () => {
    const fixture = atPlan({columns: 80, rows: 24});
    fixture.model = {
      ...fixture.model,
      places: {...fixture.model.places, plan: {cursor: 100_000, top: 0}},
    };
    press(fixture, 'c');
    assert.equal(fixture.model.field, undefined);
    assert.match(fixture.model.notice?.text ?? '', /rule is no line/);
  });

  test("a check of the plan itself takes a comment, on the plan's own line", () => {
    const fixture = atPlan({columns: 80, rows: 24});
    const {entries} = selectPlanScreen(fixture.model, fixture.state)!;
    const at = entries.findIndex((entry) => entry.kind === 'check' && entry.item !== undefined);
    press(fixture, 'home', ...Array.from({length: at}, () => 'down'), 'c');
    assert.equal(fixture.model.field?.label, 'On check build');
  });
});

describe('the field of a comment', () => {
  test('has the terminal’s cursor, stays in view, and the last row has its keys', () => {
    for (const size of sizes) {
      const fixture = atPlan(size);
      press(fixture, 'G', 'up', 'c');
      if (fixture.model.field === undefined) press(fixture, 'home', 'down', 'c');
      type(fixture, 'Why?');
      const {places, rows} = drawn(fixture);
      const caret = places.filter(({region}) => region.kind === 'caret').at(-1);
      assert.ok(caret?.rect.rows === 1, `${size.columns}`);
      assert.match(rows[caret.rect.row] ?? '', /Why\?/);
      assert.match(rows.at(-1) ?? '', /^ Enter save {2}Esc cancel/);
    }
  });

  test('is in the last row once the plan is another one', () => {
    const harness = planned();
    const fixture = atPlan({columns: 80, rows: 24}, harness);
    press(fixture, 'c');
    type(fixture, 'Why?');
    plannedAgain(harness);
    fixture.state = harness.state;
    happen(fixture, {type: 'event-heard', event: harness.events.at(-1)!});
    assert.match(drawn(fixture).rows.at(-1) ?? '', /On the objective: Why\?/);
  });
});
