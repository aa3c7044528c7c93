// Text four times as long may take about four times as long. What would be quadratic takes sixteen
// times as long, and
// the limit lies between; no clock is compared with a fixed time.
import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {lintRules, parseRules} from '../../source/rules/index.ts';
import {parsePlan, parsePlanFromOutput} from '../../source/plan/index.ts';

const size = 60_000;
const max = 10;

const rules: Readonly<Record<string, (length: number) => string>> = {
  items: (length) => filled('- a\n', length),
  'items with directives': (length) =>
    filled('- Keep it. `protect: a/**, b`\n- Be brief. `only: b`\n', length),
  'one long word': (length) => `- ${filled('x', length)}`,
  'one long line of words': (length) => `- ${filled('retry ab ', length)}`,
  'nested items in one line': (length) => `${filled('- ', length)}a`,
  'nested items, each on its line': (length) =>
    Array.from({length: Math.sqrt(length)}, (_, depth) => `${'  '.repeat(depth)}- a\n`).join(''),
  'nested quotations': (length) => filled('>', length),
  'lazy lines of one item': (length) => `- a\n${filled('b\n', length)}`,
  'backticks of every length': (length) =>
    `- ${Array.from({length: Math.sqrt(length * 2)}, (_, run) => '`'.repeat(run)).join(' ')}`,
  'pairs of backticks': (length) => `- ${filled('`a` ', length)}`,
  'comments that are not closed': (length) => `- ${filled('a <!-- ', length)}`,
  'emphasis that is not closed': (length) => `- ${filled('*a_ ', length)}`,
  'spaces before the last word': (length) =>
    `# a${filled(' ', length / 2)}b\n- a${filled(' ', length / 2)}b`,
  'marks at the end of a heading': (length) => `# a ${filled('#', length)}b`,
  'a long title over many items': (length) =>
    `# ${filled('validation ', length / 2)}\n${filled('- a\n', length / 2)}`,
  sections: (length) => filled('# 1. Style\n- a\n# 2. Constraints\n- b\n', length),
  'checks of one name': (length) =>
    `# Validation\n${filled('- a `test: npm test || true`\n', length)}`,
  'one directive with many globs': (length) => `- a \`only: ${filled('a/**,', length)}a\``,
  contradictions: (length) =>
    filled('- Never do a.\n- Do a.\n- a `max-files: 1`\n- b `max-files: 2`\n', length),
  'combining marks': (length) => `- ${filled('\u0316\u0300', length / 2)}`,
  'hidden characters': (length) => filled('\u200B\u202E\n', length / 3),
  'letters without spaces': (length) => `- ${filled('漢字', length / 3)}`,
};

describe('reading and linting rules grows with the text:', () => {
  for (const [name, textOf] of Object.entries(rules)) {
    test(name, () => {
      assertGrowth(textOf, (text) => lintRules(parseRules(text)));
    });
  }
});

const plans: Readonly<Record<string, (length: number) => string>> = {
  'brackets that open': (length) => filled('[', length),
  'a list of numbers': (length) => `[${filled('1,', length)}1]`,
  'a long string': (length) => `{"problem": "${filled('a', length)}"}`,
  'a string that is not closed': (length) => `{"problem": "${filled('\\u0041', length)}`,
  'one key again and again': (length) => `{${filled('"a":1,', length)}"a":1}`,
  'members of a long key': (length) =>
    `{"${filled('k', length / 2)}":[${filled('1,', length / 2)}1]}`,
  'many keys': (length) =>
    `{${Array.from({length: length / 10}, (_, index) => `"k${index}":1`).join(',')}}`,
  'white space': (length) => `${filled(' \n', length)}{}`,
};

describe('reading a plan grows with the text:', () => {
  for (const [name, textOf] of Object.entries(plans)) {
    test(name, () => {
      assertGrowth(textOf, (text) => parsePlan(text, {objective: 'x'}));
    });
  }

  test('fences in the output of a planner', () => {
    assertGrowth(
      (length) => filled('```\n   ~~~~ json\n``` js\n', length),
      (text) => parsePlanFromOutput(text, {objective: 'x'}),
    );
  });
});

function filled(unit: string, length: number): string {
  return unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
}

/**
 * Counted in processor time, so that other work on the machine spoils little; and the best of
 * several counts.
 */
function assertGrowth(textOf: (length: number) => string, work: (text: string) => unknown): void {
  const [small, large] = [textOf(size), textOf(size * 4)];
  let ratio = Infinity;
  for (let round = 0; round < 5 && ratio > max; round += 1) {
    const [one, four] = [best(() => work(small)), best(() => work(large))];
    ratio = Math.min(ratio, four / Math.max(one, 1));
  }

  assert.ok(ratio <= max, `four times the text took ${ratio.toFixed(1)} times as long`);
}

function best(work: () => unknown): number {
  return Math.min(
    ...Array.from({length: 3}, () => {
      const start = process.cpuUsage();
      work();
      const {user, system} = process.cpuUsage(start);
      return (user + system) / 1000;
    }),
  );
}
