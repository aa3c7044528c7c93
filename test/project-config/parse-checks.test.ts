import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {parseProject} from '../../source/project-config/index.ts';

test('the reports of checks are a path, a glob or a list', () => {
  const {value, problems} = parseProject(
    "checks:\n  test:\n    report: 'build/**/*.xml'\n  lint: {report: [eslint.json, out/a.sarif]}\n",
  );
  assert.deepEqual(problems, []);
  assert.deepEqual(value.checks, [
    {name: 'test', report: ['build/**/*.xml']},
    {name: 'lint', report: ['eslint.json', 'out/a.sarif']},
  ]);
});

describe('what is wrong with a check is reported, and the others count:', () => {
  const cases: readonly (readonly [name: string, check: string, message: RegExp])[] = [
    ['a name with blanks', 'Unit Tests: {report: a.xml}', /expected the name of a check/],
    ['a command', 'unit: npm test', /expected fields, as in "unit: \{report: junit\.xml\}"/],
    ['no report', 'unit: {}', /expected "report:"/],
    ['an unknown field', 'unit: {reports: a.xml}', /Did you mean "report"\?/],
    ['a path that leads out', 'unit: {report: ../a.xml}', /checks\.unit\.report/],
    ['an absolute path', 'unit: {report: /tmp/a.xml}', /checks\.unit\.report/],
  ];
  for (const [name, check, message] of cases)
    test(name, () => {
      const {value, problems} = parseProject(`checks:\n  ${check}\n  lint: {report: a.json}\n`);
      assert.deepEqual(value.checks, [{name: 'lint', report: ['a.json']}]);
      assert.match(problems.map(({text}) => text).join('\n'), message);
    });
});
