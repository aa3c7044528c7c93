import assert from 'node:assert/strict';
import path from 'node:path';
import {once} from 'node:events';
import {chmodSync, writeFileSync} from 'node:fs';
import {connect, createServer, type Socket} from 'node:net';
import {describe, test, type TestContext} from 'node:test';
import {getSocketFd} from '../../../source/system/index.ts';
import {findOtherEnd} from '../../../source/system/peer/peer-socket.ts';
import {temporaryDirectory} from '../fixtures.ts';
import {kernel} from '../support/own-kernel.ts';

/** Both ends of a connection in this process. */
async function openConnection(t: TestContext): Promise<number> {
  const file = path.join(temporaryDirectory(t), 'socket');
  const server = createServer();
  server.listen(file);
  await once(server, 'listening');
  const client = connect(file);
  const [accepted] = (await once(server, 'connection')) as [Socket];
  t.after(() => {
    client.destroy();
    accepted.destroy();
    server.close();
  });
  const fd = getSocketFd(accepted);
  assert(fd !== undefined);
  return fd;
}

/** A directory with an `ss` whose first answers are edited by these commands, one for each. */
function lyingListing(t: TestContext, edits: readonly string[]): string {
  const directory = temporaryDirectory(t);
  const count = path.join(directory, 'count');
  const cases = edits.map((edit, index) => `${index}) ${edit} ;;`).join('\n');
  writeFileSync(count, '0');
  writeFileSync(
    path.join(directory, 'ss'),
    `#!/bin/sh
n=$(cat ${count}); echo $((n + 1)) > ${count}
ss() { PATH=/usr/bin:/bin:/usr/sbin:/sbin command ss "$@"; }
case $n in
${cases}
*) ss -xHn ;;
esac
`,
  );
  chmodSync(path.join(directory, 'ss'), 0o755);
  return directory;
}

const isTrue = 'ss -xHn';
const isMissing = 'true';
const isTwice = 'ss -xHn; ss -xHn';
/** As if the other end were another socket, which leads back. */
const isForged = "ss -xHn | sed -E 's/ ([0-9]+) +\\* +([0-9]+) *$/ \\1 * 1\\2/'";

describe('a listing of the kernel that was made while sockets came and went', () => {
  for (const [name, edits] of [
    ['misses the connection once', [isMissing]],
    ['misses it three times', [isMissing, isMissing, isMissing]],
    ['names it twice', [isTwice]],
    ['does both', [isTwice, isMissing, isTrue, isMissing]],
  ] as const)
    test(`${name}: it is asked for again`, async (t) => {
      const fd = await openConnection(t);
      const expected = await findOtherEnd(fd, kernel);
      assert.equal(typeof expected, 'number');
      const searchPath = `${lyingListing(t, edits)}:${kernel.path}`;
      assert.equal(await findOtherEnd(fd, {...kernel, path: searchPath}), expected);
    });

  test('is not believed when it never becomes certain, nor when only one of two answers is', async (t) => {
    const fd = await openConnection(t);
    for (const edits of [
      Array.from({length: 12}, () => isTwice),
      Array.from({length: 12}, (_, index) => (index % 2 === 0 ? isMissing : isTrue)),
      Array.from({length: 12}, () => isForged),
    ]) {
      const answer = await findOtherEnd(fd, {
        ...kernel,
        path: `${lyingListing(t, edits)}:${kernel.path}`,
      });
      assert(typeof answer === 'object' && 'unknown' in answer, JSON.stringify(answer));
    }
  });
});
