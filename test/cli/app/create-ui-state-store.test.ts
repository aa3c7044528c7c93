import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {test} from 'node:test';
import {createUiStateStore} from '../../../source/cli/app/create-ui-state-store.ts';

test('where the person was is kept in the repository’s state; where nothing can be written the app goes on without', (context) => {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'orchestra-memory-'));
  context.after(() => {
    rmSync(directory, {recursive: true});
  });
  const preferences = path.join(directory, 'preferences');
  const memory = createUiStateStore(() => path.join(directory, 'state'), preferences, true);
  memory.write({version: 1, selected: 'r1.t2'});
  assert.deepEqual(
    {...(memory.read() as object), settings: undefined},
    {version: 1, selected: 'r1.t2', settings: undefined},
  );

  writeFileSync(path.join(directory, 'file'), '');
  const nowhere = createUiStateStore(
    () => path.join(directory, 'file', 'state'),
    preferences,
    true,
  );
  nowhere.write({version: 1, selected: 'r1.t2'});
  assert.deepEqual({...(nowhere.read() as object), settings: undefined}, {settings: undefined});
});

test('a hint that was seen in one repository is known in every other', (context) => {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'orchestra-memory-'));
  context.after(() => {
    rmSync(directory, {recursive: true});
  });
  const preferences = path.join(directory, 'preferences');
  const storeOf = (name: string): ReturnType<typeof createUiStateStore> =>
    createUiStateStore(() => path.join(directory, name), preferences, true);
  const hintsOf = (value: unknown): unknown => (value as {readonly hints?: unknown}).hints;
  const one = storeOf('one');
  assert.equal(hintsOf(one.read()), undefined);
  one.write({version: 1, hints: ['plan']});
  assert.deepEqual(hintsOf(storeOf('other').read()), ['plan']);
  writeFileSync(path.join(preferences, 'hints.json'), '{"hints": "broken"');
  assert.deepEqual(hintsOf(storeOf('one').read()), ['plan']);
  assert.equal(hintsOf(storeOf('other').read()), undefined);
});
