import assert from 'node:assert/strict';
import {test} from 'node:test';
import {evaluateChange, parseRules} from '../../../source/rules/index.ts';
import {without} from '../../../source/shared/index.ts';
import {ruleLines} from '../../../source/reports/summary/summary-parts.ts';

test('a rule that a check proves is left to that check, others by their verdict', () => {
  const rules = parseRules(
    [
      '# 1. Limits',
      '1. Keep the lock file. `protect: package-lock.json`',
      '2. Prefer small functions.',
      '# 2. Validation',
      '1. The tests pass. `test: npm test`',
      '2. Another of this name. `test: npm run more`',
    ].join('\n'),
  ).value;
  const judgement = evaluateChange({
    change: {tree: 'x', files: []},
    planned: [],
    rules,
    addedLines: [],
    links: [],
    required: [],
  });
  assert.deepEqual(ruleLines(judgement, rules), [
    '- kept: 1.1 Keep the lock file',
    '- not checkable: 1.2',
    '- left to checks: 2.1 (test)',
    '- not checkable: 2.2',
  ]);
  // Rules of an old journal name no check.
  const older = {...rules, rules: rules.rules.map((rule) => without(rule, 'check'))};
  assert.deepEqual(ruleLines(judgement, older).slice(1), ['- not checkable: 1.2; 2.1; 2.2']);
});
