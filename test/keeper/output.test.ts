import assert from 'node:assert/strict';
import path from 'node:path';
import {Buffer} from 'node:buffer';
import {readFileSync, readdirSync, statSync, writeFileSync} from 'node:fs';
import {test} from 'node:test';
import {readLog, readTimes} from '../../source/keeper/index.ts';
import {createRandom} from '../support/random.ts';
import {eventually} from '../support/eventually.ts';
import {connect, meet} from './support/client.ts';
import {
  getLog,
  launchWithClient,
  prepare,
  release,
  save,
  startKeeperFixture,
} from './support/keeper-fixture.ts';

/** A file of bytes by chance. */
function makeNoise(
  directory: string,
  size: number,
): {readonly file: string; readonly bytes: Buffer} {
  const random = createRandom(size);
  const bytes = Buffer.from(
    Uint32Array.from({length: size / 4}, () => random.below(2 ** 32)).buffer,
  );
  const file = path.join(directory, 'noise');
  writeFileSync(file, bytes);
  return {file, bytes};
}

test('whoever loses the connection 50 times during a flood and comes back has every byte once', async (t) => {
  const {file, bytes} = makeNoise(prepare(t, '').directory, 4_000_000);
  const keeper = await save(t, `stty raw; cat ${file} ${file} ${file} ${file} ${file}`);
  const watcher = await meet(keeper.launch);
  watcher.ask({type: 'go'});
  await watcher.onMessage('going');
  const random = createRandom('reconnect');
  const parts: Buffer[] = [];
  let received = 0;
  let duringFlood = 0;
  for (let cut = 0; cut < 50; cut += 1) {
    const client = await meet(keeper.launch);
    client.ask({type: 'attach', from: received});
    const wanted = random.below(200_000);
    client.socket.on('data', () => {
      if (client.output().length > wanted) client.close();
    });
    await eventually('enough output for this time', () => client.isClosed());
    if (watcher.replies.every(({type}) => type !== 'exit')) duringFlood += 1;
    parts.push(client.output());
    received += client.output().length;
  }

  const last = await meet(keeper.launch);
  last.ask({type: 'attach', from: received});
  await last.onMessage('exit');
  const whole = Buffer.concat([...parts, last.output()]);
  const expected = Buffer.concat([bytes, bytes, bytes, bytes, bytes]);
  assert.equal(whole.length, expected.length);
  assert(whole.equals(expected));
  assert(getLog(keeper.directory).equals(expected));
  t.diagnostic(`${duringFlood} of 50 cuts while the program was writing`);
  await release(keeper, last);
});

test('bytes are not touched, whether they are text or not, and wherever they are split', async (t) => {
  const text = Buffer.from('aé€😀👩‍👩‍👧‍👦\u0000\u001B]0;title\u0007');
  const {file, bytes} = makeNoise(prepare(t, '').directory, 40_000);
  const writes = [...text]
    .map((byte) => `printf '\\${byte.toString(8).padStart(3, '0')}'`)
    .join('; ');
  const keeper = await startKeeperFixture(t, `stty raw; ${writes}; cat ${file}`);
  const client = await launchWithClient(keeper);
  await client.onMessage('exit');
  assert(client.output().equals(Buffer.concat([text, bytes])));
  assert(getLog(keeper.directory).equals(Buffer.concat([text, bytes])));
  await release(keeper, client);
});

test('all who are attached see the same, from wherever each began; who detaches sees no more', async (t) => {
  const keeper = await startKeeperFixture(t, 'echo one; read a; echo two; read b; echo three');
  const first = await launchWithClient(keeper);
  await eventually('the first line', () => first.output().toString() === 'one\r\n');
  const second = await meet(keeper.launch);
  second.ask({type: 'attach', from: 2});
  second.type(1, '\n');
  await eventually('the second line', () => second.output().toString() === 'e\r\n\r\ntwo\r\n');
  second.ask({type: 'detach'});
  await second.onMessage('detached');
  first.type(2, '\n');
  await first.onMessage('exit');
  await second.onMessage('exit');
  assert.equal(first.output().toString(), 'one\r\n\r\ntwo\r\n\r\nthree\r\n');
  assert.equal(second.output().toString(), 'e\r\n\r\ntwo\r\n');
  second.ask({type: 'attach', from: 99});
  assert.deepEqual(await second.onMessage('error'), {
    type: 'error',
    code: 'offset',
    verb: 'attach',
  });
  second.ask({type: 'attach', from: first.output().length});
  await second.onMessage('attached');
  await second.onMessage('exit');
  second.close();
  await release(keeper, first);
});

test('of a long output the head and the tail are kept, and whoever asks for the middle is told of the gap', async (t) => {
  const log = {head: 10_000, tail: 80_000};
  const {file, bytes} = makeNoise(prepare(t, '').directory, 1_000_000);
  const keeper = await startKeeperFixture(t, `stty raw; cat ${file}`, {log});
  const live = await launchWithClient(keeper);
  await live.onMessage('exit');
  const late = await meet(keeper.launch);
  late.ask({type: 'attach', from: 4000});
  await late.onMessage('exit');
  const gap = await late.onMessage('gap');
  late.ask({type: 'status'});
  const {head, first, bytes: end} = await late.onMessage('status');
  assert.deepEqual([head, first, end], [10_000, gap.to, 1_000_000]);
  assert.equal(gap.from, 10_000);
  assert(
    end - first <= log.tail && end - first >= log.tail * (15 / 16) - 5000,
    String(end - first),
  );
  assert(late.output().equals(Buffer.concat([bytes.subarray(4000, head), bytes.subarray(first)])));

  late.ask({type: 'attach', from: 500_000});
  assert.deepEqual(await late.onMessage('gap'), {type: 'gap', from: 500_000, to: first});
  const files = readdirSync(path.join(keeper.directory, 'out'));
  const sizes = files
    .filter((name) => !name.endsWith('.times'))
    .map((name) => statSync(path.join(keeper.directory, 'out', name)).size);
  assert(sizes.reduce((sum, size) => sum + size, 0) <= log.head + log.tail);
  assert.equal(files.length, 2 * sizes.length, 'each has its times');

  const pieces = [...readLog(keeper.directory, 9_990, first + 10)];
  assert.deepEqual(
    pieces.map(({offset, bytes: {length}}) => [offset, length]),
    [
      [9_990, 10],
      [first, 10],
    ],
  );
  assert(
    getLog(keeper.directory, first + 5, first + 25).equals(bytes.subarray(first + 5, first + 25)),
  );
  late.close();
  await release(keeper, live);
});

test('the times tell when what came, and on which screen', async (t) => {
  const keeper = await startKeeperFixture(t, 'echo one; read a; echo two; read b; echo three', {
    log: {head: 12, tail: 1600},
  });
  const launched = performance.now();
  const client = await launchWithClient(keeper);
  await eventually('the first line', () => client.output().length === 5);
  const began = performance.now();
  await eventually('a moment passes', () => performance.now() > began + 50);
  client.ask({type: 'resize', columns: 90, rows: 30});
  await client.onMessage('resized');
  client.type(1, '\n');
  await eventually('the second line', () => client.output().toString().includes('two'));
  const marks = readTimes(keeper.directory);
  assert.deepEqual([marks[0]!.offset, marks[0]!.columns, marks[0]!.rows], [0, 80, 24]);
  const resized = marks.find(({columns}) => columns === 90)!;
  assert.deepEqual([resized.offset, resized.rows], [5, 30]);
  assert(
    resized.at - marks[0]!.at >= 50 &&
      resized.at - marks[0]!.at <= performance.now() - launched + 1,
    String(resized.at),
  );
  assert.deepEqual(
    marks,
    marks.toSorted((a, b) => a.at - b.at || a.offset - b.offset),
  );
  client.type(2, '\n');
  await client.onMessage('exit');
  const nextSegment = readTimes(keeper.directory).find(({offset}) => offset === 12)!;
  assert.deepEqual(
    [nextSegment.columns, nextSegment.rows],
    [90, 30],
    'each segment says its size anew',
  );
  await release(keeper, client);
});

test('who does not read slows nobody and costs little: 100 MB pass a viewer that has stopped', async (t) => {
  const {file} = makeNoise(prepare(t, '').directory, 4_000_000);
  const keeper = await save(
    t,
    `stty raw; i=0; while [ $i -lt 25 ]; do cat ${file}; i=$((i+1)); done`,
  );
  const deaf = await connect(keeper.launch);
  deaf.ask({type: 'hello', protocol: {min: 1, max: 1}, token: keeper.launch.token});
  deaf.ask({type: 'attach', from: 0});
  await deaf.onMessage('attached');
  deaf.socket.pause();
  const client = await meet(keeper.launch);
  const memory = (): number => Number(/VmHWM:\s+(\d+)/.exec(getStatus(keeper.pid))![1]) / 1024;
  const before = memory();
  const began = performance.now();
  client.ask({type: 'go'});
  const exit = await client.onMessage('exit', 300_000);
  const seconds = (performance.now() - began) / 1000;
  assert.equal(exit.bytes, 100_000_000);
  const growth = memory() - before;
  assert(growth < 30, `the keeper grew by ${growth} MB`);
  t.diagnostic(`${(100 / seconds).toFixed(0)} MB/s, the keeper grew by ${growth.toFixed(1)} MB`);

  deaf.socket.resume();
  await deaf.onMessage('exit', 300_000);
  const gap = deaf.replies.find((reply) => reply.type === 'gap')!;
  assert.equal(deaf.output().length, gap.from + 100_000_000 - gap.to);
  deaf.close();
  await release(keeper, client);
});

function getStatus(pid: number): string {
  return readFileSync(`/proc/${pid}/status`, 'utf8');
}
