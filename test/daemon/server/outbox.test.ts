import assert from 'node:assert/strict';
import {test} from 'node:test';
import {connectDaemon, RequestRejectedError} from '../../../source/client/index.ts';
import type {Event} from '../../../source/domain/index.ts';
import {type DaemonMessage, maxFrameBytes} from '../../../source/protocol/index.ts';
import {eventually} from '../../support/eventually.ts';
import {listenAs} from '../support/listen-as.ts';
import {openWire} from '../support/wire.ts';

/** What is hardest to put into few bytes: quotes, escapes, signs of three and of four bytes. */
const hard = Array.from({length: 60_000}, (_, index) => ({
  name: `"${'\\'.repeat(5)}\u0001€世界\u{1F680}"${index}`,
}));

/** A task changed so many files. */
const getChange = (files: number): Event => ({
  type: 'change-captured',
  at: 7,
  task: 'r1.t1',
  attempt: 1,
  change: {
    tree: 'a'.repeat(40),
    files: Array.from({length: files}, (_, index) => ({
      path: `generated/"${index}"/世界/file-${index}.ts`,
      how: 'added',
      added: 1,
      removed: 0,
    })),
  },
});

const getFact = (seq: number, event: Event): DaemonMessage => ({type: 'fact', seq, event});
const getNote = (text: string): Event => ({type: 'note-added', at: 1, on: 'r1', text});

test('an answer of several megabytes arrives whole', async (t) => {
  const answer = {sessions: hard, strangers: []};
  assert.ok(JSON.stringify(answer).length > 2 * maxFrameBytes);
  const {address} = await listenAs(t, {answer: () => Promise.resolve(answer)});
  const daemon = await connectDaemon(address);
  const [one, other] = await Promise.all([
    daemon.ask({about: 'sessions'}),
    daemon.ask({about: 'sessions'}),
  ]);
  assert.deepEqual(one, answer);
  assert.deepEqual(other, answer);
  daemon.close();
});

test('a client of an earlier build is told that an answer is too long, and can go on asking', async (t) => {
  const {address} = await listenAs(t, {answer: () => Promise.resolve(hard)});
  const wire = await openWire(address.socket);
  t.after(() => wire.socket.destroy());
  wire.print({type: 'hello', protocol: {min: 1, max: 1}, build: 'earlier', token: 'token'});
  await wire.onMessage('welcome');
  wire.print({type: 'ask', id: 1, question: {about: 'sessions'}});
  assert.deepEqual(await wire.onMessage('refusal'), {
    type: 'refusal',
    id: 1,
    text: 'the answer is too long to send',
  });
  assert.equal(wire.isClosed(), false);
});

test('an event of any size arrives, from the past and as it happens, whole and in its place', async (t) => {
  // Around the size of a frame, to a byte, and far beyond it.
  const edge = maxFrameBytes - JSON.stringify(getFact(1, getNote(''))).length;
  const events = [
    getNote('first'),
    getChange(25_000),
    ...[-2, -1, 0, 1].map((more) => getNote('x'.repeat(edge + more))),
    getNote('€"\\'.repeat(400_000)),
    getNote('last'),
  ];
  const past = events.map((event, index) => getFact(index + 1, event));
  const {address, serving} = await listenAs(t, {
    answer: (_question, client) => {
      client.follow(past);
      return Promise.resolve({});
    },
  });
  const received: DaemonMessage[] = [];
  const daemon = await connectDaemon(address, {facts: (fact) => received.push(fact)});
  t.after(daemon.close);
  await daemon.ask({about: 'events', from: 0});
  const live = events.map((event, index) => getFact(events.length + index + 1, event));
  for (const [index, fact] of live.entries()) serving.notify(events.length + index + 1, fact);
  await eventually('all have come', () => received.length === 2 * events.length);
  assert.deepEqual(received, [...past, ...live]);
});

for (const abilities of [{}, {parts: true}]) {
  test(`a client that cannot put events together is told so and let go, and gets nothing after the gap (${JSON.stringify(abilities)})`, async (t) => {
    const past = [
      getFact(1, getNote('short')),
      getFact(2, getChange(25_000)),
      getFact(3, getNote('after')),
    ];
    for (const isLive of [false, true]) {
      const {address, serving} = await listenAs(t, {
        answer: (_question, client) => {
          client.follow(isLive ? [] : past);
          return Promise.resolve({});
        },
      });
      const wire = await openWire(address.socket);
      t.after(() => wire.socket.destroy());
      wire.print({
        type: 'hello',
        protocol: {min: 1, max: 1},
        build: 'earlier',
        token: 'token',
        ...abilities,
      });
      wire.print({type: 'ask', id: 1, question: {about: 'events', from: 0}});
      if (isLive) {
        await wire.onMessage('answer');
        for (const [index, fact] of past.entries()) serving.notify(index + 1, fact);
      }

      const {code, text} = await wire.onMessage('error');
      assert.equal(code, 'version');
      assert.match(text, /an event is too long for this client/);
      await eventually('it is let go', wire.isClosed);
      assert.deepEqual(
        wire.received.flatMap((message) => (message.type === 'fact' ? [message.seq] : [])),
        [1],
      );
    }
  });
}

test('a long history and long answers reach a reader that is slow at first; events that happen meanwhile do not cut it off', async (t) => {
  const past = Array.from({length: 60}, (_, index) =>
    getFact(index + 1, getNote('x'.repeat(800_000))),
  );
  const state = {notes: hard};
  const {address, serving} = await listenAs(t, {
    answer: (question, client) => {
      if (question.about === 'events') client.follow(past);
      return Promise.resolve(question.about === 'state' ? state : {});
    },
  });
  const wire = await openWire(address.socket);
  t.after(() => wire.socket.destroy());
  wire.print({
    type: 'hello',
    protocol: {min: 1, max: 1},
    build: 'test',
    token: 'token',
    parts: true,
    factParts: true,
  });
  await wire.onMessage('welcome');
  wire.socket.pause();
  wire.print({type: 'ask', id: 1, question: {about: 'events', from: 0}});
  for (let id = 2; id <= 6; id++) wire.print({type: 'ask', id, question: {about: 'state'}});
  await eventually('it follows', () => serving.followers() === 1);
  for (let seq = 61; seq <= 100; seq++)
    serving.notify(seq, getFact(seq, getNote('y'.repeat(500_000))));
  assert.equal(serving.clients(), 1);
  wire.socket.resume();
  await eventually(
    'all have come',
    () =>
      wire.received.filter(({type}) => type === 'fact').length === 100 &&
      wire.received.filter(({type}) => type === 'answer').length === 6,
  );
  assert.deepEqual(
    wire.received.flatMap((message) => (message.type === 'fact' ? [message.seq] : [])),
    Array.from({length: 100}, (_, index) => index + 1),
  );
  assert.equal(wire.isClosed(), false);
});

test('a refusal that quotes what was asked is cut, and a value that is no JSON is refused: neither ends the daemon', async (t) => {
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;
  const {address} = await listenAs(t, {
    answer: (question) =>
      question.about === 'sessions'
        ? Promise.resolve(circular)
        : Promise.reject(new Error(JSON.stringify('"'.repeat(2_000_000)))),
  });
  const daemon = await connectDaemon(address);
  t.after(daemon.close);
  await assert.rejects(
    daemon.ask({about: 'facts'}),
    (error) => error instanceof RequestRejectedError && error.message.length <= 16 * 1024,
  );
  await assert.rejects(daemon.ask({about: 'sessions'}), /cannot be written as JSON/);
});

test('a question that is too long is refused where it is asked, with what to do, and the connection stays', async (t) => {
  const {address} = await listenAs(t, {answer: () => Promise.resolve('fine')});
  const daemon = await connectDaemon(address);
  t.after(daemon.close);
  const command = {type: 'start-session', name: 'x', command: ['true'], directory: '/'} as const;
  await assert.rejects(
    daemon.ask({about: 'wish', wish: command, env: {LONG: 'x'.repeat(maxFrameBytes)}}),
    (error) =>
      error instanceof RequestRejectedError &&
      error.message.includes('expected at most 1048576 bytes'),
  );
  assert.equal(await daemon.ask({about: 'daemon'}), 'fine');
});
