import assert from 'node:assert/strict';
import {test} from 'node:test';
import {formatFacts, formatPort} from '../../../source/reports/index.ts';

const now = 1_000_000_000;
const port = {port: 3000, proof: [{source: '/proc/net/tcp', text: 'listens'}], stale: []};

test('a port is answered in the first word, with who, since when and the proof', () => {
  const owner = {
    identity: {pid: 7},
    name: 'node',
    command: 'node server.js',
    directory: '/repo',
    since: now - 60_000,
  };
  assert.equal(
    formatPort(
      {
        ...port,
        verdict: 'yes',
        state: 'accepting',
        address: '127.0.0.1',
        session: 's1',
        owner,
        stale: [{kind: 'older-than-its-code', file: 'server.js', changedAt: now - 1000}],
      },
      now,
    ),
    [
      'yes: port 3000, it accepts connections',
      'session   s1',
      'process   7 node, for 60 s',
      'command   node server.js',
      'works in  /repo',
      'address   127.0.0.1',
      'warning   it runs older code: server.js changed 1 s ago',
      'proof     /proc/net/tcp: listens',
      '',
    ].join('\n'),
  );
  assert.match(
    formatPort(
      {
        ...port,
        verdict: 'no',
        state: 'foreign',
        owner,
        stale: [{kind: 'another-worktree', directory: '/other'}],
      },
      now,
    ),
    /^no: port 3000, another process uses it\n[^]*another worktree serves it: \/other/,
  );
  assert.match(
    formatPort({...port, verdict: 'no', state: 'free'}, now),
    /^no: port 3000, nothing listens\n/,
  );
});

test('facts are shown with their source, and unknown facts as unknown', () => {
  assert.equal(
    formatFacts([
      {name: 'ports', source: 'kernel', value: []},
      {name: 'head', unknown: 'git did not say'},
      {name: 'changed', source: 'git', value: 3},
    ]),
    'ports    kernel   none\nhead     unknown  git did not say\nchanged  git      3\n',
  );
});
