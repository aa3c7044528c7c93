import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {parseReport} from '../../source/prompts/index.ts';
import {fc} from '../support/property.ts';
import {scaled} from '../support/scale.ts';

const nothing = {decisions: [], rejected: []};

function fenced(value: unknown): string {
  return `Done.\n\n\`\`\`json\n${typeof value === 'string' ? value : JSON.stringify(value)}\n\`\`\`\n`;
}

test('the last fenced block is the report', () => {
  const report = {
    rootCause: 'A race.',
    decisions: ['One promise.'],
    rejected: [{alternative: 'A lock', reason: 'Slow.'}],
  };
  assert.deepEqual(parseReport(`${fenced({rootCause: 'old'})}${fenced(report)}bye`), {
    value: report,
    problems: [],
  });
  assert.deepEqual(parseReport(fenced(report).replaceAll('\n', '\r\n')), {
    value: report,
    problems: [],
  });
  assert.deepEqual(parseReport(fenced({gaveUp: 'No access.'})), {
    value: {...nothing, gaveUp: 'No access.'},
    problems: [],
  });
});

test('what is said in another form is understood', () => {
  assert.deepEqual(
    parseReport(
      fenced({
        decisions: 'One.',
        rejected: ['A lock', {alternative: 'B'}, {reason: 'c'}, 3, null],
        rootCause: null,
        extra: 1,
      }),
    ).value,
    {
      decisions: ['One.'],
      rejected: [
        {alternative: 'A lock', reason: 'no reason given'},
        {alternative: 'B', reason: 'no reason given'},
      ],
    },
  );
});

const bad: readonly (readonly [name: string, output: string, problem: RegExp])[] = [
  ['nothing', '', /^1 Expected a report in a fenced block/],
  ['words', 'I did it.', /^1 Expected a report in a fenced block/],
  ['half a block', '```json\n{"rootCause": "a', /^1 Expected a report as JSON, but the string/],
  ['no JSON', fenced('rootCause: a'), /^1 Expected a report as JSON, but/],
  ['a list', fenced([1]), /^1 Expected a report as an object/],
  ['an empty report', fenced({}), /^1 Expected rootCause, decisions, rejected or gaveUp, got none/],
  ['a plan', fenced({problem: 'x', tasks: []}), /^1 Expected rootCause/],
  [
    'a prototype',
    fenced('{"__proto__": {"gaveUp": "x"}}'),
    /^1 Expected the fields of a report, got a name that is not allowed/,
  ],
  ['brackets without end', fenced('['.repeat(50_000)), /^1 Expected a report as JSON/],
];

describe('is no report, and harms nobody:', () => {
  for (const [name, output, problem] of bad) {
    test(name, () => {
      const {value, problems} = parseReport(output);
      assert.deepEqual(value, nothing);
      assert.match(problems.map(({line, text}) => `${line} ${text}`).join('\n'), problem);
    });
  }
});

test('a report is short, plain and without secrets', () => {
  const long = `\u001B[31m${'a'.repeat(5000)}\u202E`;
  const {value, problems} = parseReport(
    fenced({rootCause: long, decisions: Array.from({length: 30}, () => 'hunter2hunter2 \u0007')}),
    ['hunter2hunter2'],
  );
  assert.equal(value.rootCause, `${'a'.repeat(2000)}… (cut: 5006 characters in all)`);
  assert.deepEqual(
    value.decisions,
    Array.from({length: 20}, () => '[redacted] \\u{7}'),
  );
  assert.deepEqual(
    problems.map(({text}) => text),
    ['decisions: expected at most 20, got 30. The first 20 count.'],
  );
});

test('a report is found at the end of 50 MB', () => {
  assert.deepEqual(parseReport(`${'x'.repeat(50_000_000)}\n${fenced({rootCause: 'a'})}`).value, {
    ...nothing,
    rootCause: 'a',
  });
});

test('3,000 outputs are read, and nothing hidden gets out', () => {
  const member = fc.oneof(fc.string({unit: 'binary', maxLength: 20}), fc.jsonValue({maxDepth: 2}));
  const report = fc.record(
    {
      rootCause: member,
      decisions: fc.oneof(fc.array(member), member),
      rejected: fc.oneof(fc.array(fc.record({alternative: member, reason: member})), member),
      gaveUp: member,
    },
    {requiredKeys: []},
  );
  fc.assert(
    fc.property(
      fc.oneof(
        report.map((value) => fenced(value)),
        fc.string({unit: 'binary'}).map((text) => fenced(text)),
      ),
      (output) => {
        assert.doesNotMatch(
          JSON.stringify(parseReport(output)),
          /[\u0000-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2066-\u2069\uFEFF]|[\u{E0000}-\u{E007F}]|\p{Surrogate}/u,
        );
      },
    ),
    {numRuns: scaled(3000)},
  );
});
