// Whatever the bytes, reading gives a value and problems with lines; it never throws and nothing
// hidden gets out.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  checkRules,
  formatRulesJson,
  formatRulesReport,
  lintRules,
  parseRules,
} from '../../source/rules/index.ts';
import {parsePlan, parsePlanFromOutput, planHash} from '../../source/plan/index.ts';
import {fc} from '../support/property.ts';
import {readGoldenInput} from '../support/golden.ts';
import {scaled} from '../support/scale.ts';

const context = {objective: 'Repair it.'};

/** Pieces that mean something to the reader of rules, and characters that mean trouble. */
const markdown = fc
  .array(
    fc.oneof(
      {
        weight: 5,
        arbitrary: fc.constantFrom(
          '- ',
          '* ',
          '1. ',
          '# ',
          '## ',
          '\n',
          '\n\n',
          '  ',
          '\t',
          '`',
          '``',
          '```\n',
          '~~~\n',
          '<!--',
          '-->',
          '> ',
          '---\n',
          '===\n',
          '|',
        ),
      },
      {
        weight: 5,
        arbitrary: fc.constantFrom(
          '`protect: src/**`',
          '`only: a, {b,c}/*`',
          '`max-files: 3`',
          '`forbid: /a+/i`',
          '`require: x`',
          '`test: npm test`',
          'Validation\n',
          'Style\n',
          'Never ',
          'a: b',
          ':',
          ',',
          '{',
          '*',
          '/',
        ),
      },
      {
        weight: 2,
        arbitrary: fc.constantFrom(
          '\u0000',
          '\u001B[31m',
          '\u202E',
          '\u200B',
          '\uFEFF',
          '\u{E0041}',
          '\u2028',
          '\uD800',
          'e\u0301',
          '😀',
        ),
      },
      fc.string({maxLength: 8, unit: 'binary'}),
    ),
    {maxLength: 30},
  )
  .map((pieces) => pieces.join('').replaceAll('\r', ''));

test('8,000 texts that look like rules are read, the same on every system', () => {
  fc.assert(
    fc.property(markdown, (text) => {
      const reading = parseRules(text);
      const lints = lintRules(reading);
      assertLinesInside(text, lints);
      assert.deepEqual(parseRules(text.replaceAll('\n', '\r\n')), reading);
      if (!text.startsWith('\uFEFF')) assert.deepEqual(parseRules(`\uFEFF${text}`), reading);
      assert.deepEqual(
        reading.value.rules.map(({line}) => line),
        reading.value.rules.map(({line}) => line).toSorted((a, b) => a - b),
      );
    }),
    {numRuns: scaled(8000)},
  );
});

test('2,000 checks of such texts print nothing that acts on a terminal', () => {
  fc.assert(
    fc.property(markdown, (text) => {
      const check = checkRules('x.md', text);
      assertShown(formatRulesReport(check));
      assertShown(formatRulesJson(check));
      assert.deepEqual(JSON.parse(formatRulesJson(check)), JSON.parse(JSON.stringify(check)));
    }),
    {numRuns: scaled(2000)},
  );
});

test('3,000 arrays of bytes are read as rules, as a plan and as the output of a planner', () => {
  fc.assert(
    fc.property(fc.uint8Array({maxLength: 200}), (bytes) => {
      assertLinesInside(new TextDecoder().decode(bytes), lintRules(parseRules(bytes)));
      assertPlanReading(new TextDecoder().decode(bytes), parsePlan(bytes, context));
      parsePlanFromOutput(`\`\`\`json\n${new TextDecoder().decode(bytes)}`, context);
    }),
    {numRuns: scaled(3000)},
  );
});

test('4,000 rules files with something changed in them are read', () => {
  const originals = ['design', 'titled', 'messy', 'findings'].map((name) =>
    readGoldenInput(`rules/${name}.md`).toString(),
  );
  fc.assert(
    fc.property(getMutations(originals), (text) => {
      assertLinesInside(text, lintRules(parseRules(text)));
    }),
    {numRuns: scaled(4000)},
  );
});

test('5,000 plans with something changed in them are refused with a reason, or valid and the same when read again', () => {
  fc.assert(
    fc.property(getMutations([readGoldenInput('plans/full.json').toString()]), (text) => {
      assertPlanReading(text, parsePlan(text, context));
    }),
    {numRuns: scaled(5000)},
  );
});

test('4,000 objects that resemble a plan are refused with a reason, or valid', () => {
  const word = fc.oneof(
    fc.string({maxLength: 10, unit: 'binary'}),
    fc.constantFrom(
      't1',
      't2',
      'src/a.ts',
      'Src/a.ts',
      '../x',
      '.git/x',
      'npm test',
      '',
      '\u202E',
      '__proto__',
    ),
  );
  const list = (member: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
    fc.oneof({weight: 8, arbitrary: fc.array(member, {maxLength: 3})}, fc.jsonValue({maxDepth: 1}));
  const task = fc.record(
    {
      id: fc.constantFrom('t1', 't2', 't3', 't0'),
      title: word,
      brief: word,
      files: list(word),
      after: list(word),
      services: list(word),
      skill: word,
    },
    {requiredKeys: ['id', 'title']},
  );
  const check = fc.record({name: word, command: word});
  const plan = fc.record(
    {
      problem: word,
      rootCause: word,
      risks: list(word),
      tasks: list(task),
      validation: list(check),
      other: fc.jsonValue(),
    },
    {requiredKeys: ['problem', 'rootCause', 'tasks']},
  );
  fc.assert(
    fc.property(
      plan.map((value) => JSON.stringify(value, undefined, 1)),
      (text) => {
        assertPlanReading(text, parsePlan(text, context));
      },
    ),
    {numRuns: scaled(4000)},
  );
});

/** One of the texts with a few pieces of it removed, repeated, moved or replaced. */
function getMutations(originals: readonly string[]): fc.Arbitrary<string> {
  const change = fc.record({
    at: fc.nat(4000),
    length: fc.nat(30),
    to: fc.nat(4000),
    kind: fc.constantFrom('remove', 'repeat', 'move', 'insert'),
    put: fc.oneof(
      fc.string({maxLength: 4, unit: 'binary'}),
      fc.constantFrom('"', '`', '{', '[', '\n', '\u202E', '- ', '#'),
    ),
  });
  return fc
    .tuple(fc.constantFrom(...originals), fc.array(change, {minLength: 1, maxLength: 3}))
    .map(([original, changes]) =>
      changes.reduce((text, {at, length, to, kind, put}) => {
        const [start, target] = [at % (text.length + 1), to % (text.length + 1)];
        const piece = text.slice(start, start + length);
        const rest = text.slice(0, start) + text.slice(start + length);
        if (kind === 'remove') return rest;
        if (kind === 'insert') return text.slice(0, start) + put + text.slice(start);
        const base = kind === 'move' ? rest : text;
        return base.slice(0, target) + piece + base.slice(target);
      }, original),
    );
}

function assertLinesInside(
  text: string,
  problems: readonly {readonly line: number; readonly text: string}[],
): void {
  const lines = text.split(/\r\n?|\n/).length;
  for (const problem of problems) {
    assert.ok(
      problem.line >= 1 && problem.line <= lines,
      `line ${problem.line} of ${lines}: ${problem.text}`,
    );
    assert.match(problem.text, /[.?]$/);
  }
}

function assertPlanReading(text: string, {value, problems}: ReturnType<typeof parsePlan>): void {
  assertLinesInside(text, problems);
  for (const problem of problems) assertShown(problem.text);
  assert.equal(
    value === undefined,
    problems.some(({level}) => level === 'error'),
  );
  if (value === undefined) return;
  const again = parsePlan(JSON.stringify(value), {objective: ''});
  assert.deepEqual(again, {value, problems: []});
  assert.equal(planHash(again.value), planHash(value));
}

function assertShown(text: string): void {
  assert.doesNotMatch(
    text,
    /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2066-\u2069\uFEFF]|[\u{E0000}-\u{E007F}]|\p{Surrogate}/u,
  );
}
