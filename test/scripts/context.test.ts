import assert from 'node:assert/strict';
import path from 'node:path';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {getFaults, getSum} from '../../scripts/context/compare.ts';
import {compareLoops, tokensIn} from '../../scripts/context/compare-loops.ts';
import {repeatedShare} from '../../scripts/context/repeated-lines.ts';
import {readLog, scriptedTasks} from '../../scripts/context/scripted-tasks.ts';
import type {Recordings} from '../../scripts/context/transcript.ts';
import {rulesText} from '../agents/real/support/prompts.ts';

const root = path.join(import.meta.dirname, '../..');
const {transcripts, placements} = JSON.parse(
  readFileSync(path.join(root, 'test/agents/goldens/context.json'), 'utf8'),
) as Recordings;

test('every agent had the rules as the first of our words, whole, in order, once', () => {
  assert.deepEqual(
    placements.map(({agent}) => agent),
    ['claude', 'codex', 'gemini', 'opencode', 'pi'],
  );
  assert.deepEqual(
    placements.flatMap((placement) => getFaults(placement, rulesText)),
    [],
  );
});

test('rules that are out of order, not on top, or there twice are found', () => {
  const lines = rulesText.split('\n');
  const [first = 0, second = 0] = lines.flatMap((line, index) =>
    /^\d+\.\d+ /.test(line) ? [index] : [],
  );
  const swapped = lines
    .with(first, lines[second] ?? '')
    .with(second, lines[first] ?? '')
    .join('\n');
  const placed = {agent: 'a', version: '1', in: 'prompt', text: rulesText, times: 1} as const;
  assert.deepEqual(getFaults(placed, rulesText), []);
  assert.match(
    getFaults({...placed, text: swapped}, rulesText).join('\n'),
    /do not begin with the rules\n.*is missing, or not in its place/,
  );
  assert.deepEqual(getFaults({...placed, text: `Hello.\n${rulesText}`}, rulesText), [
    'a: our words do not begin with the rules',
  ]);
  assert.deepEqual(getFaults({...placed, times: 2}, rulesText), ['a: the rules are there 2 times']);
});

test('the numbers in docs/context.md are those of the recorded transcripts', () => {
  const page = readFileSync(path.join(root, 'docs/context.md'), 'utf8');
  for (const transcript of transcripts) {
    const {requests, prompt, results, last, total} = getSum(transcript);
    assert.ok(
      page.includes(
        `| ${transcript.variant} | ${[requests, prompt, results, last, total].map((count) => count.toLocaleString('en')).join(' | ')} |`,
      ),
      transcript.variant,
    );
  }
});

test('every request carries everything before it', () => {
  // One token each: 1 + 2 + 3, then 4 + 5 + 6.
  assert.equal(tokensIn(['a', 'a'], 'a'), 21);
});

for (const scripted of scriptedTasks)
  test(`${scripted.kind}: at least three times fewer tokens than with whole logs`, () => {
    const {bare, ours, firstFailure, log} = compareLoops(scripted, readLog(scripted));
    assert.ok(firstFailure > 10 && firstFailure < 300 && log > 3000, `${firstFailure} of ${log}`);
    assert.ok(bare >= 3 * ours, `${bare} and ${ours}`);
  });

test('lines that a conversation has been given are counted, whatever their nonce and age', () => {
  const first = 'one\n<data abcdefgh1 x>\ntwo (git, 3 s ago)\n';
  const again = 'one\n<data zyxwvuts2 x>\n\ntwo (git, 9 s ago)\nthree\n';
  assert.deepEqual(repeatedShare([first]), {lines: 0, repeated: 0, share: 0});
  assert.deepEqual(repeatedShare([first, again]), {lines: 4, repeated: 3, share: 0.75});
});
