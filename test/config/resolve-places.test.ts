import assert from 'node:assert/strict';
import {test} from 'node:test';
import {getSocketPath, maxSocketPathBytes, resolvePlaces} from '../../source/config/index.ts';
import type {Environment} from '../../source/shared/index.ts';

function places(env: Environment, repository?: string): ReturnType<typeof resolvePlaces> {
  return resolvePlaces({env, uid: 1000, homedir: '/h/ada', repository});
}

test('without any setting everything lives under the home directory, with /tmp as the last resort', () => {
  assert.deepEqual(places({}), {
    stateHome: '/h/ada/.local/state/orchestra',
    runtimeDirectories: ['/h/ada/.local/state/orchestra/run', '/tmp/orchestra-1000'],
    tooLong: [],
  });
});

test('the XDG directories come first', () => {
  assert.deepEqual(places({XDG_STATE_HOME: '/state', XDG_RUNTIME_DIR: '/run/user/1000'}), {
    stateHome: '/state/orchestra',
    runtimeDirectories: ['/run/user/1000/orchestra', '/state/orchestra/run', '/tmp/orchestra-1000'],
    tooLong: [],
  });
});

test('a relative or empty XDG directory is ignored, as its specification demands', () => {
  assert.deepEqual(places({XDG_STATE_HOME: 'state', XDG_RUNTIME_DIR: ''}), places({}));
});

test('a repository is known by its folder and by the hash of its common directory', () => {
  assert.deepEqual(places({}, '/h/ada/code/My Project/.git').repository, {
    id: 'my-project-31a6dbfb91ca',
    stateDirectory: '/h/ada/.local/state/orchestra/my-project-31a6dbfb91ca',
    socketName: '31a6dbfb91ca.sock',
  });
});

test('two repositories with one name do not meet', () => {
  assert.notEqual(
    places({}, '/a/app/.git').repository?.id,
    places({}, '/b/app/.git').repository?.id,
  );
});

for (const [directory, slug] of [
  ['/x/app.git', 'app'],
  ['/x/super/.git/modules/lib', 'lib'],
  ['/x/Ünïcode/.git', 'n-code'],
  ['/x/日本/.git', 'repository'],
  [`/x/${'long-'.repeat(20)}/.git`, 'long-long-long-long-long-long-long-long'],
] as const) {
  test(`${directory} is called ${slug}`, () => {
    assert.equal(places({}, directory).repository?.id.replace(/-[0-9a-f]{12}$/, ''), slug);
  });
}

test('a directory that is too long for a socket is left out, and said to be', () => {
  const long = `/run/${'é'.repeat(100)}`;
  assert.deepEqual(places({XDG_RUNTIME_DIR: long}).tooLong, [`${long}/orchestra`]);
  assert.equal(
    places({XDG_RUNTIME_DIR: long}).runtimeDirectories[0],
    '/h/ada/.local/state/orchestra/run',
  );
});

test('a long directory that would not have been used anyway is not mentioned', () => {
  assert.deepEqual(
    places({XDG_RUNTIME_DIR: '/run/user/1000', XDG_STATE_HOME: `/${'x'.repeat(200)}`}).tooLong,
    [],
  );
});

test('every directory that is offered has room for the longest socket name', () => {
  for (let length = 1; length < 120; length++) {
    for (const directory of places({XDG_RUNTIME_DIR: `/${'r'.repeat(length)}`})
      .runtimeDirectories) {
      assert.ok(
        Buffer.byteLength(getSocketPath(directory, '3f9a0c12d4e5-s99999.sock')) <=
          maxSocketPathBytes,
      );
    }
  }
});

test('a socket path is counted in bytes and never cut', () => {
  assert.equal(getSocketPath('/run', 'x'.repeat(95)).length, 100);
  assert.throws(
    () => getSocketPath('/run', 'x'.repeat(96)),
    /at most 100 bytes, got 101: .*Set XDG_RUNTIME_DIR/s,
  );
  assert.throws(() => getSocketPath('/run', 'é'.repeat(48)), /got 101/);
  assert.throws(() => getSocketPath('/run', 'x'.repeat(209)), /got 214/);
});
