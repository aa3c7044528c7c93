import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {createModel, toUiState} from '../../../source/app/model/create-model.ts';
import {accept, readyStory} from './accepted-story.ts';
import {compareGolden} from './compare-golden.ts';
import {drawCells} from './draw.tsx';
import {answer, type Fixture, happen, open, press, repository} from './fixtures.ts';
import {evil, screenSizes} from './report-screens.ts';
import type {Harness} from '../../domain/support/harness.ts';
import {assertShown} from '../../support/shown.ts';

/** The person accepts, and the daemon does it. */
function accepting(
  harness: Harness,
  {size = {columns: 120, rows: 35}, keys = [] as readonly string[]} = {},
): Fixture {
  const fixture = open(harness.state, harness.time, size);
  press(fixture, 'w', ...keys);
  fixture.effects.length = 0;
  happen(fixture, {
    type: 'wish-granted',
    wish: {type: 'accept-run', run: 'r1', commit: 'c758968aaaa'},
    answer: {},
  });
  accept(harness);
  answerAccepted(fixture, harness);
  return fixture;
}

function answerAccepted(fixture: Fixture, harness: Harness): void {
  fixture.state = harness.state;
  fixture.now = harness.time;
  happen(fixture, {
    type: 'event-heard',
    event: harness.events.find(({type}) => type === 'run-accepted')!,
  });
}

function accepted(size?: {columns: number; rows: number}, title?: string): Fixture {
  const harness = readyStory(title);
  const fixture = accepting(harness, size === undefined ? {} : {size});
  answer(fixture, harness);
  return fixture;
}

function textOf({model, state, now}: Fixture): string {
  return drawCells(model, state, now).rows.join('\n');
}

describe('the card of an accepted run:', () => {
  for (const size of screenSizes)
    test(`at ${size.columns}×${size.rows}`, () => {
      compareGolden('accepted', accepted(size));
    });

  test('is shown once to the person who accepted it', () => {
    const harness = readyStory();
    const fixture = accepting(harness);
    assert.equal(fixture.model.screen, 'workers');
    answer(fixture, harness);
    assert.equal(fixture.model.screen, 'accepted');
    press(fixture, 'enter');
    assert.equal(fixture.model.screen, 'workers');
    answerAccepted(fixture, harness);
    answer(fixture, harness);
    assert.equal(fixture.model.screen, 'workers');
  });

  test('is not shown for a run that was accepted elsewhere', () => {
    const harness = readyStory();
    const fixture = open(harness.state, harness.time);
    press(fixture, 'w');
    fixture.effects.length = 0;
    accept(harness);
    answerAccepted(fixture, harness);
    assert.deepEqual(
      fixture.effects.filter(({type}) => type === 'ask'),
      [],
    );
    assert.match(fixture.model.notice?.text ?? '', /r1 is in main/);
  });

  test('comes too if the run is accepted before the answer to the command', () => {
    const harness = readyStory();
    const fixture = open(harness.state, harness.time);
    press(fixture, 'w');
    accept(harness);
    answerAccepted(fixture, harness);
    happen(fixture, {
      type: 'wish-granted',
      wish: {type: 'accept-run', run: 'r1', commit: 'c758968aaaa'},
      answer: {},
    });
    answer(fixture, harness);
    assert.equal(fixture.model.screen, 'accepted');
  });

  test('does not interrupt what is written', () => {
    const harness = readyStory();
    const fixture = accepting(harness, {keys: ['o']});
    assert.notEqual(fixture.model.field, undefined);
    answer(fixture, harness);
    assert.notEqual(fixture.model.screen, 'accepted');
    assert.notEqual(fixture.model.field, undefined);
  });

  test('is copied as Markdown, leads to the timeline of its run, and is not restored', () => {
    const fixture = accepted();
    press(fixture, 'y');
    const effect = fixture.effects.at(-1);
    assert.ok(
      effect?.type === 'copy' && effect.text.startsWith('### Stop refreshing tokens twice'),
    );
    assert.equal(toUiState(fixture.model).screen, 'workers');
    press(fixture, 't');
    assert.deepEqual([fixture.model.screen, fixture.model.run], ['timeline', 'r1']);
    press(fixture, 'escape');
    assert.equal(fixture.model.screen, 'accepted');
  });

  test('its keys can be clicked', () => {
    const {model, state, now} = accepted();
    const actions = drawCells(model, state, now).places.flatMap(({region}) =>
      region.kind === 'target' && region.target.type === 'action' ? [region.target.action] : [],
    );
    for (const action of ['new-objective', 'screen-timeline', 'copy-markdown'])
      assert.ok(actions.includes(action as never), action);
  });

  test('hostile text stays text, at every size', () => {
    for (const size of [...screenSizes, {columns: 40, rows: 12}]) {
      const fixture = accepted(size, evil);
      const card = fixture.model.answers.accepted!;
      fixture.model = {
        ...fixture.model,
        answers: {
          ...fixture.model.answers,
          accepted: {
            ...card,
            objective: evil,
            branch: evil,
            notes: evil,
            checks: [evil],
            commit: evil,
          },
        },
      };
      for (const row of textOf(fixture).split('\n')) assertShown(row);
    }
  });

  test('a screen reader hears sentences without frames and bars', () => {
    const fixture = accepted();
    fixture.model = {...fixture.model, isScreenReader: true};
    const text = textOf(fixture);
    assert.match(text, /Accepted: Stop refreshing tokens twice/);
    assert.match(text, /1 Cache price lookups for one second, merged, 2m17\./);
    assert.doesNotMatch(text, /[━═┄╭╮│─]/u);
  });

  test('without an answer there is a sentence', () => {
    const fixture = accepted();
    fixture.model = {
      ...createModel({size: fixture.model.size, repository, uiState: undefined}),
      screen: 'accepted',
      connection: {at: 'live'},
      remembered: undefined,
    };
    assert.match(textOf(fixture), /Reading the journal/);
  });
});
