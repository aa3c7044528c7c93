import assert from 'node:assert/strict';
import {test} from 'node:test';
import {connectDaemon, Refused} from '../../source/client/index.ts';
import type {Event} from '../../source/domain/index.ts';
import {longestFrame, type DaemonMessage} from '../../source/protocol/index.ts';
import {eventually} from '../support/eventually.ts';
import {listenAs} from './support/listen-as.ts';
import {openWire} from './support/wire.ts';

/** What is hardest to put into few bytes: quotes, escapes, signs of three and of four bytes. */
const hard = Array.from({length: 60_000}, (_, index) => ({
  name: `"${'\\'.repeat(5)}\u0001€世界\u{1F680}"${index}`,
}));

/** A task changed so many files. */
const changeOf = (files: number): Event => ({
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

const factOf = (seq: number, event: Event): DaemonMessage => ({type: 'fact', seq, event});
const noteOf = (text: string): Event => ({type: 'note-added', at: 1, on: 'r1', text});

test('an answer of several megabytes arrives whole', async (t) => {
  const answer = {sessions: hard, strangers: []};
  assert.ok(JSON.stringify(answer).length > 2 * longestFrame);
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
  wire.say({type: 'hello', protocol: {min: 1, max: 1}, build: 'earlier', token: 'token'});
  await wire.hear('welcome');
  wire.say({type: 'ask', id: 1, question: {about: 'sessions'}});
  assert.deepEqual(await wire.hear('refusal'), {
    type: 'refusal',
    id: 1,
    text: 'the answer is too long to be sent',
  });
  assert.equal(wire.isClosed(), false);
});

test('an event of any size arrives, from the past and as it happens, whole and in its place', async (t) => {
  // Around the size of a frame, to a byte, and far beyond it.
  const edge = longestFrame - JSON.stringify(factOf(1, noteOf(''))).length;
  const events = [
    noteOf('first'),
    changeOf(25_000),
    ...[-2, -1, 0, 1].map((more) => noteOf('x'.repeat(edge + more))),
    noteOf('€"\\'.repeat(400_000)),
    noteOf('last'),
  ];
  const past = events.map((event, index) => factOf(index + 1, event));
  const {address, serving} = await listenAs(t, {
    answer: (_question, client) => {
      client.follow(past);
      return Promise.resolve({});
    },
  });
  const heard: DaemonMessage[] = [];
  const daemon = await connectDaemon(address, {facts: (fact) => heard.push(fact)});
  t.after(daemon.close);
  await daemon.ask({about: 'events', from: 0});
  const live = events.map((event, index) => factOf(events.length + index + 1, event));
  for (const [index, fact] of live.entries()) serving.tell(events.length + index + 1, fact);
  await eventually('all have come', () => heard.length === 2 * events.length);
  assert.deepEqual(heard, [...past, ...live]);
});

for (const abilities of [{}, {parts: true}]) {
  test(`a client that cannot put events together is told so and let go, and gets nothing after the gap (${JSON.stringify(abilities)})`, async (t) => {
    const past = [
      factOf(1, noteOf('short')),
      factOf(2, changeOf(25_000)),
      factOf(3, noteOf('after')),
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
      wire.say({
        type: 'hello',
        protocol: {min: 1, max: 1},
        build: 'earlier',
        token: 'token',
        ...abilities,
      });
      wire.say({type: 'ask', id: 1, question: {about: 'events', from: 0}});
      if (isLive) {
        await wire.hear('answer');
        for (const [index, fact] of past.entries()) serving.tell(index + 1, fact);
      }

      const {code, text} = await wire.hear('error');
      assert.equal(code, 'version');
      assert.match(text, /an event is too long for this client/);
      await eventually('it is let go', wire.isClosed);
      assert.deepEqual(
        wire.heard.flatMap((message) => (message.type === 'fact' ? [message.seq] : [])),
        [1],
      );
    }
  });
}

test('a long history and long answers reach a reader that is slow at first; events that happen meanwhile do not cut it off', async (t) => {
  const past = Array.from({length: 60}, (_, index) =>
    factOf(index + 1, noteOf('x'.repeat(800_000))),
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
  wire.say({
    type: 'hello',
    protocol: {min: 1, max: 1},
    build: 'test',
    token: 'token',
    parts: true,
    factParts: true,
  });
  await wire.hear('welcome');
  wire.socket.pause();
  wire.say({type: 'ask', id: 1, question: {about: 'events', from: 0}});
  for (let id = 2; id <= 6; id++) wire.say({type: 'ask', id, question: {about: 'state'}});
  await eventually('it follows', () => serving.followers() === 1);
  for (let seq = 61; seq <= 100; seq++) serving.tell(seq, factOf(seq, noteOf('y'.repeat(500_000))));
  assert.equal(serving.clients(), 1);
  wire.socket.resume();
  await eventually(
    'all have come',
    () =>
      wire.heard.filter(({type}) => type === 'fact').length === 100 &&
      wire.heard.filter(({type}) => type === 'answer').length === 6,
  );
  assert.deepEqual(
    wire.heard.flatMap((message) => (message.type === 'fact' ? [message.seq] : [])),
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
    (error) => error instanceof Refused && error.message.length <= 16 * 1024,
  );
  await assert.rejects(daemon.ask({about: 'sessions'}), /cannot be put into JSON/);
});

test('a question that is too long is refused where it is asked, with what to do, and the connection stays', async (t) => {
  const {address} = await listenAs(t, {answer: () => Promise.resolve('fine')});
  const daemon = await connectDaemon(address);
  t.after(daemon.close);
  const wish = {type: 'start-session', name: 'x', command: ['true'], directory: '/'} as const;
  await assert.rejects(
    daemon.ask({about: 'wish', wish, env: {LONG: 'x'.repeat(longestFrame)}}),
    (error) => error instanceof Refused && error.message.includes('expected at most 1048576 bytes'),
  );
  assert.equal(await daemon.ask({about: 'daemon'}), 'fine');
});
