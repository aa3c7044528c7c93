import assert from 'node:assert/strict';
import {test} from 'node:test';
import {findContradictions, parseRules} from '../../source/rules/index.ts';

const contradict: readonly (readonly [string, string])[] = [
  ['a `max-files: 3`', 'b `max-files: 8`'],
  ['a `max-lines: 80`', 'b `max-lines: 30`'],
  ['a `only: src/**`', 'b `protect: src/**`'],
  ['a `protect: src/**`', 'b `only: src/**`'],
  ['a `only: src/api/**`', 'b `protect: src/**`'],
  ['a `only: src/api`', 'b `protect: src`'],
  ['a `only: docs/**, src/a.ts`', 'b `forbid-path: src/`'],
  ['a `only: src/**/*.ts`', 'b `forbid-path: **/*.ts`'],
  ['a `only: {a,b}/**`', 'b `protect: {a,b}/**`'],
  ['a `only: src/**`', 'b `only: docs/**, test/**`'],
  ['Always use tabs.', 'Never use tabs!'],
  ['Do not add dependencies', 'Add dependencies.'],
  ['Don’t use default exports.', 'Use default exports.'],
];

for (const [earlier, later] of contradict) {
  test(`"${earlier}" wins against "${later}"`, () => {
    const found = findContradictions(parseRules(`# A\n- ${earlier}\n- ${later}`).value.rules);
    assert.deepEqual(
      found.map((one) => [one.earlier.number, one.later.number]),
      [['1.1', '1.2']],
    );
  });
}

const agree: readonly (readonly [string, string])[] = [
  ['a `max-files: 3`', 'b `max-lines: 8`'],
  ['a `max-files: 3`', 'b `max-files: 3`'],
  ['a `only: src/**`', 'b `protect: src/api/**`'],
  ['a `only: src/**`', 'b `protect: docs/**`'],
  ['a `only: src/**`', 'b `protect: **/*.sql`'],
  ['a `only: src/**`', 'b `protect: src/*`'],
  ['a `only: src/**`', 'b `protect: src/{*,*/*}`'],
  ['a `only: src/**`', 'b `forbid-path: src/?/**`'],
  ['a `only: src`', 'b `protect: src/*`'],
  ['a `only: src/**, docs/**`', 'b `only: src/**`'],
  ['a `only: src/**`', 'b `only: **/*.ts`'],
  ['a `protect: src/**`', 'b `protect: src/**`'],
  ['Use tabs.', 'Use spaces.'],
  ['Never use tabs.', 'Never use spaces.'],
  ['Always use tabs.', 'Use tabs.'],
];

for (const [one, other] of agree) {
  test(`"${one}" and "${other}" can both be kept`, () => {
    assert.deepEqual(findContradictions(parseRules(`# A\n- ${one}\n- ${other}`).value.rules), []);
  });
}
