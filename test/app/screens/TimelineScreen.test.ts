import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {accept, readyStory} from './accepted-story.ts';
import {compareGolden} from './compare-golden.ts';
import {draw, drawCells} from './draw.tsx';
import {answer, type Fixture, happen, open, press} from './fixtures.ts';
import {evil, screenSizes} from './report-screens.ts';
import {tokenStory} from '../../reports/runs/token-story.ts';
import {assertShown} from '../../support/shown.ts';

function timeline(size = {columns: 120, rows: 35}, keys: readonly string[] = []): Fixture {
  const {harness, now} = tokenStory();
  const fixture = open(harness.state, now, size);
  press(fixture, 'w', 't', ...keys);
  answer(fixture, harness);
  return fixture;
}

function rowsOf({model, state, now}: Fixture): readonly string[] {
  return drawCells(model, state, now).rows;
}

describe('the timeline:', () => {
  for (const size of screenSizes)
    test(`at ${size.columns}×${size.rows}`, () => {
      compareGolden('timeline', timeline(size));
    });

  test('bars are as wide as their share of the time, whatever the width', () => {
    const harness = readyStory();
    accept(harness);
    for (const columns of [100, 133, 160, 240]) {
      const fixture = open(harness.state, harness.time, {columns, rows: 40});
      press(fixture, 'w', 't');
      answer(fixture, harness);
      const {chart} = fixture.model.answers.timeline!;
      const rows = rowsOf(fixture);
      const row = rows.find((text) => text.includes('2 Export orders'))!;
      const clock = rows.find((text) => text.startsWith(' Tasks'))!;
      const [start, end] = [row.indexOf('━'), row.indexOf('✓')];
      const {segments} = chart!.tasks[1]!;
      // The clock at two whole minutes gives the scale.
      const [two, four] = [clock.indexOf('00:02'), clock.indexOf('00:04')];
      const cellOf = (at: number): number => two + ((at - 120_000) / 120_000) * (four - two);
      assert.ok(Math.abs(cellOf(segments[0]!.from) - start) <= 1.5, `${columns}: ${row}`);
      assert.ok(Math.abs(cellOf(segments.at(-1)!.to) - end) <= 1.5, `${columns}: ${row}`);
    }
  });

  test('a run that goes on has a tip; signs are ASCII where wanted', () => {
    const {model, state, now} = timeline();
    assert.match(rowsOf({...timeline()}).join('\n'), /3 Count refreshes .*━+┄+╸/);
    const ascii = draw(model, state, now, [], {signs: 'ascii'});
    assert.match(ascii, /3 Count refreshes .*=+\.+>/);
    assert.doesNotMatch(ascii, /[━═✗┄✓╸│]/u);
  });

  test('below 100 columns Tab goes from the chart to the events and back', () => {
    const fixture = timeline({columns: 80, rows: 24});
    const shows = (): readonly boolean[] => {
      const text = rowsOf(fixture).join('\n');
      return [text.includes('━ work'), text.includes('What happened')];
    };
    assert.deepEqual(shows(), [true, false]);
    press(fixture, 'tab');
    assert.deepEqual(shows(), [false, true]);
    press(fixture, 'tab');
    assert.deepEqual(shows(), [true, false]);
    // Enter plays nothing that is not on the screen.
    fixture.effects.length = 0;
    press(fixture, 'enter');
    assert.deepEqual([shows(), fixture.effects], [[false, true], []]);
  });

  test('where both fit, and where only the events fit, Tab does nothing', () => {
    for (const size of [
      {columns: 120, rows: 35},
      {columns: 80, rows: 20},
    ]) {
      const fixture = timeline(size);
      const before = fixture.model.timelinePart;
      press(fixture, 'tab');
      assert.equal(fixture.model.timelinePart, before);
    }
  });

  test('the cursor is on the latest event, moves, and follows a click', () => {
    const fixture = timeline();
    const chosen = (): string => rowsOf(fixture).find((row) => /^▌\d/.test(row)) ?? '';
    assert.match(chosen(), /asks you +Overwrite/);
    press(fixture, 'k');
    assert.match(chosen(), /work begins/);
    press(fixture, 'g');
    assert.match(chosen(), /you asked/);
    happen(fixture, {
      type: 'mouse-used',
      mouse: {
        action: 'press',
        button: 'left',
        row: 0,
        column: 0,
        ctrl: false,
        alt: false,
        shift: false,
      },
      target: {type: 'item', list: 'timeline', index: 8},
    } as never);
    assert.match(chosen(), /1 ✓ merged/);
    const {places} = drawCells(fixture.model, fixture.state, fixture.now);
    const clickable = places.filter(
      ({region}) => region.kind === 'target' && region.target.type === 'item',
    );
    assert.ok(clickable.every(({rect}) => rect.columns === 120));
    assert.equal(clickable.length, 15);
  });

  test('a long list is laid out only around the cursor', () => {
    const fixture = timeline();
    const {timeline: before} = fixture.model.answers;
    const [row] = before!.rows!;
    const rows = Array.from({length: 5000}, (_, index) => ({...row!, detail: `event ${index}`}));
    happen(fixture, {type: 'answered', name: 'timeline', value: {...before, rows}});
    press(fixture, 'G');
    const {places, rows: drawn} = drawCells(fixture.model, fixture.state, fixture.now);
    assert.ok(drawn.join('\n').includes('event 4999'));
    assert.ok(places.filter(({region}) => region.kind === 'item').length < 100);
  });

  test('days are told apart by a line', () => {
    const fixture = timeline();
    const {timeline: before} = fixture.model.answers;
    const rows = before!.rows!.map((row, index) => ({
      ...row,
      at: row.at + (index > 7 ? 86_400_000 : 0),
    }));
    happen(fixture, {type: 'answered', name: 'timeline', value: {...before, rows}});
    const text = rowsOf(fixture).join('\n');
    assert.match(text, /Thu 1 Jan 1970[\s\S]*Fri 2 Jan 1970/);
  });

  test('the answer of an older daemon has only sentences, and they are shown', () => {
    const fixture = timeline({columns: 120, rows: 50});
    const {entries, earlier} = fixture.model.answers.timeline!;
    happen(fixture, {type: 'answered', name: 'timeline', value: {entries, earlier}});
    assert.match(rowsOf(fixture).join('\n'), /r1\.t1 is merged/);
    press(fixture, 'G', 'enter');
    assert.equal(fixture.effects.at(-1)?.type, 'replay');
  });

  test('the last event of an accepted run opens its card', () => {
    const harness = readyStory();
    accept(harness);
    const fixture = open(harness.state, harness.time, {columns: 120, rows: 35});
    press(fixture, 'w', 't');
    answer(fixture, harness);
    press(fixture, 'G', 'enter');
    assert.equal(fixture.model.screen, 'accepted');
    press(fixture, 'escape');
    assert.equal(fixture.model.screen, 'timeline');
  });

  test('a screen reader hears a sentence for each row', () => {
    const fixture = timeline({columns: 140, rows: 35});
    fixture.model = {...fixture.model, isScreenReader: true};
    const text = rowsOf(fixture).join('\n');
    assert.match(
      text,
      /1 of 4: Share the refresh in flight: work 1h 00m, .*failed 1 time, merged\./,
    );
    assert.match(text, /chosen: 01:11:14, task 3: asks you, Overwrite/);
    assert.doesNotMatch(text, /[━═┄╸─]{2}/u);
  });

  test('no age stands in the list, and hostile text stays text', () => {
    assert.doesNotMatch(rowsOf(timeline()).join('\n'), /just now|ago\b/);
    const harness = readyStory(evil);
    for (const size of [...screenSizes, {columns: 40, rows: 12}]) {
      const fixture = open(harness.state, harness.time, size);
      press(fixture, 'w', 't');
      answer(fixture, harness);
      const {timeline: before} = fixture.model.answers;
      const rows = before!.rows!.map((row) => ({...row, words: evil, detail: evil, fact: evil}));
      happen(fixture, {type: 'answered', name: 'timeline', value: {...before, rows}});
      for (const row of rowsOf(fixture)) assertShown(row);
    }
  });
});
