import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {test, type TestContext} from 'node:test';
import {
  createRunEnvironments,
  type RunEnvironments,
} from '../../../source/daemon/sessions/environments.ts';
import {selectRun, type State} from '../../../source/domain/index.ts';
import {createHarness, userCommand} from '../../domain/support/harness.ts';

type Fixture = {
  readonly directory: string;
  readonly environments: RunEnvironments;
  readonly state: () => State;
  readonly start: (variables: Readonly<Record<string, string>>) => void;
  readonly discard: (run: `r${number}`) => void;
  readonly again: () => RunEnvironments;
};

function fixture(t: TestContext): Fixture {
  const stateDirectory = mkdtempSync(path.join(os.tmpdir(), 'orchestra-environments-'));
  t.after(() => {
    rmSync(stateDirectory, {recursive: true, force: true});
  });
  const harness = createHarness();
  const again = (): RunEnvironments =>
    createRunEnvironments({
      stateDirectory,
      journal: 'j1',
      state: () => harness.state,
      log: () => undefined,
    });
  const environments = again();
  return {
    directory: path.join(stateDirectory, 'environments'),
    environments,
    again,
    state: () => harness.state,
    start: (variables) => {
      const environment = environments.keep(variables, 'shell');
      userCommand(harness, {
        type: 'start-run',
        request: {objective: 'x', worker: 'w', planner: 'p', queued: false},
        budget: {},
        environment,
      });
      environments.release(environment.hash);
    },
    discard: (run) => {
      userCommand(harness, {type: 'discard', what: run});
    },
  };
}

const filesIn = (directory: string): string[] =>
  readdirSync(directory).filter((name) => name !== 'key');

test('values are read back by any later daemon, and the same variables in another order are the same environment', (t) => {
  const {directory, environments, start, state, again} = fixture(t);
  start({PATH: '/bin', A_TOKEN: 'value-of-the-token', __proto__x: 'y'});
  assert.deepEqual(again().valuesOf(selectRun(state(), 'r1')!), {
    PATH: '/bin',
    A_TOKEN: 'value-of-the-token',
    __proto__x: 'y',
  });
  assert.equal(
    environments.keep({__proto__x: 'y', A_TOKEN: 'value-of-the-token', PATH: '/bin'}, 'shell').hash,
    selectRun(state(), 'r1')!.environment!.hash,
  );
  for (const name of readdirSync(directory))
    assert.equal(statSync(path.join(directory, name)).mode & 0o777, 0o600, name);
});

test('hashes depend on a key that is not in the journal, and on the name', (t) => {
  const [one, other] = [fixture(t), fixture(t)];
  const hash = ({environments}: Fixture, name: string): string =>
    environments.describe({[name]: '1'})[0]!.hash;
  assert.notEqual(hash(one, 'PIN'), hash(other, 'PIN'));
  assert.notEqual(hash(one, 'PIN'), hash(one, 'PIN2'));
  assert.equal(hash(one, 'PIN'), hash(one, 'PIN'));
});

test('what was changed, replaced by a link or lost is refused with the command, never used', (t) => {
  const {directory, start, state, again} = fixture(t);
  start({PATH: '/bin'});
  const file = path.join(directory, filesIn(directory)[0]!);
  const text = readFileSync(file, 'utf8');
  const rejected = (harm: () => void): void => {
    harm();
    assert.throws(() => again().valuesOf(selectRun(state(), 'r1')!), /orchestra env refresh r1/);
    rmSync(file, {force: true});
    writeFileSync(file, text, {mode: 0o600});
  };

  rejected(() => {
    writeFileSync(file, text.replace('/bin', '/evil'));
  });
  rejected(() => {
    writeFileSync(file, text.replace('"PATH"', '"LD_PRELOAD"'));
  });
  rejected(() => {
    writeFileSync(file, '{"variables":{"PATH":7}}');
  });
  rejected(() => {
    writeFileSync(file, '[]');
  });
  rejected(() => {
    rmSync(file);
  });
  rejected(() => {
    writeFileSync(`${file}.other`, text);
    rmSync(file);
    symlinkSync(`${file}.other`, file);
  });
  assert.deepEqual(again().valuesOf(selectRun(state(), 'r1')!), {PATH: '/bin'});
  rejected(() => {
    rmSync(path.join(directory, 'key'));
  });
});

test('a file goes when no run needs it, and not while it is on its way into the journal', (t) => {
  const {directory, environments, start, discard} = fixture(t);
  start({PATH: '/bin'});
  start({PATH: '/bin'});
  start({PATH: '/other'});
  assert.equal(filesIn(directory).length, 2);
  const pending = environments.keep({PATH: '/third'}, 'shell');
  environments.keep({PATH: '/third'}, 'shell');
  environments.sweep();
  assert.equal(filesIn(directory).length, 3);
  environments.release(pending.hash);
  environments.sweep();
  assert.equal(filesIn(directory).length, 3, 'somebody else still brings the same');
  environments.release(pending.hash);
  environments.sweep();
  assert.equal(filesIn(directory).length, 2);
  discard('r1');
  environments.sweep();
  assert.equal(filesIn(directory).length, 2, 'r2 has the same');
  discard('r2');
  discard('r3');
  writeFileSync(path.join(directory, 'j2-of-another-journal.json'), '{}');
  environments.sweep();
  assert.deepEqual(filesIn(directory), ['j2-of-another-journal.json']);
});

test('secrets among the values are known to a daemon that starts later, and stay known when the run is over', (t) => {
  const {start, discard, again} = fixture(t);
  start({PATH: '/bin', A_TOKEN: 'value-of-the-token'});
  const later = again();
  assert.deepEqual(later.secrets(), ['value-of-the-token']);
  discard('r1');
  later.sweep();
  assert.deepEqual(later.secrets(), ['value-of-the-token']);
});
