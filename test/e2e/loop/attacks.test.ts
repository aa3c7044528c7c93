import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {attacks} from '../../git/guard/attacks.ts';
import {runAttack} from './support/run-attack.ts';
import {needs} from '../../support/needs.ts';

/** One of each kind; `npm run faults attacks` plays them all, with and without the sandbox. */
const chosen = new Set([
  'a file system monitor',
  'a filter process in the home directory',
  'a repository of its own in place of the worktree',
  'the removal of the sibling',
  'a replacement that is packed',
  'an edit in the main checkout',
  'a line in a start file',
  "the end of a person's branch",
]);

describe('an agent that attacks during its attempt', () => {
  it('is played in more than twenty ways', () => {
    assert.equal(attacks.filter(({name}) => chosen.has(name)).length, chosen.size);
    assert.ok(attacks.filter(({by}) => by !== 'nobody').length >= 20);
  });

  for (const attack of attacks.filter(({name}) => chosen.has(name))) {
    it(`without a sandbox, with ${attack.name}, is named, and nothing of it is merged`, () =>
      runAttack(attack, 'off'));
  }

  for (const attack of attacks.filter(({name}) => chosen.has(name)).slice(0, 4)) {
    it(`in the sandbox, with ${attack.name}, achieves nothing`, needs('bubblewrap'), () =>
      runAttack(attack, 'required'),
    );
  }
});
