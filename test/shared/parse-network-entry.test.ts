import assert from 'node:assert/strict';
import {test} from 'node:test';
import {networkProxyPort, parseNetworkEntry} from '../../source/shared/index.ts';

const read: readonly (readonly [
  text: string,
  shown: string,
  ports: readonly number[],
  isLocal: boolean,
  isWildcard: boolean,
])[] = [
  ['registry.npmjs.org', 'registry.npmjs.org', [80, 443], false, false],
  ['Registry.npmjs.org.', 'registry.npmjs.org', [80, 443], false, false],
  ['host.example:8443', 'host.example:8443', [8443], false, false],
  ['*.github.com', '*.github.com', [80, 443], false, true],
  ['*.github.com:22', '*.github.com:22', [22], false, true],
  ['10.0.0.5', '10.0.0.5', [80, 443], false, false],
  ['[FD00::1]:8080', '[fd00::1]:8080', [8080], false, false],
  ['fd00::1', 'fd00::1', [80, 443], false, false],
  ['localhost:3000', 'localhost:3000', [3000], true, false],
  ['127.0.0.1:5432', '127.0.0.1:5432', [5432], true, false],
  ['[::1]:8080', '[::1]:8080', [8080], true, false],
  ['[::ffff:127.0.0.1]:8080', '127.0.0.1:8080', [8080], true, false],
];

for (const [text, shown, ports, isLocal, isWildcard] of read) {
  test(`${text} is read, and written down as ${shown}`, () => {
    const reading = parseNetworkEntry(text);
    assert.ok('entry' in reading);
    const {entry} = reading;
    assert.deepEqual(
      [entry.text, entry.ports, entry.isLocal, entry.isWildcard],
      [shown, ports, isLocal, isWildcard],
    );
    assert.deepEqual(parseNetworkEntry(shown), reading);
  });
}

const rejected: readonly (readonly [text: string, message: RegExp])[] = [
  ['*', /write "network: all"/],
  ['https://github.com', /write the host alone/],
  ['github.com/x', /write the host alone/],
  ['10.0.0.0/8', /write the host alone/],
  ['*.com', /is not a host/],
  ['*', /every host/],
  ['a.*.com', /is not a host/],
  ['*.10.0.0.1', /is not a host/],
  ['*github.com', /is not a host/],
  ['0x7f.1', /is not a host/],
  ['a:0', /no port/],
  ['a:65536', /no port/],
  ['a:99999', /no port/],
  ['a:b', /is not a host/],
  ['', /is not a host/],
  ['localhost', /add the port/],
  ['localhost:80', /1024 or above/],
  ['127.0.0.1', /add the port/],
  ['::1', /add the port/],
  [`localhost:${networkProxyPort}`, /add the port/],
];

for (const [text, message] of rejected) {
  test(`${JSON.stringify(text)} is refused, with what to write`, () => {
    const reading = parseNetworkEntry(text);
    assert.ok('rejected' in reading, JSON.stringify(reading));
    assert.match(reading.rejected, message);
  });
}
