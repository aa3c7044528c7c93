import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {
  formatHost,
  formatRefusal,
  parseAbsoluteUrl,
  parseAuthority,
  parseRefusals,
  parseSocksGreeting,
  parseSocksRequest,
} from '../../source/network/index.ts';
import {fc} from '../support/property.ts';

describe('what CONNECT names', () => {
  const read: readonly (readonly [text: string, target: object | undefined])[] = [
    ['a.b:443', {host: 'a.b', port: 443}],
    ['[::1]:80', {host: '[::1]', port: 80}],
    ['a.b', undefined],
    ['a.b:', undefined],
    ['a.b:0', undefined],
    ['a.b:065', undefined],
    ['a.b:65536', undefined],
    ['a.b:443 HTTP/1.1', undefined],
    ['http://a.b:443', undefined],
    ['u@a.b:443', undefined],
    ['a.b:443/x', undefined],
    ['a.b:443:80', undefined],
    ['::1:80', undefined],
    ['', undefined],
    ['a.b:+443', undefined],
    ['a.b:4e2', undefined],
  ];
  for (const [text, target] of read)
    test(JSON.stringify(text), () => {
      assert.deepEqual(parseAuthority(text), target);
    });
});

describe('what a proxy is asked for', () => {
  const read: readonly (readonly [text: string, target: object | undefined])[] = [
    ['http://a.b/x?y=1', {host: 'a.b', port: 80, authority: 'a.b', path: '/x?y=1'}],
    ['HTTP://a.b', {host: 'a.b', port: 80, authority: 'a.b', path: '/'}],
    ['http://a.b:8080?q', {host: 'a.b', port: 8080, authority: 'a.b:8080', path: '/?q'}],
    ['http://[::1]/x', {host: '[::1]', port: 80, authority: '[::1]', path: '/x'}],
    ['http://[::1]:99/x', {host: '[::1]', port: 99, authority: '[::1]:99', path: '/x'}],
    ['/x', undefined],
    ['https://a.b/', undefined],
    ['ftp://a.b/', undefined],
    ['http://', undefined],
    ['http://u:p@a.b/', undefined],
    ['http://a.b@evil/', undefined],
    ['http://a.b\\@evil/', undefined],
    ['http://a.b#@evil/', undefined],
    ['http://a.b/x y', undefined],
    ['http://a.b:99999/', undefined],
    ['http:///x', undefined],
    ['*', undefined],
  ];
  for (const [text, target] of read)
    test(JSON.stringify(text), () => {
      assert.deepEqual(parseAbsoluteUrl(text), target);
    });
});

describe('SOCKS 5', () => {
  const request = (...bytes: readonly number[]): Buffer => Buffer.from([5, 1, 0, ...bytes]);
  const name = Buffer.from('a.example');

  test('requests by name, IPv4 and IPv6', () => {
    assert.deepEqual(parseSocksRequest(request(3, name.length, ...name, 1, 187)), {
      value: {host: 'a.example', port: 443, isConnect: true},
      size: 7 + name.length,
    });
    assert.deepEqual(parseSocksRequest(request(1, 127, 0, 0, 1, 0, 80)), {
      value: {host: '127.0.0.1', port: 80, isConnect: true},
      size: 10,
    });
    assert.deepEqual(parseSocksRequest(request(4, ...new Array<number>(15).fill(0), 1, 0, 80)), {
      value: {host: '0:0:0:0:0:0:0:1', port: 80, isConnect: true},
      size: 22,
    });
  });

  test('a name may hold anything, and is judged later', () => {
    assert.deepEqual(parseSocksRequest(request(3, 4, 0x61, 0, 0xff, 0x0a, 0, 80)), {
      value: {host: 'a\0ÿ\n', port: 80, isConnect: true},
      size: 11,
    });
  });

  test('each beginning waits for more, and no byte of the next thing is taken', () => {
    const whole = request(3, name.length, ...name, 1, 187);
    for (let cut = 0; cut < whole.length; cut += 1)
      assert.equal(parseSocksRequest(whole.subarray(0, cut)), 'more', `after ${cut} bytes`);
    const more = parseSocksRequest(Buffer.concat([whole, Buffer.from('rest')]));
    assert.equal(typeof more === 'object' && more.size, whole.length);
  });

  test('another version, no name, an unknown kind of address, or a reserved byte is wrong', () => {
    for (const bytes of [
      [4, 1, 0, 80, 127, 0, 0, 1],
      [5, 1, 0, 3, 0, 0, 80],
      [5, 1, 0, 2, 1, 2, 3],
      [5, 1, 1, 1, 127, 0, 0, 1, 0, 80],
    ])
      assert.equal(parseSocksRequest(Buffer.from(bytes)), 'wrong', bytes.join(' '));
    assert.equal(parseSocksGreeting(Buffer.from([4, 1])), 'wrong');
    assert.deepEqual(parseSocksGreeting(Buffer.from([5, 2, 2, 0])), {
      value: {isOpen: true},
      size: 4,
    });
    assert.deepEqual(parseSocksGreeting(Buffer.from([5, 1, 2])), {value: {isOpen: false}, size: 3});
    assert.equal(parseSocksGreeting(Buffer.from([5])), 'more');
  });

  test('5,000 random bytes never throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({maxLength: 300}), (bytes) => {
        for (const parse of [parseSocksGreeting, parseSocksRequest]) {
          const reading = parse(Buffer.from(bytes));
          assert.ok(typeof reading === 'string' || reading.size <= bytes.length);
        }
      }),
      {numRuns: 5000},
    );
  });
});

test('what was refused is shown without anything that could act on a terminal', () => {
  fc.assert(
    fc.property(
      fc.string({unit: 'binary', maxLength: 400}),
      fc.integer({min: 0, max: 65_535}),
      (host, port) => {
        assert.match(formatHost(host), /^[\x20-\x7E]{0,253}$/);
        assert.match(formatRefusal({host, port}, 'not-listed'), /^[\x20-\x7E]+$/);
      },
    ),
    {numRuns: 2000},
  );
});

test('refusals that a supervisor left are read, and nothing else', () => {
  const one = {host: 'a.b', port: 443, why: 'not-listed', times: 3};
  assert.deepEqual(
    parseRefusals(
      JSON.stringify([
        one,
        {...one, host: 'x'.repeat(254)},
        {...one, why: 'because'},
        {...one, port: '1'},
        null,
        7,
        {...one, more: 1},
      ]),
    ),
    [one, one],
  );
  assert.deepEqual(parseRefusals(JSON.stringify(new Array(1000).fill(one))).length, 50);
  for (const text of ['', '{', '{}', 'null', '[[]]', '7'])
    assert.deepEqual(parseRefusals(text), []);
});
