import assert from 'node:assert/strict';
import process from 'node:process';
import {Buffer} from 'node:buffer';
import {test} from 'node:test';
import {
  createFrameReader,
  encodeFrame,
  encodeMessage,
  encodeNumbered,
  type Frame,
  maxFrameBytes,
  parseNumbered,
} from '../../source/protocol/index.ts';
import {createRandom, type Random} from '../support/random.ts';

test('a frame is its length, its kind and its payload, to the byte', () => {
  assert.equal(
    encodeMessage({a: 1}).toString('hex'),
    `0000000800${Buffer.from('{"a":1}').toString('hex')}`,
  );
  assert.equal(encodeFrame('output', Buffer.from('hi')).toString('hex'), '00000003016869');
  assert.equal(
    encodeNumbered('input', 0x1_2345_6789, Buffer.from('y')).toString('hex'),
    '0000000a02000000012345678979',
  );
  assert.deepEqual(parseNumbered(Buffer.from('000000012345678979', 'hex')), {
    number: 0x1_2345_6789,
    bytes: Buffer.from('y'),
  });
  assert.equal(parseNumbered(Buffer.alloc(7)), undefined);
  assert.equal(parseNumbered(Buffer.alloc(8, 0xff)), undefined);
});

test('frames come out as they went in, however the stream is cut', () => {
  for (let seed = 0; seed < 300; seed += 1) {
    const random = createRandom(seed);
    const frames = Array.from({length: 1 + random.below(12)}, () => frameByChance(random));
    const stream = Buffer.concat(frames.map(encode));
    const reader = createFrameReader();
    const read: Frame[] = [];
    for (let start = 0; start < stream.length;) {
      const end = start + 1 + random.below(random.pick([3, 40, 3000, 200_000]));
      // A socket's chunk is memory of its own.
      const {frames: some, violation} = reader.read(Buffer.from(stream.subarray(start, end)));
      assert.equal(violation, undefined);
      read.push(...some);
      start = end;
    }

    assert.deepEqual(read, frames, `seed ${seed}`);
  }
});

test('the longest frame passes, a longer one can be neither made nor read', () => {
  const payload = Buffer.alloc(maxFrameBytes - 1, 7);
  const {frames} = createFrameReader().read(encodeFrame('output', payload));
  assert.deepEqual(frames, [{kind: 'output', payload}]);
  assert.throws(() => encodeFrame('output', Buffer.alloc(maxFrameBytes)), RangeError);
  assert.throws(() => encodeNumbered('output', 0, Buffer.alloc(maxFrameBytes - 8)), RangeError);
});

test('a violation is told with the frames before it, as soon as the header is there, and ends the reading', () => {
  const good = encodeMessage({type: 'go'});
  const bad: [name: string, bytes: Buffer][] = [
    ['4 GB', Buffer.from([0xff, 0xff, 0xff, 0xff, 0])],
    ['one byte too long', Buffer.from([0, 0x10, 0, 1, 1])],
    ['no kind', Buffer.from([0, 0, 0, 0, 0])],
    ['an unknown kind', Buffer.from([0, 0, 0, 9, 3])],
    ['no JSON', encodeFrame('control', Buffer.from('{'))],
    ['deep JSON', encodeFrame('control', Buffer.from('['.repeat(1_000_000)))],
    ['empty JSON', encodeFrame('control', Buffer.alloc(0))],
  ];
  for (const [name, bytes] of bad) {
    const reader = createFrameReader();
    const {frames, violation} = reader.read(Buffer.concat([good, bytes]));
    assert.deepEqual(frames, [{kind: 'control', value: {type: 'go'}}], name);
    assert.equal(typeof violation, 'string', name);
    assert.deepEqual(reader.read(good), {frames: [], violation}, name);
  }
});

test('rubbish never throws, and what it claims is never allocated', () => {
  const before = process.memoryUsage().arrayBuffers;
  const readers = Array.from({length: 2000}, (_, seed) => {
    const random = createRandom(`rubbish ${seed}`);
    const reader = createFrameReader();
    // Half of them claim a long frame that never comes.
    if (seed % 2 === 0) reader.read(Buffer.from([0, 0x0f, 0xff, 0xff, 1]));
    for (let chunk = 0; chunk < 5; chunk += 1)
      reader.read(Buffer.from(Array.from({length: random.below(30)}, () => random.below(256))));
    return reader;
  });
  assert(process.memoryUsage().arrayBuffers - before < 20_000_000);
  assert.equal(readers.length, 2000);
});

test('a frame that comes byte by byte is read in linear time', () => {
  const frame = encodeFrame('output', Buffer.alloc(300_000, 5));
  const reader = createFrameReader();
  let frames: readonly Frame[] = [];
  for (const byte of frame) ({frames} = reader.read(Buffer.of(byte)));
  assert.equal(frames.length, 1);
});

function encode(frame: Frame): Buffer {
  return frame.kind === 'control'
    ? encodeMessage(frame.value as object)
    : encodeFrame(frame.kind, frame.payload);
}

function frameByChance(random: Random): Frame {
  const size = random.below(random.pick([1, 20, 5000, 150_000]));
  if (random.chance(0.4))
    return {kind: 'control', value: {text: '€'.repeat(size / 3), number: size}};
  return {
    kind: random.pick(['output', 'input']),
    payload: Buffer.from(Array.from({length: size}, () => random.below(256))),
  };
}
