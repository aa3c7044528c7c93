import assert from 'node:assert/strict';
import {globSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';
import {withoutSecrets} from '../../source/daemon/perform/without-secrets.ts';
import type {CheckResult, Observation} from '../../source/domain/index.ts';

const secret = 'sk-1234567890abcdef1234';
const said = `it said ${secret} aloud`;
const red: CheckResult = {
  check: {name: 'test', command: 'npm test'},
  outcome: 'failed',
  firstFailure: said,
  failures: [said],
  touched: [],
};

/** Everything that an agent, a check, a hook or a process said, on its way into the journal. */
const observations: readonly Observation[] = [
  {type: 'agent-finished', task: 'r1.t1', attempt: 1, words: said, denied: [said]},
  {type: 'agent-gave-up', task: 'r1.t1', attempt: 1, words: said},
  {type: 'agent-failed', task: 'r1.t1', attempt: 1, words: said},
  {type: 'attempt-paused', task: 'r1.t1', attempt: 1, until: 1, words: said},
  {type: 'attempt-interrupted', task: 'r1.t1', attempt: 1, session: 's1', words: said},
  {type: 'planning-interrupted', run: 'r1', round: 1, words: said},
  {type: 'plan-invalid', run: 'r1', round: 1, problems: [said], words: said},
  {type: 'planner-failed', run: 'r1', round: 1, words: said},
  {type: 'conversation-lost', session: 's1', words: said},
  {type: 'agent-unavailable', words: said},
  {type: 'effect-failed', words: said},
  {type: 'check-finished', task: 'r1.t1', attempt: 1, on: 'change', result: red},
  {type: 'baseline-checked', run: 'r1', base: 'b', result: red},
  {type: 'baseline-recalled', run: 'r1', base: 'b', rules: 'r', plan: 'p', results: [red]},
  {type: 'merge-conflicted', task: 'r1.t1', paths: ['a'], hunks: said},
  {
    type: 'leftovers-found',
    processes: [{pid: 1, startTime: 1, bootId: 'b', command: said, because: 'x'}],
  },
  {type: 'accept-refused', run: 'r1', why: said},
];

for (const saw of observations) {
  test(`a secret in ${saw.type} does not reach the journal`, () => {
    const text = JSON.stringify(withoutSecrets(saw, [secret]));
    assert.ok(!text.includes(secret), text);
    assert.match(text, /it said .* aloud/);
  });
}

test('everybody asks the daemon what is secret: it knows the environments of runs and services, too', () => {
  const root = path.join(import.meta.dirname, '../../source');
  const owners = [
    'daemon/run-daemon.ts',
    'daemon/run-environments.ts',
    'daemon/service-environments.ts',
  ];
  const asking = globSync('daemon/**/*.ts', {cwd: root}).filter((file) =>
    readFileSync(path.join(root, file), 'utf8').includes('secretsOf('),
  );
  assert.deepEqual(asking.toSorted(), owners);
});
