import assert from 'node:assert/strict';
import {test} from 'node:test';
import {PromptStacks} from '../../../source/app/components/PromptStacks.tsx';
import type {PromptView} from '../../../source/app/select/cost-view.ts';
import {assertAscii, assertFits, assertSafe, hostile, paintText, rowsOf} from './render.tsx';

const prompt = (change: Partial<PromptView> = {}): PromptView => ({
  number: 1,
  attempt: 1,
  parts: [
    {name: 'rules', tokens: 400, isCut: false, full: 400},
    {name: 'summaries', tokens: 3200, isCut: true, full: 7400},
  ],
  tokens: 3600,
  budget: 6000,
  left: 2400,
  used: {input: 64_000, output: 5200},
  ...change,
});

test('says that it is read, and that nobody was told anything', () => {
  assert.match(rowsOf(<PromptStacks prompts={undefined} />, {columns: 60})[1] ?? '', /Reading/);
  assert.match(rowsOf(<PromptStacks prompts={[]} />, {columns: 60})[1] ?? '', /No agent has been/);
});

test('a prompt has its parts, its tokens, what was cut, and a legend', () => {
  const text = paintText(<PromptStacks prompts={[prompt()]} />, {columns: 160, rows: 45});
  assert.match(text, /tokens of the first prompt, of 6,000/);
  assert.match(text, /^ 1 +\S+ +3,600 +64k in, 5k out$/m);
  assert.match(text, /summaries cut to 3,200 of 7,400/);
  assert.match(text, /\S rules {2}\S summaries of earlier work {2}\S room left/);
});

test('tries of one task have ordinals, and different budgets no common one', () => {
  const prompts = [1, 2, 3, 4].map((attempt) => prompt({attempt, budget: 6000 + attempt}));
  const text = paintText(<PromptStacks prompts={prompts} />, {columns: 80});
  for (const ordinal of ['1st', '2nd', '3rd', '4th']) assert.ok(text.includes(ordinal), ordinal);
  assert.match(text, /tokens of the first prompt$/m);
});

test('a screen reader hears the parts', () => {
  assert.match(
    rowsOf(<PromptStacks prompts={[prompt()]} />, {isScreenReader: true}).join('\n'),
    /task 1: 3,600 of 6,000, rules 400, summaries 3,200\./,
  );
});

test('names of parts are foreign, the name of a property among them', () => {
  for (const name of [hostile, 'constructor']) {
    const prompts = [prompt({parts: [{name, tokens: 10, isCut: true, full: 20}]})];
    assertFits(<PromptStacks prompts={prompts} />, {widths: [60, 100]});
    if (name === hostile) assertSafe(<PromptStacks prompts={prompts} />, {columns: 80});
  }
});

test('fifty prompts over their budget stay in the box, in ASCII too', () => {
  const prompts = Array.from({length: 50}, (_, index) =>
    prompt({number: index + 1, tokens: 9000, left: 0}),
  );
  assertFits(<PromptStacks prompts={prompts} />, {rows: 130, widths: [60, 100]});
  assertAscii(<PromptStacks prompts={[prompt()]} />);
});
