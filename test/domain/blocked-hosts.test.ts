import assert from 'node:assert/strict';
import {test} from 'node:test';
import {maxBlockedHosts, type Observation, selectSession} from '../../source/domain/index.ts';
import {createHarness, type Harness} from './support/harness.ts';
import {sendChecked} from './support/simulation.ts';

function refuse(harness: Harness, host: string, port = 443): void {
  const saw: Observation = {
    type: 'network-refused',
    session: 's1',
    host,
    port,
    why: 'not-listed',
    times: 1,
  };
  sendChecked(harness, {type: 'report', at: harness.time, saw});
}

function harnessWithSession(): Harness {
  const harness = createHarness();
  sendChecked(harness, {
    type: 'start-session',
    name: 'x',
    command: ['sh'],
    directory: '/',
    at: 1,
    by: {kind: 'person', client: 'ada'},
  });
  return harness;
}

const refusalsIn = (harness: Harness): number =>
  harness.events.filter(({type}) => type === 'network-refused').length;

test('each host and port of a session is written down once', () => {
  const harness = harnessWithSession();
  for (const [host, port] of [
    ['a.example', 443],
    ['a.example', 443],
    ['a.example', 80],
    ['b.example', 443],
    ['a.example', 443],
  ] as const)
    refuse(harness, host, port);
  assert.equal(refusalsIn(harness), 3);
  assert.deepEqual(selectSession(harness.state, 's1')?.networkRefused, [
    {host: 'a.example', port: 443},
    {host: 'a.example', port: 80},
    {host: 'b.example', port: 443},
  ]);
});

test('an agent that asks for ever new hosts does not fill the journal', () => {
  const harness = harnessWithSession();
  for (let number = 0; number < 500; number += 1) refuse(harness, `h${number}.example`);
  assert.equal(refusalsIn(harness), maxBlockedHosts);
});

test('nothing is recorded for an unknown session', () => {
  const harness = createHarness();
  refuse(harness, 'a.example');
  assert.equal(refusalsIn(harness), 0);
});
