import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  type LookAtPath,
  sandboxed,
  type SandboxPolicy,
  SandboxRefusal,
  unsandboxed,
} from '../../source/sandbox/index.ts';

/**
 * A small world: what ends in .json is a file, what has `missing` in its name is not there, links
 * are listed.
 */
function lookIn(links: Readonly<Record<string, string>> = {}): LookAtPath {
  return (name) => {
    if (name.includes('missing')) return {kind: 'missing', real: name};
    const link = Object.keys(links).find((from) => name === from || name.startsWith(`${from}/`));
    const real = link === undefined ? name : `${links[link]!}${name.slice(link.length)}`;
    return {kind: real.endsWith('.json') ? 'file' : 'directory', real};
  };
}

/** What is put over the file system, and nothing else of the command. */
function mounts(policy: SandboxPolicy, {cwd = '/w', look = lookIn(), uid = 1000} = {}): string {
  const argv = sandboxed({argv: ['agent'], cwd}, policy, {bwrap: '/usr/bin/bwrap', uid, look});
  return argv.slice(argv.indexOf('/dev') + 1, argv.indexOf('--chdir')).join(' ');
}

const worker: SandboxPolicy = {kind: 'worktree', writable: ['/w'], hidden: []};

test('the whole command, as an ordinary user', () => {
  assert.deepEqual(
    sandboxed(
      {argv: ['agent', '--flag', 'a b'], cwd: '/w'},
      {...worker, hidden: ['/state']},
      {bwrap: '/opt/bwrap', uid: 1000, look: lookIn()},
    ),
    [
      '/usr/bin/env',
      '--ignore-signal=HUP,INT,QUIT,TERM,TSTP,TTIN,TTOU,USR1,USR2',
      '/opt/bwrap',
      '--unshare-user',
      '--cap-drop',
      'ALL',
      '--ro-bind',
      '/',
      '/',
      '--bind',
      '/proc',
      '/proc',
      '--dev',
      '/dev',
      '--tmpfs',
      '/state',
      '--bind',
      '/w',
      '/w',
      '--remount-ro',
      '/state',
      '--chdir',
      '/w',
      '--',
      '/usr/bin/env',
      '--default-signal=HUP,INT,QUIT,TERM,TSTP,TTIN,TTOU,USR1,USR2',
      'agent',
      '--flag',
      'a b',
    ],
  );
});

test('root does not get a writable /proc', () => {
  const argv = sandboxed({argv: ['agent'], cwd: '/w'}, worker, {
    bwrap: '/usr/bin/bwrap',
    uid: 0,
    look: lookIn(),
  });
  assert.equal(argv.includes('/proc'), false);
});

test('it does not lose its terminal, nor the network', () => {
  const argv = sandboxed({argv: ['agent'], cwd: '/w'}, worker, {
    bwrap: '/usr/bin/bwrap',
    uid: 1000,
    look: lookIn(),
    can: {processes: true, layers: true},
  });
  for (const absent of ['--new-session', '--unshare-net', '--unshare-all'])
    assert.equal(argv.includes(absent), false, absent);
});

test('where the machine allows it, processes are its own and end with it', () => {
  const start = (uid: number): string =>
    sandboxed({argv: ['agent'], cwd: '/w'}, worker, {
      bwrap: '/b',
      uid,
      look: lookIn(),
      can: {processes: true, layers: false},
    }).join(' ');
  assert.match(
    start(1000),
    / \/b --unshare-user --cap-drop ALL --ro-bind \/ \/ --unshare-pid --die-with-parent --proc \/proc --dev \/dev /,
  );
  assert.match(
    start(0),
    / --unshare-pid --die-with-parent --proc \/proc --remount-ro \/proc --dev \/dev /,
    'root has a read-only one',
  );
});

const layered = {
  path: '/s/view',
  lower: ['/s/layer', '/home/.npm'],
  upper: '/s/upper',
  work: '/s/work',
};

test('layers are mounted first, in a namespace in which we may, and inside we are who we are', () => {
  const policy = {
    ...worker,
    bound: [{path: '/home/.npm', from: '/s/view', isWritable: true}],
    layered: [layered],
  };
  const argv = sandboxed({argv: ['agent'], cwd: '/w'}, policy, {
    bwrap: '/bwrap',
    uid: 1000,
    look: lookIn(),
    can: {processes: false, layers: true, gid: 100},
  });
  const from = argv.indexOf('/usr/bin/unshare');
  assert.deepEqual(argv.slice(from, from + 6), [
    '/usr/bin/unshare',
    '--user',
    '--map-root-user',
    '--mount',
    '/bin/sh',
    '-c',
  ]);
  assert.deepEqual(argv.slice(from + 7, argv.indexOf('/bwrap') + 1), [
    'sh',
    'userxattr,lowerdir=/s/layer:/home/.npm,upperdir=/s/upper,workdir=/s/work',
    '/s/view',
    ':',
    '/bwrap',
  ]);
  assert.match(
    argv.join(' '),
    /--ro-bind \/ \/ --uid 1000 --gid 100 .*--bind \/s\/view \/home\/\.npm/,
  );
  assert.deepEqual(unsandboxed(argv), ['agent']);
});

for (const [why, broken] of [
  ['a comma', {...layered, lower: ['/home/a,b']}],
  ['a colon', {...layered, lower: ['/home/a:b']}],
  ['a backslash', {...layered, upper: '/s/a\\b'}],
  ['more than a page', {...layered, lower: Array.from({length: 100}, () => `/${'x'.repeat(60)}`)}],
] as const) {
  test(`what cannot be mounted because of ${why} is an empty directory inside, never the person's own`, () => {
    const policy = {
      ...worker,
      bound: [{path: '/home/.npm', from: '/s/view', isWritable: true}],
      layered: [broken],
    };
    const argv = sandboxed({argv: ['agent'], cwd: '/w'}, policy, {
      bwrap: '/b',
      uid: 1000,
      look: lookIn(),
      can: {processes: false, layers: true},
    });
    assert.equal(argv.includes('/usr/bin/unshare'), false);
    assert.match(argv.join(' '), /--bind \/s\/view \/home\/\.npm/);
  });
}

for (const [title, policy, expected] of [
  [
    'outer places come first, whatever the order of the lists',
    {...worker, writable: ['/w/a/b/c', '/w'], readOnly: ['/w/a']},
    '--bind /w /w --ro-bind /w/a /w/a --bind /w/a/b/c /w/a/b/c',
  ],
  [
    'at the same path the strictest word counts',
    {...worker, writable: ['/w', '/x', '/y'], readOnly: ['/x', '/y'], hidden: ['/y']},
    '--bind /w /w --ro-bind /x /x --tmpfs /y --remount-ro /y',
  ],
  [
    'what is writable anyway is not bound again',
    {...worker, writable: ['/w', '/w/cache', '/w/a/b']},
    '--bind /w /w',
  ],
  [
    'what is not there is left out',
    {...worker, writable: ['/w', '/missing'], readOnly: ['/w/missing'], hidden: ['/missing-state']},
    '--bind /w /w',
  ],
  [
    'a sealed file that is not there is an empty one',
    {...worker, sealed: ['/w/missing.json']},
    '--bind /w /w --dev-bind /dev/null /w/missing.json',
  ],
  [
    'a sealed file that nobody could make needs nothing',
    {...worker, sealed: ['/elsewhere/missing.json']},
    '--bind /w /w',
  ],
  [
    'a sealed file that is there is read-only',
    {...worker, sealed: ['/w/a.json']},
    '--bind /w /w --ro-bind /w/a.json /w/a.json',
  ],
  [
    'a hidden file can not be opened',
    {...worker, hidden: ['/w/a.json']},
    '--bind /w /w --ro-bind /dev/null /w/a.json',
  ],
  [
    'the way to what is protected is pinned first',
    {...worker, readOnly: ['/w/a/b/c.json']},
    '--ro-bind /w/a /w/a --ro-bind /w/a/b /w/a/b --bind /w /w --ro-bind /w/a/b/c.json /w/a/b/c.json',
  ],
  [
    'a hidden directory becomes read-only after what is writable in it',
    {...worker, writable: ['/w', '/state/exchange'], hidden: ['/state']},
    '--tmpfs /state --bind /w /w --bind /state/exchange /state/exchange --remount-ro /state',
  ],
  [
    'something of its own stands at another path, with what is in it',
    {
      ...worker,
      readOnly: ['/g'],
      bound: [
        {path: '/g/objects', from: '/v/objects', isWritable: true},
        {path: '/g/objects/missing', from: '/g/objects', isWritable: false},
      ],
    },
    '--ro-bind /g /g --bind /w /w --bind /v/objects /g/objects --ro-bind /g/objects /g/objects/missing',
  ],
  [
    'a mount point that is not there is made only inside of something of its own',
    {...worker, bound: [{path: '/missing/x', from: '/v', isWritable: true}]},
    '--bind /w /w',
  ],
  [
    'a temporary directory stands in for /tmp',
    {...worker, temporary: '/sessions/s1'},
    '--bind /sessions/s1 /tmp --bind /w /w',
  ],
  [
    'the directory of a read-only command is bound read-only, and others stay so inside of a writable one',
    {kind: 'read-only', writable: ['/home-of'], readOnly: ['/home-of/w'], hidden: []},
    '--bind /home-of /home-of --ro-bind /w /w --ro-bind /home-of/w /home-of/w',
  ],
] as const satisfies readonly (readonly [string, SandboxPolicy, string])[]) {
  test(title, () => {
    assert.equal(mounts(policy), expected);
  });
}

test('links are followed before anything is bound', () => {
  assert.equal(
    mounts({...worker, writable: ['/w', '/agent']}, {look: lookIn({'/agent': '/dotfiles/agent'})}),
    '--bind /w /w --bind /dotfiles/agent /dotfiles/agent',
  );
});

for (const [title, policy, links, text] of [
  [
    'a link that an agent could have made is not followed to be written',
    {...worker, writable: ['/w', '/w/cache']},
    {'/w/cache': '/etc'},
    /expected \/w\/cache to be \/w\/cache, got a link to \/etc/,
  ],
  [
    'nor to be protected',
    {...worker, sealed: ['/w/.git']},
    {'/w/.git': '/w/other'},
    /got a link to \/w\/other/,
  ],
  [
    'nor to be hidden',
    {...worker, hidden: ['/w/secret']},
    {'/w/secret': '/w/other'},
    /got a link to \/w\/other/,
  ],
  [
    'nor on the way',
    {...worker, readOnly: ['/w/a/b.json']},
    {'/w/a': '/w/other'},
    /got a link to \/w\/other\/b\.json/,
  ],
  [
    'a worker must be able to write where it works',
    {...worker, writable: ['/elsewhere']},
    {},
    /expected the command's directory \/w to be writable/,
  ],
  [
    'not everything can be writable',
    {...worker, writable: ['/w', '/x']},
    {'/x': '/'},
    /got \/x, which is the kernel's or everything/,
  ],
  [
    "what is the kernel's can not be writable",
    {...worker, writable: ['/w', '/proc/sys']},
    {},
    /got \/proc\/sys, which is the kernel's or everything/,
  ],
  [
    'nothing is writable in a read-only directory',
    {kind: 'read-only', writable: ['/w/cache'], hidden: []},
    {},
    /expected nothing writable in \/w, which is read-only, got \/w\/cache/,
  ],
] as const satisfies readonly (readonly [
  string,
  SandboxPolicy,
  Record<string, string>,
  RegExp,
])[]) {
  test(title, () => {
    assert.throws(
      () => mounts(policy, {look: lookIn(links)}),
      (error) => error instanceof SandboxRefusal && text.test(error.message),
    );
  });
}
