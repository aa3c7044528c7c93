import assert from 'node:assert/strict';
import {test} from 'node:test';
import {maxRefusedHosts, sessionOf, type Observation} from '../../source/domain/index.ts';
import {createHouse, type House} from './support/house.ts';
import {tell} from './support/play.ts';

function refuse(house: House, host: string, port = 443): void {
  const saw: Observation = {
    type: 'network-refused',
    session: 's1',
    host,
    port,
    why: 'not-listed',
    times: 1,
  };
  tell(house, {type: 'report', at: house.time, saw});
}

function houseWithSession(): House {
  const house = createHouse();
  tell(house, {
    type: 'start-session',
    name: 'x',
    command: ['sh'],
    directory: '/',
    at: 1,
    by: {kind: 'person', client: 'ada'},
  });
  return house;
}

const refusalsIn = (house: House): number =>
  house.events.filter(({type}) => type === 'network-refused').length;

test('each host and port of a session is written down once', () => {
  const house = houseWithSession();
  for (const [host, port] of [
    ['a.example', 443],
    ['a.example', 443],
    ['a.example', 80],
    ['b.example', 443],
    ['a.example', 443],
  ] as const)
    refuse(house, host, port);
  assert.equal(refusalsIn(house), 3);
  assert.deepEqual(sessionOf(house.state, 's1')?.networkRefused, [
    {host: 'a.example', port: 443},
    {host: 'a.example', port: 80},
    {host: 'b.example', port: 443},
  ]);
});

test('an agent that asks for ever new hosts does not fill the journal', () => {
  const house = houseWithSession();
  for (let number = 0; number < 500; number += 1) refuse(house, `h${number}.example`);
  assert.equal(refusalsIn(house), maxRefusedHosts);
});

test('of a session that nobody knows nothing is written down', () => {
  const house = createHouse();
  refuse(house, 'a.example');
  assert.equal(refusalsIn(house), 0);
});
