import assert from 'node:assert/strict';
import {test} from 'node:test';
import {findSandbox, toSandboxFacts} from '../../source/sandbox/index.ts';

const kernel = {isContainer: false, userNamespaces: 'allowed'} as const;
const failed = {
  ...kernel,
  file: '/usr/bin/bwrap',
  succeeded: false,
  said: 'bwrap: setting up uid map: Permission denied\nmore\n',
};

test('Linux could have bubblewrap, macOS its own sandbox, others none', () => {
  assert.equal(findSandbox('linux')?.command, 'bwrap');
  assert.equal(findSandbox('linux')?.isVerified, true);
  assert.equal(findSandbox('darwin')?.command, 'sandbox-exec');
  assert.equal(findSandbox('darwin')?.isVerified, false);
  assert.equal(findSandbox('win32'), undefined);
});

test('the trial of bubblewrap makes everything read-only and runs a program that does nothing', () => {
  assert.equal(
    findSandbox('linux')?.trial.join(' '),
    '--unshare-user --cap-drop ALL --ro-bind / / --dev /dev -- /usr/bin/env --default-signal=INT true',
  );
});

test('a trial that succeeded is a sandbox that works', () => {
  assert.deepEqual(toSandboxFacts(findSandbox('linux'), {...failed, succeeded: true}), {
    at: 'works',
    name: 'bubblewrap',
    file: '/usr/bin/bwrap',
    isVerified: true,
  });
});

test('without the program it is missing, with how to get it', () => {
  assert.deepEqual(toSandboxFacts(findSandbox('linux'), {...kernel, succeeded: false, said: ''}), {
    at: 'missing',
    name: 'bubblewrap',
    installation: 'the package bubblewrap (apt, dnf, pacman, apk)',
  });
  assert.deepEqual(toSandboxFacts(findSandbox('darwin'), {...kernel, succeeded: false, said: ''}), {
    at: 'missing',
    name: 'sandbox-exec',
  });
});

test('a platform without a sandbox has none', () => {
  assert.deepEqual(toSandboxFacts(findSandbox('win32'), {...kernel, succeeded: false, said: ''}), {
    at: 'none',
  });
});

for (const [why, seen] of [
  ['user-namespaces-off', {userNamespaces: 'off', isContainer: true}],
  ['container', {userNamespaces: 'allowed', isContainer: true}],
  ['apparmor', {userNamespaces: 'restricted', isContainer: false}],
  ['unknown', {userNamespaces: 'allowed', isContainer: false}],
] as const) {
  test(`a failed trial is explained: ${why}`, () => {
    assert.deepEqual(toSandboxFacts(findSandbox('linux'), {...failed, ...seen}), {
      at: 'broken',
      name: 'bubblewrap',
      file: '/usr/bin/bwrap',
      why,
      said: 'bwrap: setting up uid map: Permission denied',
    });
  });
}
