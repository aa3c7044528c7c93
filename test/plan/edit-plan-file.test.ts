import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {formatPlanFile, parsePlanFile, planHash} from '../../source/plan/index.ts';
import {assertGolden} from '../support/golden.ts';
import {assertShown} from '../support/shown.ts';
import {fc} from '../support/property.ts';
import {randomPlans, samplePlan, toText} from './sample-plan.ts';
import {scaled} from '../support/scale.ts';

const context = {objective: 'x'};
const file = formatPlanFile(samplePlan);

test('the file for the editor explains each field', () => {
  assertGolden('plans/editable.yaml', file);
});

test('a file that was not changed is the same plan, with the same hash', () => {
  assert.deepEqual(parsePlanFile(file, context), {value: samplePlan, problems: []});
  assert.deepEqual(parsePlanFile(`\uFEFF${file.replaceAll('\n', '\r\n')}`, context), {
    value: samplePlan,
    problems: [],
  });
});

test('800 random plans come back as they were', () => {
  fc.assert(
    fc.property(randomPlans, (plan) => {
      const text = formatPlanFile(plan);
      assertShown(text);
      const {value, problems} = parsePlanFile(text, context);
      assert.deepEqual({value, problems}, {value: plan, problems: []});
      assert.equal(planHash(value!), planHash(plan));
    }),
    {numRuns: scaled(800)},
  );
});

test('a plan that no reader has seen is written down with everything visible', () => {
  const text = formatPlanFile({...samplePlan, problem: 'a\u202Eb\n# not a comment\ntasks: []'});
  assert.deepEqual(
    parsePlanFile(text, context).value?.problem,
    'a\\u{202e}b\n# not a comment\ntasks: []',
  );
});

const edits: readonly {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly line: number;
  readonly text: RegExp;
}[] = [
  {
    name: 'a number where a text belongs',
    from: 'id: t2',
    to: 'id: 7',
    line: lineOf('id: t2'),
    text: /^tasks\[1\]\.id: expected a text \(in single quotes/,
  },
  {
    name: 'an id that is used twice',
    from: 'id: t2',
    to: 'id: t1',
    line: lineOf('id: t2'),
    text: /"t1" is used more than once/,
  },
  {
    name: 'a task that waits for one that is not there',
    from: '- id: t1',
    to: '- id: t9',
    line: lineOf('      - t1'),
    text: /no task has the id "t1"/,
  },
  {
    name: 'a path that leaves the repository',
    from: '- docs/auth/**',
    to: '- ../secret',
    line: lineOf('- docs/auth/**'),
    text: /leaves its folder/,
  },
  {
    name: 'a field that is missing',
    from: 'brief: Add a counter.',
    to: 'grief: Add a counter.',
    line: lineOf('id: t3'),
    text: /^tasks\[2\]\.brief: is missing/,
  },
  {
    name: 'a command that is a sentence',
    from: 'command: npm test',
    to: 'command: make sure that it works',
    line: lineOf('command: npm test'),
    text: /is a sentence/,
  },
  {
    name: 'an alias',
    from: 'title: Release',
    to: 'title: *x',
    line: lineOf('title: Release'),
    text: /alias|Aliased|YAML/i,
  },
  {
    name: 'a tag',
    from: 'title: Release',
    to: 'title: !!binary aGk=',
    line: lineOf('title: Release'),
    text: /tags mean nothing here/,
  },
  {
    name: 'a tab as indentation',
    from: '  - id: t4',
    to: '\t- id: t4',
    line: lineOf('  - id: t4'),
    text: /tab/,
  },
  {
    name: 'a key that reaches too far',
    from: 'objective:',
    to: '__proto__:',
    line: lineOf('objective:'),
    text: /not allowed/,
  },
];

describe('what is wrong is named with its line in the file:', () => {
  for (const {name, from, to, line, text: message} of edits) {
    test(name, () => {
      const {value, problems} = parsePlanFile(file.replace(from, to), context);
      assert.equal(value, undefined);
      const problem = problems.find(({text}) => message.test(text));
      assert.ok(problem !== undefined, JSON.stringify(problems));
      assert.equal(problem.line, line);
      assert.equal(problem.level, 'error');
    });
  }
});

test('a repeated field and an unknown one are warnings; the plan counts', () => {
  const {value, problems} = parsePlanFile(`${file}\nextra: 1\nrisks: []\n`, context);
  assert.deepEqual(value, {...samplePlan, risks: []});
  assert.deepEqual(
    problems.map(({level, line}) => [level, line]),
    [
      ['warning', lineOf('', file) + 1],
      ['warning', lineOf('', file) + 2],
    ],
  );
});

test('an empty file, or one of comments alone, is reported and changes nothing', () => {
  for (const text of ['', '\n\n', '# nothing\n  # left\n']) {
    assert.match(
      parsePlanFile(text, context).problems[0]!.text,
      /got an empty file\. Nothing was changed/,
    );
  }
});

test('what is not a plan at all is refused: a list, a word, two documents, a megabyte, brackets without end', () => {
  for (const text of [
    '- a',
    'word',
    'a: 1\n---\nb: 2',
    'x'.repeat(2_000_000),
    '['.repeat(5000),
    `a: ${'['.repeat(30)}${']'.repeat(30)}`,
    '? [a]\n: b',
  ]) {
    const {value, problems} = parsePlanFile(text, context);
    assert.equal(value, undefined);
    assert.ok(problems.length > 0 && problems.every(({text: sentence}) => sentence.endsWith('.')));
  }
});

test('800 texts that look like YAML are read without an exception, and every problem lies inside the file', () => {
  fc.assert(
    fc.property(toText(300), fc.nat(file.length), (piece, at) => {
      for (const text of [piece, file.slice(0, at) + piece + file.slice(at)]) {
        const {value, problems} = parsePlanFile(text, context);
        const lines = text.split(/\r\n?|\n/).length;
        assert.equal(
          value === undefined,
          problems.some(({level}) => level === 'error'),
        );
        for (const problem of problems) {
          assertShown(problem.text);
          assert.ok(problem.line >= 1 && problem.line <= lines, `line ${problem.line} of ${lines}`);
        }
      }
    }),
    {numRuns: scaled(800)},
  );
});

function lineOf(piece: string, text = formatPlanFile(samplePlan)): number {
  return piece === ''
    ? text.split('\n').length
    : text.slice(0, text.indexOf(piece)).split('\n').length;
}
