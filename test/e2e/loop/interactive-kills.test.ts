import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {createRandom} from '../../support/random.ts';
import {killConversations, killTargets} from './support/kill-conversations.ts';

/** A short version of `npm run faults interactive`. */
describe('a run of agents in their own interface', () => {
  it('types no prompt twice and loses none when its daemon, a keeper or an agent is killed', async () => {
    const {killed, broken, commits} = await killConversations({
      kills: 5,
      chance: createRandom('conversations').next,
      pauseMs: 3000,
    });
    assert.deepEqual(broken, []);
    assert.ok(killTargets.some((target) => killed[target] > 0));
    for (const file of ['t1.txt', 't2.txt', 't3.txt']) assert.ok(commits.includes(file));
  });
});
