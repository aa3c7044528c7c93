import assert from 'node:assert/strict';
import {Buffer} from 'node:buffer';
import {once} from 'node:events';
import {readdirSync} from 'node:fs';
import {connect} from 'node:net';
import {test, type TestContext} from 'node:test';
import {readToken} from '../../../source/cli/repo-paths.ts';
import {encodeFrame, encodeMessage} from '../../../source/protocol/index.ts';
import {eventually} from '../../support/eventually.ts';
import {createDaemonFixture, type DaemonFixture} from '../support/daemon-fixture.ts';
import {openWire, type Wire} from '../support/wire.ts';

type Fixture = {
  readonly place: DaemonFixture;
  readonly pid: number;
  readonly connect: () => Promise<Wire>;
  readonly greet: () => Promise<Wire>;
  readonly hello: object;
  readonly isUnmoved: () => Promise<void>;
};

/** A daemon with one session, and ways to be rude to it. */
async function prepare(t: TestContext): Promise<Fixture> {
  const fixture = createDaemonFixture(t);
  await fixture.start('sleep', '1000');
  await eventually('it runs', async () => (await fixture.sessionOf('s1'))?.status === 'running');
  const {socket} = fixture.current();
  const pid = (await fixture.daemonPid())!;
  const wires: Wire[] = [];
  t.after(() => {
    for (const wire of wires) wire.socket.destroy();
  });
  const hello = {
    type: 'hello',
    protocol: {min: 1, max: 1},
    build: 'test',
    token: readToken(fixture.current()),
  };
  const connect = async (): Promise<Wire> => {
    const wire = await openWire(socket);
    wires.push(wire);
    return wire;
  };

  const greet = async (): Promise<Wire> => {
    const wire = await connect();
    wire.print(hello);
    await wire.onMessage('welcome');
    return wire;
  };

  return {
    place: fixture,
    pid,
    connect,
    greet,
    hello,
    isUnmoved: async () => {
      assert.equal(await fixture.daemonPid(), pid, 'it is the same daemon');
      assert.equal((await fixture.sessionOf('s1'))?.status, 'running');
    },
  };
}

test('a client of another version is told so at once, and how to go on', async (t) => {
  const {connect, hello, isUnmoved} = await prepare(t);
  const wire = await connect();
  wire.print({...hello, protocol: {min: 99, max: 99}});
  const {code, text, have} = await wire.onMessage('error');
  assert.deepEqual([code, have], ['version', {min: 1, max: 1}]);
  assert.match(text, /Update the daemon, which keeps every session: orchestra daemon restart/);
  await eventually('it hangs up', wire.isClosed);
  await isUnmoved();
});

test('without the token nobody is heard', async (t) => {
  const {connect, hello, isUnmoved} = await prepare(t);
  const {token} = hello as {token: string};
  for (const wrong of [
    '',
    'x',
    `${token}x`,
    `ü${token.slice(1)}`,
    token.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')),
  ]) {
    const wire = await connect();
    wire.print({...hello, token: wrong});
    wire.print({type: 'ask', id: 1, question: {about: 'daemon'}});
    assert.equal((await wire.onMessage('error')).code, 'token');
    await eventually('it hangs up', wire.isClosed);
    assert.deepEqual(
      wire.received.map(({type}) => type),
      ['error'],
    );
  }

  const rude = await connect();
  rude.print({type: 'ask', id: 1, question: {about: 'stop-daemon'}});
  assert.equal((await rude.onMessage('error')).code, 'malformed');
  await isUnmoved();
});

test('what a client asked for before it left is judged, even if the daemon reads it later', async (t) => {
  const {place, pid, connect, hello, isUnmoved} = await prepare(t);
  process.kill(pid, 'SIGSTOP');
  try {
    const wire = await connect();
    // More than the daemon handles at once.
    const ask = Array.from({length: 40}, (_, id) => ({about: 'events', from: id}));
    const command = {
      about: 'wish',
      wish: {type: 'start-session', name: 'x', command: ['true'], directory: '/'},
    };
    const messages = [
      hello,
      ...[...ask, command].map((question, id) => ({type: 'ask', id, question})),
    ];
    wire.socket.write(Buffer.concat(messages.map((message) => encodeMessage(message as never))));
    wire.socket.destroy();
    await eventually('the client has left', wire.isClosed);
  } finally {
    process.kill(pid, 'SIGCONT');
  }

  await eventually('the rejected command is written down', () =>
    place
      .events()
      .some((event) => event.type === 'intrusion-refused' && event.intent === 'start-session'),
  );
  assert.deepEqual(
    place.events().filter((event) => event.type === 'session-asked').length,
    1,
    'nothing was started for a client that has left',
  );
  await isUnmoved();
});

test('whoever is malformed, too long or mute loses its own connection', async (t) => {
  const {connect, greet, isUnmoved} = await prepare(t);
  const length = Buffer.alloc(5);
  length.writeUInt32BE(0xffff_ffff);
  const bad: readonly (readonly [string, Uint8Array | string])[] = [
    ['not a frame', 'GET / HTTP/1.1\r\n\r\n'],
    ['4 GB', length],
    ['no length', Buffer.alloc(5)],
    ['an unknown kind', Buffer.from([0, 0, 0, 2, 9, 9])],
    ['no JSON', encodeFrame('control', Buffer.from('{"type":'))],
    ['not a message', encodeMessage([1, 2])],
    ['an unknown message', encodeMessage({type: 'dance'})],
    ['bytes', encodeFrame('input', Buffer.alloc(9))],
    ['a question without words', encodeMessage({type: 'ask', id: 1, question: {}})],
    ['a number that is none', encodeMessage({type: 'ask', id: -1, question: {about: 'daemon'}})],
  ];
  for (const [what, bytes] of bad) {
    for (const open of [connect, greet]) {
      const wire = await open();
      wire.write(bytes);
      await eventually(`${what}: it hangs up`, wire.isClosed);
    }
  }

  const loris = await connect();
  const drip = setInterval(() => {
    loris.write(Buffer.alloc(1));
  }, 100);
  await eventually('the slow one is dropped', loris.isClosed);
  clearInterval(drip);
  await isUnmoved();
});

test('nonsense in a question is refused with words and ends nothing', async (t) => {
  const {greet, isUnmoved, place} = await prepare(t);
  const before = place.events().length;
  const wire = await greet();
  const questions: readonly object[] = [
    {about: 'the weather'},
    {about: 'wish'},
    {about: 'wish', wish: null},
    {about: 'wish', wish: {type: 'constructor'}},
    {about: 'wish', wish: {type: '__proto__'}},
    // Only the world reports; a client that could would make anything true.
    {
      about: 'wish',
      wish: {type: 'report', saw: {type: 'session-exited', session: 's1', code: 0, signal: null}},
    },
    {about: 'wish', wish: {type: 'start-session', name: 'x', command: 'ls', directory: '/'}},
    {about: 'wish', wish: {type: 'start-session', name: 'x', command: [], directory: '/'}},
    {about: 'wish', wish: {type: 'start-session', name: 'x', command: ['a\0b'], directory: '/'}},
    {about: 'wish', wish: {type: 'start-session', name: 'x', command: ['ls'], directory: 'here'}},
    {about: 'wish', wish: {type: 'send-input', session: 's1', text: 7}},
    {about: 'wish', wish: {type: 'send-input', session: 's1', text: 'x'.repeat(600_000)}},
    {about: 'explain', session: 7},
    {about: 'explain', session: '../../etc'},
    {about: 'ticket', session: 's1/../s2'},
    {about: 'ticket', session: 's99'},
    {about: 'usage'},
    {about: 'usage', sessions: 's1'},
    {about: 'usage', sessions: {length: 1e9}},
  ];
  for (const [id, question] of questions.entries()) wire.print({type: 'ask', id, question});
  await eventually('every one is answered', () => wire.received.length === questions.length + 1);
  assert.deepEqual(
    wire.received.slice(1).filter(({type}) => type !== 'refusal'),
    [],
  );
  assert.equal(place.events().length, before, 'nothing of it is in the journal');
  await isUnmoved();
});

/**
 * So many connections that say nothing; whoever of them is dropped comes again, until it is over.
 */
async function floodWhile(socket: string, count: number, act: () => Promise<void>): Promise<void> {
  let isOver = false;
  const comeAgain = async (): Promise<void> => {
    while (!isOver) {
      const silent = connect(socket);
      const closed = once(silent, 'close').catch(() => undefined);
      await eventually('it is dropped, or all is over', () => isOver || silent.destroyed);
      silent.destroy();
      await closed;
    }
  };
  const flood = Promise.all(Array.from({length: count}, comeAgain));
  try {
    await act();
  } finally {
    isOver = true;
    await flood;
  }
}

for (const count of [64, 500, 1500]) {
  test(`${count} connections of somebody without the token: a person's command is answered, and nobody who has the token loses its place`, async (t) => {
    const {greet, isUnmoved, place} = await prepare(t);
    const follower = await greet();
    follower.print({type: 'ask', id: 1, question: {about: 'events', from: 0}});
    await follower.onMessage('answer');
    await floodWhile(place.current().socket, count, async () => {
      for (const command of [['status'], ['sessions'], ['daemon', 'status'], ['needs']]) {
        const {code, err} = await place.launch(...command);
        assert.equal(code, 0, `${command.join(' ')}: ${err}`);
      }
    });
    assert.equal(follower.isClosed(), false);
    await isUnmoved();
  });
}

test("64 programs follow and 64 have nothing to ask: a person's command is answered", async (t) => {
  const {greet, isUnmoved, place, pid} = await prepare(t);
  const openFiles = (): number => readdirSync(`/proc/${pid}/fd`).length;
  const before = openFiles();
  const followers = await Promise.all(Array.from({length: 64}, greet));
  for (const wire of followers)
    wire.print({type: 'ask', id: 1, question: {about: 'events', from: 0}});
  for (const wire of followers) await wire.onMessage('answer');
  const silent = await Promise.all(Array.from({length: 64}, greet));
  for (const command of [['status'], ['sessions'], ['daemon', 'status']]) {
    const {code, err} = await place.launch(...command);
    assert.equal(code, 0, `${command.join(' ')}: ${err}`);
  }

  assert.equal(
    followers.filter((wire) => wire.isClosed()).length,
    0,
    'a short command takes no place of a follower',
  );
  const gone = silent.filter((wire) => wire.isClosed());
  assert.ok(gone.length >= 1 && gone.length < 20, `${gone.length} made room`);
  for (const wire of gone)
    assert.match((await wire.onMessage('error')).text, /closed this connection for a newer one/);
  // This one follows for a moment.
  const {code, err} = await place.launch('timeline');
  assert.equal(code, 0, err);
  for (const wire of [...followers, ...silent]) wire.socket.destroy();
  await eventually('nothing is left open for those who went', () => openFiles() < before + 20);
  await isUnmoved();
});

test('a client that follows and never reads is dropped; the others hear everything', async (t) => {
  const {greet, isUnmoved, place} = await prepare(t);
  const deaf = await greet();
  deaf.socket.pause();
  const follower = await greet();
  for (const wire of [deaf, follower])
    wire.print({type: 'ask', id: 1, question: {about: 'events', from: 0}});
  const writer = await greet();
  const notes = (): number =>
    follower.received.filter(
      (message) => message.type === 'fact' && message.event.type === 'note-added',
    ).length;
  for (let id = 1; id <= 60; id++) {
    writer.print({
      type: 'ask',
      id,
      question: {about: 'wish', wish: {type: 'add-note', on: 's1', text: 'x'.repeat(200_000)}},
    });
    // One who listens keeps up by listening; whoever is too slow for a while would rightly be
    // dropped.
    await eventually('the one who listens has heard it', () => notes() === id);
  }

  const numbers = follower.received.flatMap((message) =>
    message.type === 'fact' ? [message.seq] : [],
  );
  assert.deepEqual(
    numbers,
    Array.from({length: numbers.length}, (_, index) => numbers[0]! + index),
    'in order and without a gap',
  );
  await eventually(
    'the deaf one is dropped',
    async () => ((await place.ask({about: 'daemon'})) as {clients: number}).clients === 3,
  );
  await isUnmoved();
});

test('a client that asks without end and never reads is dropped', async (t) => {
  const {greet, isUnmoved, place} = await prepare(t);
  const writer = await greet();
  writer.print({
    type: 'ask',
    id: 1,
    question: {about: 'wish', wish: {type: 'add-note', on: 's1', text: 'x'.repeat(400_000)}},
  });
  await writer.onMessage('answer');
  const deaf = await greet();
  deaf.socket.pause();
  for (let id = 1; id <= 200; id++) deaf.print({type: 'ask', id, question: {about: 'state'}});
  await eventually(
    'it is dropped',
    async () => ((await place.ask({about: 'daemon'})) as {clients: number}).clients === 2,
  );
  await isUnmoved();
});

test('an answer that is too long for a frame is refused and ends nothing', async (t) => {
  const {greet, isUnmoved} = await prepare(t);
  const wire = await greet();
  for (let id = 1; id <= 3; id++)
    wire.print({
      type: 'ask',
      id,
      question: {about: 'wish', wish: {type: 'add-note', on: 's1', text: 'x'.repeat(500_000)}},
    });
  await eventually(
    'all is written',
    () => wire.received.filter(({type}) => type === 'answer').length === 3,
  );
  wire.print({type: 'ask', id: 4, question: {about: 'state'}});
  assert.match((await wire.onMessage('refusal')).text, /too long/);
  await isUnmoved();
});
