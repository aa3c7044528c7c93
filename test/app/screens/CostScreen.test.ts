import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import type {ContextAudit} from '../../../source/reports/index.ts';
import {compareGolden} from './compare-golden.ts';
import {draw, drawCells} from './draw.tsx';
import {
  answer,
  audit,
  auditOfMany,
  auditOfTools,
  type Fixture,
  happen,
  nothingYet,
  open,
  press,
} from './fixtures.ts';
import {evil, screenSizes} from './report-screens.ts';
import {tokenStory} from '../../reports/runs/token-story.ts';
import {assertShown} from '../../support/shown.ts';

function cost(given: ContextAudit = auditOfRun(), size = {columns: 120, rows: 60}): Fixture {
  const {harness, now} = tokenStory();
  const fixture = open(harness.state, now, size);
  press(fixture, 'w', 'u');
  answer(fixture, harness);
  happen(fixture, {type: 'answered', name: 'audit', value: given});
  return fixture;
}

/** The audit with sessions of the run: `s3` and `s6` are two tries of task 1. */
function auditOfRun(): ContextAudit {
  const all = auditOfTools(tokenStory().now);
  const [plan, cut, other] = all.contexts;
  return {
    ...all,
    contexts: [plan!, {...cut!, session: 's3'}, {...cut!, session: 's6'}, other!],
    refused: [
      {session: 's3', about: 'r1.t1', host: 'example.com', port: 443, why: 'not-allowed', times: 3},
    ] as never,
  };
}

function textOf({model, state, now}: Fixture): string {
  return drawCells(model, state, now).rows.join('\n');
}

describe('the cost of a run:', () => {
  for (const size of screenSizes)
    test(`at ${size.columns}×${size.rows}`, () => {
      compareGolden('cost', cost(auditOfRun(), size));
    });

  test('in ASCII, every part has a sign of its own', () => {
    const {model, state, now} = cost();
    const text = draw(model, state, now, [], {signs: 'ascii'});
    assert.match(text, /plan +#+=+\++~+\.+ +2,900/);
    assert.doesNotMatch(text, /[━█▓▒░·✗]/u);
  });

  test('tries that failed end with their sign, and their share is told', () => {
    const text = textOf(cost());
    assert.match(text, /1 Share the refresh in flight +━+✗━+ +2 tries +13,000 +1,000/);
    assert.match(text, /tries that failed: 10k, 69 %/);
  });

  test('a prompt says which try it was for, and what was cut', () => {
    const text = textOf(cost());
    assert.match(text, /\n 1 +1st +█+▓+▒+░+▚+·* +5,900/);
    assert.match(text, /summaries cut to 3,200 of 7,400/);
  });

  test('each agent is summed up by its models', () => {
    const [first] = audit.contexts;
    const with9 = {...first!, session: 's9', model: 'opus-9', used: {input: 50, output: 50}};
    const text = textOf(
      cost(
        {...audit, contexts: [first!, {...first!, session: 's8'}, with9, with9]},
        {columns: 160, rows: 45},
      ),
    );
    assert.match(text, /claude {2}2 sessions +46k/);
    assert.match(text, /claude opus-9 {2}2 sessions +200/);
  });

  test('what tools cost and which hosts were refused stay reachable', () => {
    const text = textOf(cost());
    assert.match(
      text,
      /github +12,480 +━+ +41 tools, dearest create_pull_request_with_copilot \(912\)/,
    );
    assert.match(text, /delete_everything: its form is not an object/);
    assert.match(text, /Refused by the network rules[\s\S]*example\.com/);
    assert.match(textOf(cost(audit)), /What tools cost in every prompt: orchestra audit --tools/);
    assert.doesNotMatch(text, /just now|\bago\b/);
  });

  test('a small window scrolls to the end', () => {
    const fixture = cost(auditOfRun(), {columns: 80, rows: 24});
    assert.doesNotMatch(textOf(fixture), /Refused by the network rules/);
    fixture.model = {
      ...fixture.model,
      viewports: {audit: {rows: 21, content: 60, top: 0, items: 0}},
    };
    press(fixture, 'G');
    assert.match(textOf(fixture), /Refused by the network rules/);
  });

  test('forty sessions, and none, are shown', () => {
    const {model, state, now} = cost({...auditOfMany(), contexts: []});
    assert.match(
      drawCells(model, state, now).rows.join('\n'),
      /No agent has been told anything yet/,
    );
    assert.ok(textOf(cost(auditOfMany())).includes('By agent'));
    const empty = nothingYet();
    const fixture = open(empty.state, empty.now);
    fixture.model = {...fixture.model, screen: 'audit', field: undefined};
    assert.match(textOf(fixture), /Nothing was used yet\. o says what should be different\./);
  });

  test('is copied as a table in Markdown', () => {
    const fixture = cost();
    press(fixture, 'y');
    const effect = fixture.effects.at(-1);
    assert.ok(effect?.type === 'copy');
    assert.match(effect.text, /^### Cost: Stop refreshing tokens twice\n/);
    assert.match(effect.text, /\| 1 Share the refresh in flight \| 13,000 \| 1,000 \| – \|/);
  });

  test('a screen reader hears rows as sentences', () => {
    const fixture = cost();
    fixture.model = {...fixture.model, isScreenReader: true};
    const text = textOf(fixture);
    assert.match(text, /1 Share the refresh in flight: 13,000 in, 1,000 out, no price, 2 tries\./);
    assert.match(text, /task 1, 1st try: 5,900 of 6,000, rules 400, task 900/);
    assert.doesNotMatch(text, /[━█▓▒░╭│]/u);
  });

  test('whatever a server says of itself is text and stays in its place', () => {
    for (const size of [...screenSizes, {columns: 40, rows: 12}]) {
      const fixture = cost(
        {
          ...audit,
          contexts: audit.contexts.map((context) => ({
            ...context,
            agent: evil,
            parts: [{name: evil, tokens: 9, isCut: true, full: 99}],
          })),
          refused: [
            {session: evil, about: evil, host: evil, port: 1, why: 'not-allowed', times: 2},
          ] as never,
          tools: {
            at: 0,
            servers: [
              {
                name: evil,
                tokens: 7,
                tools: [{name: evil.repeat(9), tokens: 7}],
                problems: [evil.repeat(200), evil, evil, evil],
              },
            ],
          },
        },
        size,
      );
      for (const row of textOf(fixture).split('\n')) assertShown(row);
      if (size.rows === 60) assert.match(textOf(fixture), /and 2 more/);
    }
  });
});
