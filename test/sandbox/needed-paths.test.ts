import assert from 'node:assert/strict';
import {test} from 'node:test';
import {type LookAtPath, neededInTemporary} from '../../source/sandbox/index.ts';

const links: Readonly<Record<string, string>> = {
  '/tmp/npm/bin/claude': '/tmp/npm/lib/node_modules/@anthropic-ai/claude-code/cli.js',
  '/home/me/bin/pi': '/tmp/pi/dist/pi.js',
  '/tmp/link': '/home/me/tools/x',
};
const directories: ReadonlySet<string> = new Set(['/tmp/venv', '/tmp/home', '/tmp/run']);
const look: LookAtPath = (place) =>
  place.includes('missing')
    ? {kind: 'missing', real: place}
    : {kind: directories.has(place) ? 'directory' : 'file', real: links[place] ?? place};

for (const [what, argv, env, needed] of [
  [
    'nothing outside of /tmp',
    ['/usr/bin/node', '/opt/orchestra/cli.js', '--flag', 'words of /tmp/x'],
    {PATH: '/usr/bin:/bin'},
    [],
  ],
  [
    'a program that is a link into its package',
    ['/tmp/npm/bin/claude'],
    {},
    ['/tmp/npm', '/tmp/npm/lib/node_modules'],
  ],
  ['a program outside that leads into /tmp', ['/home/me/bin/pi'], {}, ['/tmp/pi/dist']],
  ['a link that leads out of /tmp', ['/tmp/link'], {}, ['/tmp/link']],
  ['a script or a playbook right in /tmp', ['/tmp/book.yaml'], {}, ['/tmp/book.yaml']],
  [
    'a program with its directory',
    ['/tmp/orchestra/dist/orchestra.js'],
    {},
    ['/tmp/orchestra/dist'],
  ],
  [
    'directories on PATH, with what they are the programs of',
    [],
    {PATH: '/tmp/node/bin:/tmp/bin:/usr/bin:/tmp/mise/shims:/tmp/plain'},
    ['/tmp/node', '/tmp/bin', '/tmp/mise', '/tmp/plain'],
  ],
  [
    'where variables say that a tool is',
    [],
    {VIRTUAL_ENV: '/tmp/venv', HOME: '/tmp/home', WORDS: '/tmp/of/a/file'},
    ['/tmp/venv', '/tmp/home'],
  ],
  [
    "neither a session's own places nor what is not there",
    ['/tmp/missing/x'],
    {TMPDIR: '/tmp/venv', XDG_RUNTIME_DIR: '/tmp/run', PATH: '/tmp/missing/bin'},
    [],
  ],
  [
    'never /tmp itself, nor a way out of it',
    ['/tmp', '/tmp/', '/tmp/../etc/passwd', 'tmp/x'],
    {PATH: '/tmp:/tmp/.', X: '/tmp'},
    [],
  ],
] as const) {
  test(`of the real /tmp is shown: ${what}`, () => {
    assert.deepEqual(neededInTemporary({argv, env}, look), needed);
  });
}
