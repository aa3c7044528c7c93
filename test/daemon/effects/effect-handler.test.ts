import assert from 'node:assert/strict';
import path from 'node:path';
import {globSync, readFileSync} from 'node:fs';
import {test} from 'node:test';
import {redactObservation} from '../../../source/daemon/effects/effect-handler.ts';
import type {CheckResult, Observation} from '../../../source/domain/index.ts';

const secret = 'sk-1234567890abcdef1234';
const output = `the output has ${secret} in it`;
const red: CheckResult = {
  check: {name: 'test', command: 'npm test'},
  outcome: 'failed',
  firstFailure: output,
  failures: [output],
  touched: [],
};

/**
 * Every observation with text from an agent, a check, a hook or a process, on its way into the
 * journal.
 */
const observations: readonly Observation[] = [
  {type: 'agent-finished', task: 'r1.t1', attempt: 1, words: output, denied: [output]},
  {type: 'agent-gave-up', task: 'r1.t1', attempt: 1, words: output},
  {type: 'agent-failed', task: 'r1.t1', attempt: 1, words: output},
  {type: 'attempt-paused', task: 'r1.t1', attempt: 1, until: 1, words: output},
  {type: 'attempt-interrupted', task: 'r1.t1', attempt: 1, session: 's1', words: output},
  {type: 'planning-interrupted', run: 'r1', round: 1, words: output},
  {type: 'plan-invalid', run: 'r1', round: 1, problems: [output], words: output},
  {type: 'planner-failed', run: 'r1', round: 1, words: output},
  {type: 'conversation-lost', session: 's1', words: output},
  {type: 'agent-unavailable', words: output},
  {type: 'effect-failed', words: output},
  {type: 'check-finished', task: 'r1.t1', attempt: 1, on: 'change', result: red},
  {type: 'baseline-checked', run: 'r1', base: 'b', result: red},
  {type: 'baseline-recalled', run: 'r1', base: 'b', rules: 'r', plan: 'p', results: [red]},
  {type: 'merge-conflicted', task: 'r1.t1', paths: ['a'], hunks: output},
  {
    type: 'leftovers-found',
    processes: [{pid: 1, startTime: 1, bootId: 'b', command: output, because: 'x'}],
  },
  {type: 'accept-refused', run: 'r1', why: output},
];

for (const saw of observations) {
  test(`a secret in ${saw.type} does not reach the journal`, () => {
    const text = JSON.stringify(redactObservation(saw, [secret]));
    assert.ok(!text.includes(secret), text);
    assert.match(text, /the output has .* in it/);
  });
}

test('only the context of the daemon collects secrets: it knows the environments of runs and services, too', () => {
  const root = path.join(import.meta.dirname, '../../../source');
  const callers = globSync('daemon/**/*.ts', {cwd: root}).filter((file) =>
    readFileSync(path.join(root, file), 'utf8').includes('findSecrets('),
  );
  assert.deepEqual(callers.toSorted(), [
    'daemon/sessions/environments.ts',
    'daemon/startup/create-context.ts',
  ]);
});
