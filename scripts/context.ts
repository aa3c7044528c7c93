// What our context pack does to the tokens that a model reads: the same small task with and without
// it, from recorded transcripts.
import path from 'node:path';
import process from 'node:process';
import {readFileSync} from 'node:fs';
import {countTokens} from '../source/shared/index.ts';
import {instructionsFor, listedTools} from '../source/mcp/index.ts';
import {getPrompt, rulesText} from '../test/agents/real/support/prompts.ts';
import {getFaults, getSum} from './context/compare.ts';
import type {Recordings} from './context/transcript.ts';

const {transcripts, placements} = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../test/agents/goldens/context.json'), 'utf8'),
) as Recordings;

const rows = transcripts.map((transcript) => {
  const {requests, prompt, results, last, total} = getSum(transcript);
  return {
    agent: `${transcript.agent} ${transcript.version}`,
    'our pack': transcript.variant,
    requests,
    prompt,
    'tool results': results,
    'context in the end': last,
    'tokens in': total,
  };
});
console.log(
  'The same task, with the turns of the model scripted. Tokens are counted in one way (cl100k) on what the real CLI sent.',
);
console.table(rows);
const getTotal = (variant: 'with' | 'without'): number =>
  transcripts
    .filter((transcript) => transcript.variant === variant)
    .reduce((sum, transcript) => sum + getSum(transcript).total, 0);
console.log(
  `Tokens in: ${getTotal('without')} without, ${getTotal('with')} with: ${Math.round((1 - getTotal('with') / getTotal('without')) * 100)} % fewer.`,
);

for (const role of ['planner', 'worker'] as const) {
  const tools = listedTools(role).map(({name, description, inputSchema}) => ({
    name,
    description,
    input_schema: inputSchema,
  }));
  console.log(
    `Our tools for a ${role}: ${countTokens(JSON.stringify(tools))} tokens in every prompt, and ${countTokens(instructionsFor(role))} of instructions. Its prompt: ${countTokens(getPrompt(role === 'planner' ? 'plan' : 'work', 'Greet everybody.'))}.`,
  );
}

console.table(
  placements.map((placement) => ({
    agent: `${placement.agent} ${placement.version}`,
    'rules are in': placement.in,
    'first of our words, whole, in order, once':
      getFaults(placement, rulesText).length === 0
        ? 'yes'
        : getFaults(placement, rulesText).join('; '),
  })),
);
process.exitCode = placements.some((placement) => getFaults(placement, rulesText).length > 0)
  ? 1
  : 0;
