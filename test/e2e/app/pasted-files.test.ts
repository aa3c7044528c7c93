import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {Buffer} from 'node:buffer';
import {execFileSync} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {test} from 'node:test';
import {spawn} from 'node-pty';
import {createScreen} from '../../../source/terminal/index.ts';
import {createDaemonFixture, launcher} from '../../daemon/support/daemon-fixture.ts';
import {createFixture} from '../loop/support/loop-fixture.ts';
import {eventually} from '../../support/eventually.ts';
import {needs} from '../../support/needs.ts';

/** Raw mode, the alternate screen and bracketed paste, as in an agent. Notes what it is sent. */
const program = `
const {appendFileSync} = require('node:fs');
process.stdin.setRawMode(true);
process.stdout.write('\\x1b[?1049h\\x1b[?2004hREADY');
process.stdin.on('data', (data) => appendFileSync('typed', data));
`;
const png = Buffer.from(`89504e470d0a1a0a${'00ff0a'.repeat(3000)}`, 'hex');
const bracketed = (text: string): string => `\u001B[200~${text}\u001B[201~`;

type Window = {
  readonly press: (text: string) => void;
  readonly shows: (what: RegExp) => Promise<unknown>;
  /** Everything that the app wrote. */
  readonly written: () => string;
  readonly close: () => Promise<void>;
};

/** The app in a terminal of its own. */
function openApp({
  root,
  env,
}: {
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
}): Window {
  const screen = createScreen({columns: 110, rows: 32});
  const pty = spawn(process.execPath, [launcher], {
    cwd: root,
    env,
    cols: 110,
    rows: 32,
    encoding: null,
  });
  let written = '';
  let isOver = false;
  pty.onData((data) => {
    const bytes = data as unknown as Uint8Array;
    written += Buffer.from(bytes).toString('latin1');
    screen.write(bytes);
  });
  pty.onExit(() => {
    isOver = true;
  });
  return {
    press: (text) => {
      pty.write(text);
    },
    shows: (what) =>
      eventually(what.source, () => what.test(screen.text().join('\n'))).catch((error: unknown) =>
        assert.fail(`${String(error)}\n${screen.text().join('\n')}`),
      ),
    written: () => written,
    close: async () => {
      if (!isOver) pty.kill('SIGTERM');
      await eventually('the app has ended', () => isOver);
      screen.close();
    },
  };
}

test(
  'in a pane of the app, paths, an image of the clipboard and an answer of the terminal are typed in order',
  {timeout: 120_000},
  async (t) => {
    const tools = mkdtempSync(path.join(os.tmpdir(), 'orchestra-tools-'));
    t.after(() => {
      rmSync(tools, {recursive: true, force: true});
    });
    const [image, tool] = [path.join(tools, 'image'), path.join(tools, 'wl-paste')];
    writeFileSync(image, png);
    writeFileSync(
      tool,
      `#!/bin/sh\ncase "$1" in --list-types) echo image/png;; *) cat ${image};; esac\n`,
      {mode: 0o755},
    );
    const fixture = createDaemonFixture(t, {
      PATH: `${tools}:${path.dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
      WAYLAND_DISPLAY: 'wayland-0',
      GIT_AUTHOR_NAME: 'Ada',
      GIT_AUTHOR_EMAIL: 'ada@example.org',
      GIT_COMMITTER_NAME: 'Ada',
      GIT_COMMITTER_EMAIL: 'ada@example.org',
    });
    execFileSync('git', ['commit', '-q', '--allow-empty', '-m', 'Begin'], {
      cwd: fixture.root,
      env: fixture.env,
    });
    const file = path.join(fixture.home, 'program.cjs');
    writeFileSync(file, program);
    await fixture.start(process.execPath, file);
    await eventually('it is ready', () => fixture.outputOf('s1').includes('READY'));
    const typed = (): string =>
      existsSync(path.join(fixture.root, 'typed'))
        ? readFileSync(path.join(fixture.root, 'typed'), 'utf8')
        : '';
    const {press, shows, written, close} = openApp(fixture);
    try {
      await shows(/Running now|Sessions/);
      press('w');
      await shows(/READY/);
      press('\r');
      await shows(/TYPING/);

      const pasted = `${image} `;
      const base64 = `/${png.toString('base64').slice(0, 400)}`;
      press(`a${bracketed(pasted)}b${bracketed(base64)}c`);
      await eventually(
        'all of it is typed in order',
        () => typed() === `a${bracketed(pasted)}b${bracketed(base64)}c`,
      );

      const copies = (): string[] =>
        [...typed().matchAll(/\[200~([^\s\u001B]*\/given\/image-[\da-f]{8}\.png) /g)].map(
          (found) => found[1]!,
        );
      press('\u001D');
      await shows(/Enter type/);
      press('\u0016');
      await shows(/TYPING/);
      press('d');
      await eventually('the image and then the key', () => typed().endsWith(' \u001B[201~d'));
      assert.deepEqual(copies().length, 1);
      assert.deepEqual(readFileSync(copies()[0]!), png);
      await shows(/The image is copied for s1/);

      // Without the tool, as over SSH, the terminal is asked. This one speaks OSC 52.
      renameSync(tool, `${tool}.gone`);
      press('\u001D');
      await shows(/Enter type/);
      press('\u0016');
      await eventually('the terminal is asked', () => written().includes('\u001B[?5522$p\u001B[c'));
      press('\u001B[?62;22c');
      await eventually('for its clipboard', () => written().includes('\u001B]52;c;?\u0007'));
      press(`\u001B]52;c;${png.toString('base64')}\u0007e`);
      await eventually('the image and then the key', () => typed().endsWith(' \u001B[201~e'));
      assert.deepEqual(copies().length, 2);
      assert.deepEqual(readFileSync(copies()[1]!), png);
    } finally {
      await close();
    }
  },
);

const playbook = `plan:
  problem: It could be better.
  rootCause: Nobody has done it yet.
  tasks:
    - {id: t1, title: Do it, brief: Do it., files: [t1.txt]}
tasks:
  t1:
    - run: until cat "$(dirname "$TMPDIR")"/given/* > t1.txt 2>/dev/null; do sleep 0.1; done
`;

test(
  'an agent in a sandbox reads the copy of a file in /tmp that is hidden from it',
  {...needs('bubblewrap'), timeout: 120_000},
  async (t) => {
    // With TMPDIR elsewhere the repository counts as outside, so that /tmp is replaced.
    const fixture = createFixture(t, {env: {TMPDIR: '/var/tmp'}, project: 'sandbox: required\n'});
    const book = path.join(fixture.home, 'book.yaml');
    writeFileSync(book, playbook);
    const log = path.join(fixture.home, 'error.log');
    writeFileSync(log, 'it went wrong\n');
    const run = fixture.launch('run', 'Make it better', '--playbook', book, '--approve');
    const state = await fixture.until('the worker runs', ({sessions}) =>
      sessions.pages
        .flat()
        .some(({purpose, life}) => purpose.for === 'attempt' && life.at === 'running'),
    );
    const worker = state.sessions.pages.flat().find(({purpose}) => purpose.for === 'attempt')!.id;
    const {files} = (await fixture.ask({
      about: 'give-files',
      session: worker,
      files: [log, path.join(fixture.root, '.git', 'HEAD')],
    })) as {readonly files: readonly {readonly at: string; readonly path: string}[]};
    assert.deepEqual(
      files.map(({at}) => at),
      ['copied', 'shown'],
    );
    assert.match(files[0]!.path, /\/given\/file-[\da-f]{8}\.log$/);
    assert.equal((await run).code, 0);
    assert.equal(fixture.git('show', 'orchestra/r1:t1.txt'), 'it went wrong\n');
  },
);
