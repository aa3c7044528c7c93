import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {ContextAudit} from '../../../source/reports/index.ts';
import {drawCells} from './draw.tsx';
import {answer, audit, happen, open, press} from './fixtures.ts';
import {tokenStory} from '../../reports/runs/token-story.ts';

function draw(given: ContextAudit, columns = 120): string {
  const {harness, now} = tokenStory();
  const fixture = open(harness.state, now, {columns, rows: 60});
  press(fixture, 'w', 'u');
  answer(fixture, harness);
  happen(fixture, {type: 'answered', name: 'audit', value: given});
  return drawCells(fixture.model, fixture.state, fixture.now).rows.join('\n');
}

const results = ['open', 'green', 'red'] as const;
const compared: ContextAudit = {
  ...audit,
  contexts: audit.contexts.map((context, index) =>
    context.for === 'attempt'
      ? {...context, attempt: 1, result: results[index] ?? 'open'}
      : context,
  ),
};

test('the cost of a run shows what tokens brought, by model and by part', () => {
  for (const columns of [60, 120]) {
    const text = draw(compared, columns);
    assert.match(text, /Validated per 1,000 tokens/);
    assert.match(text, /claude, its own choi\S* +0\.011 +1 of 1 green/);
    assert.match(text, /part summaries +0\.250 +1 of 1 green with it/);
  }
});

test('tokens that nobody reported are unknown', () => {
  const silent = compared.contexts.map((context) => ({...context, used: {input: 0, output: 0}}));
  assert.match(
    draw({...compared, contexts: silent}),
    /codex, its own choice +unknown +0 of 1 green, unknown tokens/,
  );
});

test('until an attempt has ended there is nothing to compare', () => {
  assert.doesNotMatch(draw(audit), /Validated per 1,000/);
});
