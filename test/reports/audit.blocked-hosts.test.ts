import assert from 'node:assert/strict';
import {test} from 'node:test';
import {formatBlockedHosts, selectBlockedHosts} from '../../source/reports/index.ts';
import type {Event} from '../../source/domain/index.ts';

const rejected = (session: `s${number}`, host: string, times = 1): Event => ({
  type: 'network-refused',
  at: 1,
  session,
  host,
  port: 443,
  why: 'not-listed',
  times,
});

test('each blocked host of the selected sessions is listed once, with its count', () => {
  const events = [
    rejected('s1', 'a.example'),
    rejected('s1', 'a.example', 7),
    rejected('s2', 'a.example'),
    rejected('s9', 'b.example'),
  ];
  const hosts = selectBlockedHosts(events, (session) => (session === 's9' ? undefined : 'r1.t1'));
  assert.deepEqual(
    hosts.map(({session, host, times, about}) => [session, host, times, about]),
    [
      ['s1', 'a.example', 7, 'r1.t1'],
      ['s2', 'a.example', 1, 'r1.t1'],
    ],
  );
  assert.match(
    formatBlockedHosts(hosts, 100),
    /SESSION +FOR +TIMES +DENIED BY THE NETWORK RULES\ns1 +r1\.t1 +7 +a\.example:443: the project does not list this host/,
  );
  assert.equal(formatBlockedHosts([], 100), '');
});

test('a host is what an agent wrote: nothing of it acts on a terminal', () => {
  const text = formatBlockedHosts(
    selectBlockedHosts([rejected('s1', 'evil\u001B[2Jhost')], () => 'r1.t1'),
    100,
  );
  assert.equal(text.includes('\u001B'), false);
});
