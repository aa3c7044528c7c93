import assert from 'node:assert/strict';
import {test} from 'node:test';
import {selectRun} from '../../../source/domain/index.ts';
import {computeLayout, selectBodyRect} from '../../../source/app/model/compute-layout.ts';
import {type PlanRow, planScreenRows} from '../../../source/app/screens/plan-body.ts';
import {type Fixture, open, planned, press, withNotes} from './fixtures.ts';

/** Why a row takes no comment, by its kind. */
const reasons = {
  rule: /^A rule is no line of the plan.*\.rulesfile\.md/,
  check: /no line of the plan, so it takes no comment/,
  note: /no line of the plan, so it takes no comment/,
  none: /^There is no line of the plan here/,
};

test('a comment is on the line that is shown under the cursor, at any size; a row that is none refuses it with words, and takes none', () => {
  for (const size of [
    {columns: 80, rows: 24},
    {columns: 160, rows: 45},
    {columns: 60, rows: 15},
  ]) {
    const harness = planned();
    const fixture = open(withNotes(harness.state), harness.time, size);
    press(fixture, 'p');
    const all = screenRows(fixture);
    assert.deepEqual(
      new Set(all.flatMap(({of}) => of ?? [])),
      new Set(size.columns >= 130 ? ['note'] : ['note', 'check', 'rule']),
    );
    for (const [index, {line, of, row}] of all.entries()) {
      fixture.model = {
        ...fixture.model,
        field: undefined,
        notice: undefined,
        places: {...fixture.model.places, plan: {cursor: index, top: 0}},
      };
      press(fixture, 'c');
      const {field, notice} = fixture.model;
      const shown = row.map(({text}) => text).join('');
      if (line === undefined) {
        assert.equal(field, undefined, shown);
        assert.match(notice?.text ?? '', reasons[of ?? 'none'], shown);
      } else {
        assert.equal(field?.for.what === 'comment-plan' ? field.for.line : undefined, line, shown);
        const number = /^ *(\d+) /.exec(shown)?.[1];
        if (number !== undefined)
          assert.equal(Number(number), line, 'the number that stands there');
      }
    }
  }
});

test('behind the last row the cursor is on the last row', () => {
  const harness = planned();
  const fixture = open(harness.state, harness.time);
  press(fixture, 'p');
  press(fixture, 'end', 'c');
  assert.equal(fixture.model.field, undefined);
  assert.match(fixture.model.notice?.text ?? '', /rule is no line/);
  fixture.model = {
    ...fixture.model,
    places: {...fixture.model.places, plan: {cursor: 100_000, top: 0}},
  };
  press(fixture, 'c');
  assert.equal(fixture.model.field, undefined);
});

function screenRows({model, state}: Fixture): readonly PlanRow[] {
  const run = selectRun(state, 'r1')!;
  if (run.stage.at !== 'reviewing') return [];
  return planScreenRows(
    {model, state},
    run,
    selectBodyRect(computeLayout(model.size, model, state), 'plan'),
  );
}
