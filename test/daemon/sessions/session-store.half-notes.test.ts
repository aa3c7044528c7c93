import assert from 'node:assert/strict';
import path from 'node:path';
import {existsSync, writeFileSync} from 'node:fs';
import {test} from 'node:test';
import {createSessionStore} from '../../../source/daemon/sessions/session-store.ts';
import {temporaryDirectory} from '../../system/fixtures.ts';

test('a note that was half written when the daemon was killed goes at the next start; whole ones stay', (t) => {
  const state = temporaryDirectory(t);
  const store = createSessionStore({state, runtime: state, journal: 'j'});
  store.writeNote('s1', 'context', {a: 1});
  const directory = store.directoryOf('s1');
  const half = path.join(directory, '.context.json.tmp');
  writeFileSync(half, '{"a":');
  store.removeHalfNotes('s1');
  assert.deepEqual(
    [existsSync(half), existsSync(path.join(directory, 'context.json'))],
    [false, true],
  );
});
