import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  connectDaemon,
  type DaemonConnection,
  RequestRejectedError,
} from '../../../source/client/index.ts';
import {eventually} from '../../support/eventually.ts';
import {listenAs} from '../support/listen-as.ts';

const limits = {helloMs: 2000, goodbyeMs: 2000, settleMs: 20};

test('short commands that follow for a moment send no settled follower away; another one that stays sends away who was idle for longest', async (t) => {
  const {address, serving} = await listenAs(
    t,
    {
      answer: (question, client) => {
        if (question.about === 'events') client.follow([]);
        return Promise.resolve({});
      },
    },
    limits,
  );
  const ended = new Set<number>();
  const open: DaemonConnection[] = [];
  t.after(() => {
    for (const daemon of open) daemon.close();
  });
  const follow = async (): Promise<DaemonConnection> => {
    const daemon = await connectDaemon(address);
    const number = open.push(daemon) - 1;
    void daemon.ended.then(() => ended.add(number));
    await daemon.ask({about: 'events', from: 0});
    return daemon;
  };

  for (let count = 1; count <= 64; count++) {
    await follow();
    await eventually('it has settled', () => serving.count('following') === count);
  }

  // Whoever asks something is idle no more.
  await open[0]!.ask({about: 'daemon'});
  await follow();
  await eventually('one made room', () => ended.size > 0);
  assert.deepEqual([...ended], [1]);
  assert.equal(serving.count('following'), 64);
});

test('where everybody waits for an answer, the next one is told to try again, and is let in when one is answered', async (t) => {
  const held = Promise.withResolvers<string>();
  const {address} = await listenAs(t, {
    answer: (question) => (question.about === 'facts' ? held.promise : Promise.resolve('at once')),
  });
  const open = await Promise.all(Array.from({length: 64}, () => connectDaemon(address)));
  t.after(() => {
    for (const daemon of open) daemon.close();
  });
  const answers = open.map((daemon) => daemon.ask({about: 'facts'}));
  // Its answer shows that what was said before it has been read.
  await Promise.all(open.map((daemon) => daemon.ask({about: 'daemon'})));
  await assert.rejects(
    connectDaemon(address),
    (error) =>
      error instanceof RequestRejectedError &&
      error.message.includes(
        '64 clients are already waiting for an answer, and none of them is idle; try again',
      ),
  );
  held.resolve('late');
  assert.deepEqual(new Set(await Promise.all(answers)), new Set(['late']));
  const next = await connectDaemon(address);
  assert.equal(await next.ask({about: 'daemon'}), 'at once');
  next.close();
});

test('one connection asks without end and is answered in turn, and others meanwhile', async (t) => {
  let max = 0;
  let now = 0;
  const {address} = await listenAs(t, {
    answer: async () => {
      now += 1;
      max = Math.max(max, now);
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      now -= 1;
      return 'x'.repeat(100_000);
    },
  });
  const [busy, other] = await Promise.all([connectDaemon(address), connectDaemon(address)]);
  t.after(() => {
    for (const daemon of [busy, other]) daemon.close();
  });
  const answers = Promise.all(Array.from({length: 1000}, () => busy.ask({about: 'facts'})));
  assert.equal(await other.ask({about: 'facts'}), 'x'.repeat(100_000));
  assert.equal((await answers).length, 1000);
  assert.ok(max <= 33, `${max} were under way at once`);
});
