import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import {Buffer} from 'node:buffer';
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {test, type TestContext} from 'node:test';
import {readClipboardImage} from '../../source/cli/read-clipboard.ts';

const png = Buffer.from(`89504e470d0a1a0a${'00ff0a0d1b'.repeat(20_000)}`, 'hex');

/** Pretend clipboard tools, each a script of a shell, in a directory of their own. */
function createTools(
  t: TestContext,
  tools: Readonly<Record<string, string>>,
): {
  readonly place: string;
  readonly env: Readonly<Record<string, string>>;
} {
  const place = mkdtempSync(path.join(os.tmpdir(), 'orchestra-clipboard-'));
  t.after(() => {
    rmSync(place, {recursive: true, force: true});
  });
  mkdirSync(path.join(place, 'bin'));
  writeFileSync(path.join(place, 'image'), png);
  writeFileSync(path.join(place, 'hex'), `«data PNGf${png.toString('hex').toUpperCase()}»\n`);
  for (const [name, script] of Object.entries(tools))
    writeFileSync(path.join(place, 'bin', name), `#!/bin/sh\n${script}\n`, {mode: 0o755});
  return {place, env: {PATH: `${path.join(place, 'bin')}:/usr/bin:/bin`, PLACE: place}};
}

const wlPaste =
  'case "$*" in --list-types) echo text/html; echo image/png;; "--no-newline --type image/png") cat "$PLACE/image";; *) exit 9;; esac';
const xclip =
  'case "$*" in "-selection clipboard -t TARGETS -o") echo TARGETS; echo image/png;; "-selection clipboard -t image/png -o") cat "$PLACE/image";; *) exit 9;; esac';

test("the platform's tool gives the image, byte for byte", async (t) => {
  const {place, env} = createTools(t, {
    'wl-paste': wlPaste,
    xclip,
    pngpaste: 'test "$1" = - && cat "$PLACE/image"',
  });
  for (const [variables, platform] of [
    [{WAYLAND_DISPLAY: 'wayland-0'}, 'linux'],
    [{DISPLAY: ':0'}, 'linux'],
    // A forwarded display is the person's own, also over SSH.
    [{DISPLAY: 'localhost:10.0', SSH_CONNECTION: 'x'}, 'linux'],
    [{}, 'darwin'],
  ] as const)
    assert.deepEqual(
      await readClipboardImage({env: {...env, ...variables}}, '/nowhere', platform),
      {at: 'image', bytes: png},
    );
  const {env: other} = createTools(t, {osascript: 'cat "$PLACE/hex"'});
  const read = await readClipboardImage(
    {env: {...other, PATH: other['PATH']!}},
    '/',
    'darwin',
  ).catch(() => undefined);
  assert.equal(read?.at, 'unavailable', 'nothing inside of the repository is run');
  assert.deepEqual(await readClipboardImage({env: other}, '/nowhere', 'darwin'), {
    at: 'image',
    bytes: png,
  });
  assert.ok(place !== '');
});

test('no image, no tool, no display and a tool that fails are told apart', async (t) => {
  const display = {WAYLAND_DISPLAY: 'wayland-0'};
  const read = (
    tools: Readonly<Record<string, string>>,
    variables: Readonly<Record<string, string>>,
    platform: NodeJS.Platform = 'linux',
  ): ReturnType<typeof readClipboardImage> => {
    const {place, env} = createTools(t, tools);
    return readClipboardImage(
      {env: {...env, PATH: path.join(place, 'bin'), ...variables}},
      '/nowhere',
      platform,
    );
  };

  assert.deepEqual(await read({'wl-paste': 'echo text/plain'}, display), {
    at: 'no-image',
    text: 'there is no image in the clipboard',
  });
  assert.deepEqual(await read({'wl-paste': 'echo image/png'}, display), {
    at: 'no-image',
    text: 'there is no image in the clipboard',
  });
  assert.deepEqual(await read({'wl-paste': 'echo "no compositor" >&2; exit 1'}, display), {
    at: 'unavailable',
    text: 'wl-paste: no compositor',
  });
  assert.deepEqual(await read({}, {...display, DISPLAY: ':0'}), {
    at: 'unavailable',
    text: 'wl-paste or xclip is needed to read the clipboard, and not installed',
  });
  assert.deepEqual(await read({'wl-paste': wlPaste}, {}), {
    at: 'unavailable',
    text: 'this machine has no display whose clipboard could be read',
  });
  // The clipboard of the machine at the other end is not the person's.
  assert.equal(
    (await read({pngpaste: 'exit 0'}, {SSH_TTY: '/dev/ttys1'}, 'darwin')).at,
    'unavailable',
  );
});
