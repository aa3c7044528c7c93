import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {JournalNews} from '../../../source/protocol/index.ts';
import type {LiveState} from '../../../source/client/index.ts';
import {emptyState} from '../../../source/domain/index.ts';
import {maintainConnection} from '../../../source/app/runtime/maintain-connection.ts';
import {eventually} from '../../support/eventually.ts';

const full: JournalNews = {
  mode: 'degraded',
  reason: 'ENOSPC. Free some space.',
  isFull: true,
  remedy: 'Free some space.',
};

test('what the daemon says of its journal while it is being connected to is told once it is, and what it says later at once', async () => {
  const text: unknown[] = [];
  let print: (news: JournalNews) => void = () => undefined;
  const live: LiveState = {
    state: () => emptyState,
    ask: () => Promise.resolve(undefined),
    welcome: {type: 'welcome', protocol: 1, build: 'test', pid: 1, seq: 0},
    until: () => Promise.resolve(emptyState),
    ended: new Promise(() => undefined),
    close: () => undefined,
  };
  const connection = maintainConnection({
    connect: (_onEvent, journal) => {
      print = journal;
      journal(full);
      return Promise.resolve(live);
    },
    after: () => () => undefined,
    onEvent: () => undefined,
    onJournal: (news) => text.push(news),
    onConnect: () => text.push('connected'),
    onDisconnect: () => undefined,
  });
  await eventually('it is connected', () => text.length === 2);
  print({mode: 'writing'});
  connection.close();
  print(full);
  assert.deepEqual(text, ['connected', full, {mode: 'writing'}]);
});
