import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {JournalNews, LiveState} from '../../../source/client/index.ts';
import {emptyState} from '../../../source/domain/index.ts';
import {keepConnection} from '../../../source/tui/app/keep-connection.ts';
import {eventually} from '../../support/eventually.ts';

const full: JournalNews = {
  mode: 'degraded',
  reason: 'ENOSPC. Free some space.',
  isFull: true,
  remedy: 'Free some space.',
};

test('what the daemon says of its journal while it is being connected to is told once it is, and what it says later at once', async () => {
  const said: unknown[] = [];
  let say: (news: JournalNews) => void = () => undefined;
  const live: LiveState = {
    state: () => emptyState,
    ask: () => Promise.resolve(undefined),
    welcome: {type: 'welcome', protocol: 1, build: 'test', pid: 1, seq: 0},
    until: () => Promise.resolve(emptyState),
    ended: new Promise(() => undefined),
    close: () => undefined,
  };
  const connection = keepConnection({
    connect: (_heard, journal) => {
      say = journal;
      journal(full);
      return Promise.resolve(live);
    },
    after: () => () => undefined,
    heard: () => undefined,
    journal: (news) => said.push(news),
    connected: () => said.push('connected'),
    lost: () => undefined,
  });
  await eventually('it is connected', () => said.length === 2);
  say({mode: 'writing'});
  connection.close();
  say(full);
  assert.deepEqual(said, ['connected', full, {mode: 'writing'}]);
});
