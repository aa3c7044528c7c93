// What our context pack does to the tokens that a model reads: the same small task with and without
// it, from recorded transcripts; and three scripted tasks in our loop and in a bare one. With
// `-- --record` it plays the histories of test/knowledge/labelled again (needs `npm run build`).
import path from 'node:path';
import process from 'node:process';
import {readFileSync} from 'node:fs';
import {countTokens} from '../source/shared/index.ts';
import {instructionsFor, listedTools} from '../source/mcp/index.ts';
import {getPrompt, rulesText} from '../test/agents/real/support/prompts.ts';
import {getFaults, getSum} from './context/compare.ts';
import {compareLoops, requestsOfLoop} from './context/compare-loops.ts';
import {recordKnowledge} from './context/record-knowledge.ts';
import {readLog, scriptedTasks} from './context/scripted-tasks.ts';
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

const loops = scriptedTasks.map((task) => compareLoops(task, readLog(task)));
console.log(
  'Three tasks with scripted work and real checks: one failure, one repair, then green. Tokens in of all requests, without the instructions and tools of the agent.',
);
console.table(
  loops.map(({kind, log, firstFailure, bare, ours}) => ({
    task: kind,
    'whole log': log,
    'first failure': firstFailure,
    'bare loop': bare,
    ours,
    'times fewer': Math.round((bare / ours) * 10) / 10,
  })),
);
const bare = loops.reduce((sum, loop) => sum + loop.bare, 0);
const ours = loops.reduce((sum, loop) => sum + loop.ours, 0);
console.log(
  `Tokens in for each of ${loops.length} validated changes: ${Math.round(bare / loops.length)} in the bare loop, ${Math.round(ours / loops.length)} in ours: ${(bare / ours).toFixed(1)} times fewer.`,
);
// Both loops make as many requests, so that what the agent adds by itself hides most of it.
const {system = 0, tools = 0} = transcripts[0]?.requests[0] ?? {};
const own = loops.length * requestsOfLoop * (system + tools);
console.log(
  `With the ${system + tools} tokens of its own that ${transcripts[0]?.agent ?? 'the agent'} adds to each of ${requestsOfLoop} requests: ${Math.round((bare + own) / loops.length)} and ${Math.round((ours + own) / loops.length)}, ${((bare + own) / (ours + own)).toFixed(1)} times fewer.`,
);
if (process.argv.includes('--record'))
  for (const repository of ['shop', 'pipes'])
    console.log(`${repository}: ${await recordKnowledge(repository)} summaries recorded.`);
process.exitCode =
  placements.some((placement) => getFaults(placement, rulesText).length > 0) || bare < 3 * ours
    ? 1
    : 0;
