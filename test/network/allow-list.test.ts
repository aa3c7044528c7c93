import assert from 'node:assert/strict';
import {test} from 'node:test';
import {parseHost, parseNetworkEntries} from '../../source/shared/index.ts';
import {isAddressAllowed, isPublicAddress, permissionFor} from '../../source/network/index.ts';
import {fc} from '../support/property.ts';

const entries = parseNetworkEntries([
  'registry.npmjs.org',
  '*.github.com',
  'git.corp:8443',
  '10.1.2.3:8443',
  'localhost:3000',
  '[fd00::1]:9000',
  '8.8.8.8',
]);

const asked: readonly (readonly [host: string, port: number, outcome: string])[] = [
  ['registry.npmjs.org', 443, 'allowed'],
  ['REGISTRY.npmjs.ORG', 80, 'allowed'],
  ['registry.npmjs.org.', 443, 'allowed'],
  ['registry.npmjs.org', 22, 'port-not-listed'],
  ['evil-registry.npmjs.org', 443, 'not-listed'],
  ['registry.npmjs.org.evil.com', 443, 'not-listed'],
  ['npmjs.org', 443, 'not-listed'],
  ['api.github.com', 443, 'allowed'],
  ['a.b.github.com', 443, 'allowed'],
  ['github.com', 443, 'not-listed'],
  ['evilgithub.com', 443, 'not-listed'],
  ['api.github.com.evil.com', 443, 'not-listed'],
  ['*.github.com', 443, 'not-a-host'],
  ['git.corp', 8443, 'allowed'],
  ['git.corp', 443, 'port-not-listed'],
  ['10.1.2.3', 8443, 'allowed'],
  ['::ffff:10.1.2.3', 8443, 'allowed'],
  ['10.1.2.4', 8443, 'not-listed'],
  ['8.8.8.8', 443, 'allowed'],
  ['8.8.8.8', 53, 'port-not-listed'],
  ['localhost', 3000, 'allowed'],
  ['localhost', 3001, 'port-not-listed'],
  ['127.0.0.1', 3000, 'not-listed'],
  ['fd00:0::1', 9000, 'allowed'],
  ['127.1', 3000, 'not-a-host'],
  ['0x7f000001', 3000, 'not-a-host'],
  ['2130706433', 3000, 'not-a-host'],
  ['registry.npmjs.org\0.evil.com', 443, 'not-a-host'],
  ['registry.npmjs.org@evil.com', 443, 'not-a-host'],
  ['registry.npmjs.org#.evil.com', 443, 'not-a-host'],
  ['', 443, 'not-a-host'],
];

for (const [host, port, outcome] of asked) {
  test(`${JSON.stringify(host)}:${port} is ${outcome}`, () => {
    const permission = permissionFor(entries, host, port);
    assert.equal('blocked' in permission ? permission.blocked : 'allowed', outcome);
  });
}

const notPublic = [
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.255',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:169.254.169.254',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  '3fff::1',
];

test("what is this machine, a private network, a cloud's metadata or nobody is not public", () => {
  for (const address of notPublic)
    assert.equal(isPublicAddress(parseHost(address)!), false, address);
  for (const address of [
    '8.8.8.8',
    '1.1.1.1',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700::1111',
    '2a00:1450:4001::1',
    '2001:4860:4860::8888',
  ])
    assert.equal(isPublicAddress(parseHost(address)!), true, address);
});

test('a listed name may lead to public addresses, and to others only if they are listed with the port', () => {
  const isOwn = (address: string): boolean => address === '203.1.2.3';
  const may = (address: string, port: number): boolean =>
    isAddressAllowed(entries, address, port, isOwn);
  assert.ok(may('93.184.216.34', 443));
  for (const address of notPublic) assert.equal(may(address, 443), false, address);
  assert.ok(may('10.1.2.3', 8443), 'it is listed');
  assert.equal(may('10.1.2.3', 443), false, 'not with this port');
  assert.ok(may('127.0.0.1', 3000) && may('::1', 3000), 'localhost is listed with this port');
  assert.equal(
    may('203.1.2.3', 443),
    false,
    'an address of this machine, whatever network it is in',
  );
  assert.equal(may('not an address', 443), false);
});

test('whatever is asked for, nothing is allowed that is in no entry', () => {
  const strict = parseNetworkEntries(['a.example', '*.b.example:1234']);
  fc.assert(
    fc.property(
      fc.oneof(
        fc.domain(),
        fc.ipV4(),
        fc.ipV6(),
        fc.string({unit: 'binary'}),
        fc.domain().map((name) => `${name}.a.example`),
        fc.domain().map((name) => `a.example.${name}`),
      ),
      fc.integer({min: 0, max: 65_535}),
      (host, port) => {
        const permission = permissionFor(strict, host, port);
        assert.ok(
          'blocked' in permission || (permission.host.text.endsWith('.b.example') && port === 1234),
          `${host}:${port}`,
        );
      },
    ),
    {numRuns: 5000},
  );
});
