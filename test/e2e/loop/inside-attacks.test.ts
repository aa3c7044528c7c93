import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {insideAttacks} from './support/inside-attacks.ts';
import {runInside} from './support/run-inside.ts';
import {needs} from '../../support/needs.ts';

describe('from inside of the sandbox nothing that anybody else believes or runs can be written', () => {
  it('is tried in some thirty ways', () => {
    assert.ok(insideAttacks.length >= 29, String(insideAttacks.length));
  });

  it('and without a sandbox is seen to have been tried', async () => {
    const some = insideAttacks.filter(
      ({name}) =>
        name.startsWith('replaces') || name.startsWith('reads') || name === 'writes a start file',
    );
    assert.equal((await runInside('agent', some, 'off')).length, some.length);
  });

  it('by an agent', needs('bubblewrap'), async () => {
    assert.deepEqual(await runInside('agent'), []);
  });

  it('by what an agent wrote, when a check runs it', needs('bubblewrap'), async () => {
    assert.deepEqual(await runInside('check'), []);
  });

  it('by what an agent wrote, when a rule requires a command', needs('bubblewrap'), async () => {
    assert.deepEqual(await runInside('require'), []);
  });
});
