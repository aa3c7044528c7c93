import assert from 'node:assert/strict';
import {test} from 'node:test';
import {awaitDaemon} from '../../source/cli/start-daemon.ts';

/** Nobody answers before so many seconds have passed; each try to reach one takes five. */
function wait({
  answersAt,
  livesFor,
  isCrashing = false,
}: {
  readonly answersAt: number;
  readonly livesFor: number;
  readonly isCrashing?: boolean;
}): Promise<{
  readonly daemon: string | undefined;
  readonly launches: number;
  readonly seconds: number;
}> {
  let [seconds, launches] = [0, 0];
  const waiting = awaitDaemon({
    now: () => seconds * 1000,
    launch: () => {
      launches++;
      const until = seconds + livesFor;
      return () => seconds < until;
    },
    connectIfRunning: () => {
      seconds += 5;
      return Promise.resolve(seconds >= answersAt ? 'a daemon' : undefined);
    },
    isCrashing: () => Promise.resolve(isCrashing),
  });
  return waiting.then((daemon) => ({daemon, launches, seconds}));
}

test('a daemon that takes long to start is waited for while it is at it, and launched once', async () => {
  assert.deepEqual(await wait({answersAt: 40, livesFor: 1000}), {
    daemon: 'a daemon',
    launches: 1,
    seconds: 40,
  });
});

test('one that is at it for a minute is given up', async () => {
  assert.deepEqual(await wait({answersAt: 1000, livesFor: 1000}), {
    daemon: undefined,
    launches: 1,
    seconds: 60,
  });
});

test('one that ended is launched again, within the usual patience', async () => {
  assert.deepEqual(await wait({answersAt: 40, livesFor: 3}), {
    daemon: undefined,
    launches: 2,
    seconds: 10,
  });
  assert.deepEqual(await wait({answersAt: 10, livesFor: 3}), {
    daemon: 'a daemon',
    launches: 2,
    seconds: 10,
  });
});

test('where those before have crashed none is launched', async () => {
  assert.deepEqual(await wait({answersAt: 5, livesFor: 1000, isCrashing: true}), {
    daemon: undefined,
    launches: 0,
    seconds: 0,
  });
});
