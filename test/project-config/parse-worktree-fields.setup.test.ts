import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {parseProject} from '../../source/project-config/index.ts';

describe('setup and baseline of the project file:', () => {
  const rows: readonly (readonly [string, object, readonly RegExp[]])[] = [
    ['setup: npm ci', {setup: 'npm ci'}, []],
    ['setup: {command: npm ci}', {setup: 'npm ci'}, []],
    ['setup: {command: npm ci, planner: true}', {setup: 'npm ci', plannerSetup: true}, []],
    ['setup: {command: npm ci, planner: off}', {setup: 'npm ci'}, []],
    ['setup: {planner: true}', {}, [/setup: expected a command.*nothing is set up/]],
    [
      'setup: {command: npm ci, planner: perhaps}',
      {setup: 'npm ci'},
      [/setup\.planner: expected true or false, got "perhaps"/],
    ],
    [
      'setup: {command: npm ci, worker: true}',
      {setup: 'npm ci'},
      [/setup\.worker: is not a field here/],
    ],
    ['setup: [npm ci]', {}, [/setup: expected a command, got a list/]],
    ['baseline: false', {baseline: false}, []],
    ['baseline: off', {baseline: false}, []],
    ['baseline: true', {baseline: true}, []],
    ['baseline: 3', {}, [/baseline: expected true or false, got 3.*checks are run on the base/]],
  ];
  for (const [text, expected, terms] of rows) {
    test(text, () => {
      const {
        value: {setup, plannerSetup, baseline},
        problems,
      } = parseProject(text);
      assert.deepEqual(
        {
          ...(setup === undefined ? {} : {setup}),
          ...(plannerSetup === undefined ? {} : {plannerSetup}),
          ...(baseline === undefined ? {} : {baseline}),
        },
        expected,
      );
      assert.equal(
        problems.length,
        terms.length,
        problems.map((problem) => problem.text).join('\n'),
      );
      for (const [index, pattern] of terms.entries()) assert.match(problems[index]!.text, pattern);
    });
  }
});
