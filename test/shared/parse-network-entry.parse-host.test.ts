import assert from 'node:assert/strict';
import {test} from 'node:test';
import {parseHost} from '../../source/shared/index.ts';
import {fc} from '../support/property.ts';
import {scaled} from '../support/scale.ts';

const read: readonly (readonly [text: string, kind: string, canonical: string])[] = [
  ['Registry.NPMJS.org', 'name', 'registry.npmjs.org'],
  ['registry.npmjs.org.', 'name', 'registry.npmjs.org'],
  ['localhost', 'name', 'localhost'],
  ['_dmarc.example.org', 'name', '_dmarc.example.org'],
  ['1password.com', 'name', '1password.com'],
  ['xn--bcher-kva.example', 'name', 'xn--bcher-kva.example'],
  ['10.0.0.5', 'ipv4', '10.0.0.5'],
  ['10.0.0.5.', 'ipv4', '10.0.0.5'],
  ['255.255.255.255', 'ipv4', '255.255.255.255'],
  ['::1', 'ipv6', '::1'],
  ['[::1]', 'ipv6', '::1'],
  ['0:0:0:0:0:0:0:1', 'ipv6', '::1'],
  ['FE80::A', 'ipv6', 'fe80::a'],
  ['::ffff:127.0.0.1', 'ipv4', '127.0.0.1'],
  ['::ffff:7f00:1', 'ipv4', '127.0.0.1'],
  ['0:0:0:0:0:ffff:7f00:0001', 'ipv4', '127.0.0.1'],
];

for (const [text, kind, canonical] of read) {
  test(`${text} is the ${kind} ${canonical}`, () => {
    assert.deepEqual(parseHost(text), {kind, text: canonical});
  });
}

/** Each is read as an address, or as another host, by one program or another. */
const unread = [
  '',
  '.',
  '..',
  'a..b',
  '.a',
  '-a.b',
  'a-.b',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '127.0.0.01',
  '127.0.0.256',
  '1.2.3.4.5',
  'a b',
  'a\tb',
  'a\nb',
  'a\0b',
  'a%2eb',
  'a@b',
  'a/b',
  'a\\b',
  'a#b',
  'a?b',
  'ä.example',
  '127。0。0。1',
  'a:b',
  '[a]',
  '[127.0.0.1]',
  '[::1',
  '::1]',
  '::1%lo',
  '::1%25lo',
  ':::',
  '1::2::3',
  '*',
  '*.a.b',
  `${'a'.repeat(64)}.b`,
  `${'a.'.repeat(127)}ab`,
];

for (const text of unread) {
  test(`${JSON.stringify(text.slice(0, 40))} is no host`, () => {
    assert.equal(parseHost(text), undefined);
  });
}

test('what is read reads the same again, and holds nothing that could act on anything', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({unit: 'binary', maxLength: 60}), fc.ipV4(), fc.ipV6(), fc.domain()),
      (text) => {
        const host = parseHost(text);
        if (host === undefined) return;
        assert.match(host.text, /^[a-z0-9_.:-]{1,253}$/);
        assert.deepEqual(parseHost(host.text), host);
      },
    ),
    {numRuns: scaled(5000)},
  );
});

test('every address of IPv4 and IPv6 is read', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
      assert.notEqual(parseHost(text), undefined);
    }),
    {numRuns: scaled(2000)},
  );
});
