import assert from 'node:assert/strict';
import {test} from 'node:test';
import {runOf} from '../../../source/domain/index.ts';
import {bodyRectOf, plotOf} from '../../../source/tui/model/plot-of.ts';
import {planScreenRows, type PlanRow} from '../../../source/tui/screens/plan-body.ts';
import {open, planned, press, withNotes, type Stage} from '../screens/scenes.ts';

test('a comment is on the line that is shown under the cursor, at any size; a row that is none refuses it with words, and takes none', () => {
  for (const size of [
    {columns: 80, rows: 24},
    {columns: 160, rows: 45},
    {columns: 60, rows: 15},
  ]) {
    const house = planned();
    const stage = open(withNotes(house.state), house.time, size);
    press(stage, 'p');
    const all = screenRows(stage);
    assert.deepEqual(
      new Set(all.flatMap(({of}) => of ?? [])),
      new Set(size.columns >= 130 ? ['note'] : ['note', 'check', 'rule']),
    );
    for (const [index, {line, of, row}] of all.entries()) {
      stage.model = {
        ...stage.model,
        field: undefined,
        notice: undefined,
        places: {...stage.model.places, plan: {cursor: index, top: 0}},
      };
      press(stage, 'c');
      const {field, notice} = stage.model;
      const shown = row.map(({text}) => text).join('');
      if (line === undefined) {
        assert.equal(field, undefined, shown);
        assert.match(
          notice?.words ?? '',
          of === 'rule'
            ? /^A rule is no line of the plan.*\.rulesfile\.md/
            : of === undefined
              ? /^There is no line of the plan here/
              : /no line of the plan, so it takes no comment/,
          shown,
        );
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
  const house = planned();
  const stage = open(house.state, house.time);
  press(stage, 'p');
  press(stage, 'end', 'c');
  assert.equal(stage.model.field, undefined);
  assert.match(stage.model.notice?.words ?? '', /rule is no line/);
  stage.model = {...stage.model, places: {...stage.model.places, plan: {cursor: 100_000, top: 0}}};
  press(stage, 'c');
  assert.equal(stage.model.field, undefined);
});

function screenRows({model, state}: Stage): readonly PlanRow[] {
  const run = runOf(state, 'r1')!;
  if (run.stage.at !== 'reviewing') return [];
  return planScreenRows({model, state}, run, bodyRectOf(plotOf(model.size, model, state), 'plan'));
}
