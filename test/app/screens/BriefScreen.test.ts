import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {buildBrief, buildBriefView} from '../../../source/reports/index.ts';
import {compareGolden} from './compare-golden.ts';
import {drawCells} from './draw.tsx';
import {answer, busy, type Fixture, happen, open, planning, press} from './fixtures.ts';
import {evil, screenSizes} from './report-screens.ts';
import {tokenStory} from '../../reports/runs/token-story.ts';
import {plannedTask} from '../../domain/support/samples.ts';
import {makeWorktree, sessionOfTask, startSession, working} from '../../domain/support/stages.ts';
import {report} from '../../domain/support/harness.ts';
import {assertShown} from '../../support/shown.ts';

function back(size = {columns: 120, rows: 35}): Fixture {
  const {harness, left, now} = tokenStory();
  const fixture = open(harness.state, now, size);
  answer(fixture, harness, left);
  return fixture;
}

function textOf({model, state, now}: Fixture): string {
  return drawCells(model, state, now).rows.join('\n');
}

describe('coming back:', () => {
  for (const size of screenSizes)
    test(`at ${size.columns}×${size.rows}`, () => {
      compareGolden('brief', back(size));
    });

  test('Enter opens the need under the cursor, which is the oldest at first', () => {
    const first = back();
    press(first, 'enter');
    assert.deepEqual([first.model.screen, first.model.need?.kind], ['needs', 'stopped']);
    press(first, 'escape');
    assert.equal(first.model.screen, 'brief');
    const second = back();
    press(second, 'j', 'enter');
    assert.deepEqual([second.model.screen, second.model.need?.kind], ['needs', 'question']);
  });

  test('on a merged task Enter leads to its pane', () => {
    const fixture = back();
    press(fixture, 'j', 'j', 'enter');
    assert.deepEqual([fixture.model.screen, fixture.model.selected], ['workers', 'r1.t1']);
  });

  test('what leads nowhere continues in Work; so do w, Space and Escape', () => {
    for (const keys of [['G', 'enter'], ['w'], ['space'], ['escape']]) {
      const fixture = back();
      press(fixture, ...keys);
      assert.equal(fixture.model.screen, 'workers', keys.join(' '));
      press(fixture, 'escape');
      assert.equal(fixture.model.screen, 'workers', 'no way leads back to the greeting');
    }
  });

  test('a click chooses, and on the chosen one it opens', () => {
    const fixture = back();
    const click = (index: number): void => {
      happen(fixture, {
        type: 'mouse-used',
        mouse: {action: 'press', button: 'left'},
        target: {type: 'item', list: 'brief', index},
      } as never);
    };
    click(1);
    assert.deepEqual([fixture.model.screen, fixture.model.places.brief.cursor], ['brief', 1]);
    click(1);
    assert.equal(fixture.model.need?.kind, 'question');
  });

  test('after less than ten minutes, and on the first visit, there is none', () => {
    const {harness, now} = tokenStory();
    const answerWith = (options: {since: number; isFirstVisit?: boolean}): Fixture => {
      const fixture = open(harness.state, now);
      assert.equal(fixture.model.screen, 'brief');
      happen(fixture, {
        type: 'answered',
        name: 'brief',
        value: {
          ...buildBrief(harness.state, harness.events, {since: options.since, now}),
          view: buildBriefView(harness.state, harness.events, {now, ...options}),
        },
      });
      return fixture;
    };
    assert.equal(answerWith({since: now - 9 * 60_000}).model.screen, 'workers');
    assert.equal(answerWith({since: now - 11 * 60_000}).model.screen, 'brief');
    assert.equal(answerWith({since: 0, isFirstVisit: true}).model.screen, 'workers');
  });

  test('if nothing happened, and if the daemon cannot say, there is none', () => {
    const harness = planning();
    const now = harness.time + 3_600_000;
    const fixture = open(harness.state, now);
    answer(fixture, harness, harness.time + 1);
    assert.equal(fixture.model.screen, 'workers');
    const unanswered = open(harness.state, now);
    happen(unanswered, {type: 'refused', name: 'brief', text: 'no such question'});
    assert.equal(unanswered.model.screen, 'workers');
  });

  test('who goes on before the answer comes is not brought back', () => {
    const {harness, left, now} = tokenStory();
    const fixture = open(harness.state, now);
    press(fixture, 'enter');
    assert.equal(fixture.model.screen, 'workers');
    answer(fixture, harness, left);
    assert.equal(fixture.model.screen, 'workers');
    press(fixture, 'b');
    answer(fixture, harness, now - 1000);
    assert.equal(fixture.model.screen, 'brief', 'asked for, it is shown without an absence');
    assert.match(textOf(fixture), /What happened so far\./);
  });

  test('needs are current: one that is settled meanwhile is gone', () => {
    const fixture = back();
    assert.match(textOf(fixture), /Needs you {2}2/);
    const {harness} = tokenStory();
    report(harness, {type: 'session-moved-on', session: sessionOfTask(harness, 'r1.t3')} as never);
    fixture.state = harness.state;
    assert.match(textOf(fixture), /Needs you {2}1/);
  });

  test('what runs has its track and what it does', () => {
    const harness = busy();
    const fixture = open(harness.state, harness.time + 900_000, {columns: 120, rows: 35});
    answer(fixture, harness);
    assert.match(
      textOf(fixture),
      /Running {2}1[\s\S]*● 1 Share the refresh in flight +━╸─ ─── ─── ───/,
    );
    assert.match(textOf(fixture), /1 goes on by itself\./);
  });

  test('an older daemon gives no view: needs and failures are shown all the same', () => {
    const {harness, left, now} = tokenStory();
    const fixture = back();
    happen(fixture, {
      type: 'answered',
      name: 'brief',
      value: buildBrief(harness.state, harness.events, {since: left, now}),
    });
    const text = textOf(fixture);
    assert.match(text, /You were away for 76 minutes\./);
    assert.match(text, /Needs you {2}2/);
  });

  test('a screen reader hears sentences, with the chosen one named', () => {
    const fixture = back();
    fixture.model = {...fixture.model, isScreenReader: true};
    const text = textOf(fixture);
    assert.match(text, /chosen: Say when a token is refreshed, stopped after 2 tries: test failed/);
    assert.doesNotMatch(text, /[━─╸✗✓]/u);
  });

  test('nothing is just now, and hostile text stays text', () => {
    assert.doesNotMatch(textOf(back()), /just now|\bago\b/);
    const harness = working([plannedTask('t1', {title: evil})]);
    makeWorktree(harness, 'r1.t1');
    startSession(harness, sessionOfTask(harness, 'r1.t1'));
    report(harness, {
      type: 'session-waiting',
      session: sessionOfTask(harness, 'r1.t1'),
      proof: 'proven',
      secret: false,
      question: evil,
    });
    for (const size of [...screenSizes, {columns: 40, rows: 12}]) {
      const fixture = open(harness.state, harness.time + 3_600_000, size);
      answer(fixture, harness);
      assert.equal(fixture.model.screen, 'brief');
      const {brief} = fixture.model.answers;
      const item = {about: evil, words: evil, ageMs: 1000};
      happen(fixture, {
        type: 'answered',
        name: 'brief',
        value: {
          ...brief,
          failed: [item],
          services: [item],
          view: {...brief!.view, trouble: [{at: 1, text: evil}], before: [{at: 1, text: evil}]},
        },
      });
      for (const row of textOf(fixture).split('\n')) assertShown(row);
    }
  });
});
