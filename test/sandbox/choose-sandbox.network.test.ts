import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {Purpose} from '../../source/domain/index.ts';
import {
  chooseNetwork,
  chooseSandbox,
  networkOptions,
  networkRuleFor,
  networkSockets,
  type SandboxFacts,
} from '../../source/sandbox/index.ts';

const works: SandboxFacts = {
  at: 'works',
  name: 'bubblewrap',
  file: '/usr/bin/bwrap',
  isVerified: true,
  network: {at: 'works'},
};
const noNetwork: SandboxFacts = {
  ...works,
  network: {at: 'broken', said: 'Creating new namespace failed'},
};
const untried: SandboxFacts = {
  at: 'works',
  name: 'bubblewrap',
  file: '/usr/bin/bwrap',
  isVerified: true,
};
const none: SandboxFacts = {at: 'missing', name: 'bubblewrap'};

const choose = (
  rule: Parameters<typeof chooseNetwork>[0],
  use: 'auto' | 'required' | 'off',
  facts: SandboxFacts,
  own: readonly string[] = [],
): ReturnType<typeof chooseNetwork> =>
  chooseNetwork(rule, {use, facts, sandbox: chooseSandbox(use, facts), own});

test('where it can be kept, a rule is kept', () => {
  assert.equal(choose('none', 'auto', works).at, 'none');
  assert.deepEqual(choose({allow: ['a.b']}, 'required', works, ['model.example', 'a.b']), {
    at: 'allow',
    hosts: ['model.example', 'a.b'],
    words: 'a.b; for the agent itself: model.example, a.b. Nothing else.',
  });
  assert.equal(choose('all', 'required', noNetwork).at, 'all');
});

test('where it cannot be kept, required starts nothing and auto says so plainly', () => {
  for (const facts of [noNetwork, untried]) {
    for (const rule of ['none', {allow: []}] as const) {
      const required = choose(rule, 'required', facts);
      assert.equal(required.at, 'refused');
      assert.match(required.words, /Nothing starts/);
      const auto = choose(rule, 'auto', facts);
      assert.deepEqual([auto.at, 'isWeaker' in auto && auto.isWeaker], ['all', true]);
      assert.match(auto.words, /NOT restricted/);
    }
  }

  assert.match(choose('none', 'auto', none).words, /NOT restricted.*there is no sandbox/);
  assert.equal(choose('none', 'required', none).at, 'refused');
  assert.match(choose('none', 'off', works).words, /NOT restricted/);
});

test("each kind of session has its own rule; what is not named reaches all, and what is a person's own is never restricted", () => {
  const network = {planner: 'none', workers: {allow: ['w.x']}, checks: {allow: []}} as const;
  const rule = (purpose: Purpose['for']): unknown => networkRuleFor({network}, {for: purpose});
  assert.equal(rule('plan'), 'none');
  for (const worker of ['setup', 'attempt', 'takeover', 'shell'] as const)
    assert.equal(rule(worker), network.workers);
  assert.equal(rule('check'), network.checks);
  for (const own of ['person', 'service'] as const) assert.equal(rule(own), 'all');
  for (const purpose of ['plan', 'attempt', 'check'] as const)
    assert.equal(networkRuleFor({}, {for: purpose}), 'all');
});

test('what bubblewrap is told', () => {
  assert.deepEqual(networkOptions({isSupervised: false}), ['--unshare-net']);
  assert.deepEqual(networkOptions({isSupervised: true, filter: 4, variables: {A: 'b'}}), [
    '--unshare-net',
    '--die-with-parent',
    '--seccomp',
    '4',
    '--setenv',
    'A',
    'b',
  ]);
});

test('sockets that listen are hidden, but for abstract ones, those in hidden directories, and more than a machine has', () => {
  const {hidden} = networkSockets(
    ['@abstract', '/home/a/.ssh/cm', '/run/x', '/var/run/y', '/hidden/z', '/home/a/.ssh/cm'],
    ['/hidden'],
  );
  assert.deepEqual(hidden, ['/run', '/home/a/.ssh/cm']);
  assert.equal(
    networkSockets(
      Array.from({length: 1000}, (_, index) => `/s/${index}`),
      [],
    ).hidden.length,
    129,
  );
});
