import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {test} from 'node:test';
import {createOpenPane} from '../../../source/cli/app/open-pane.ts';
import {createScreen} from '../../../source/terminal/index.ts';

test('the few words that an ended program left on a tall screen are seen in a small pane, and wrapped to it', async (context) => {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'orchestra-pane-'));
  context.after(() => {
    rmSync(directory, {recursive: true});
  });
  mkdirSync(path.join(directory, 'out'));
  writeFileSync(
    path.join(directory, 'out', '0'.repeat(16)),
    'The playbook has mistakes.\r\nNothing of it was done, and here is why.\r\n',
  );

  const openPane = createOpenPane(
    () => () => Promise.resolve({socket: '', token: '', directory, isLive: false}),
  );
  const {snapshot} = await openPane(
    's1',
    {columns: 30, rows: 6},
    {
      bytes: () => {
        assert.fail('nothing follows');
      },
      resized: () => {
        assert.fail('it has no terminal');
      },
      ended: () => {
        assert.fail('it had ended before');
      },
    },
  );
  const screen = createScreen({columns: 30, rows: 6});
  context.after(() => {
    screen.close();
  });
  screen.write(snapshot);
  assert.deepEqual(
    screen
      .text()
      .slice(0, 3)
      .map((row) => row.trimEnd()),
    ['The playbook has mistakes.', 'Nothing of it was done, and he', 're is why.'],
  );
});
