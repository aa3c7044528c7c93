import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {mkdtempSync, rmSync} from 'node:fs';
import {test} from 'node:test';
import {launcher} from '../../daemon/support/daemon-fixture.ts';
import {openTmux} from './support/open-tmux.ts';

test('tmux is asked for its colours: the app opens at once, no reply is taken for a key, none is left behind', async (t) => {
  const home = mkdtempSync(path.join(os.tmpdir(), 'orchestra-colours-'));
  const tmux = openTmux({
    home,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      TERM: 'xterm-256color',
      COLORTERM: 'truecolor',
      LANG: 'C.UTF-8',
    },
    columns: 80,
    rows: 24,
  });
  t.after(async () => {
    await tmux.close();
    rmSync(home, {recursive: true, force: true});
  });
  // A folder without git has no daemon: keys would be commands, or text of the objective.
  const script = `"${process.execPath}" "${launcher}"; stty -echo; echo left with $?; cat -v`;
  tmux.run(home, 'sh', '-c', script.replaceAll("'", ''));
  await tmux.shows(/git/);
  const opened = tmux.screen();
  assert.doesNotMatch(opened, /rgb:|\]1[01];|\[\?\d+;?\d*c|left with/);
  tmux.press('q');
  await tmux.shows(/left with 0/);
  tmux.type('typed\n');
  await tmux.shows(/typed/);
  assert.doesNotMatch(tmux.screen(), /\^\[|rgb:|\?\d+;\d+c/);
});
