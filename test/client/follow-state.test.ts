import assert from 'node:assert/strict';
import {test, type TestContext} from 'node:test';
import {followState} from '../../source/client/index.ts';
import {emptyState, type Event, evolve} from '../../source/domain/index.ts';
import type {DaemonMessage} from '../../source/protocol/index.ts';
import {listenAs, type Listener} from '../daemon/support/listen-as.ts';

const events: readonly Event[] = Array.from({length: 8}, (_, index): Event => ({
  type: 'note-added',
  at: index + 1,
  on: 'r1',
  text: `note ${index + 1}`,
}));
const stateAfter = (count: number) => events.slice(0, count).reduce(evolve, emptyState);
const getFact = (seq: number): DaemonMessage => ({type: 'fact', seq, event: events[seq - 1]!});

/**
 * A daemon that knows three events when a client comes, and leaves out what `sends` says when it is
 * asked for events.
 */
async function serveWithGap(
  t: TestContext,
  sends: (asked: number, facts: readonly DaemonMessage[]) => readonly DaemonMessage[],
): Promise<Listener & {readonly asked: number[]}> {
  const asked: number[] = [];
  const known = {count: 3};
  const listener = await listenAs(t, {
    seq: () => known.count,
    answer: (question, client) => {
      if (question.about === 'state') return Promise.resolve(stateAfter(3));
      if (question.about !== 'events')
        return Promise.reject(new Error(`expected no question about ${question.about}`));
      asked.push(question.from);
      client.follow(
        sends(
          asked.length,
          events
            .slice(question.from, known.count)
            .map((_, index) => getFact(question.from + index + 1)),
        ),
      );
      known.count = events.length;
      return Promise.resolve({from: question.from});
    },
  });
  return {...listener, asked};
}

test('a client that sees a gap asks again from what it has, and has the same state as the journal', async (t) => {
  const {address, serving, asked} = await serveWithGap(t, (_asked, facts) => facts);
  const live = await followState(address);
  t.after(live.close);
  // Four is lost on the way.
  for (const seq of [5, 6]) serving.notify(seq, getFact(seq));
  const state = await live.until(({seq}) => seq === events.length);
  assert.deepEqual(state, stateAfter(events.length));
  assert.deepEqual(asked, [3, 3]);
});

test('when what is missing does not come either when it is asked for, the connection ends instead of telling something wrong', async (t) => {
  const {address, serving} = await serveWithGap(t, (_asked, facts) =>
    facts.filter((fact) => fact.type === 'fact' && fact.seq !== 4),
  );
  const seen: number[] = [];
  const live = await followState(address, (_event, {seq}) => seen.push(seq));
  t.after(live.close);
  serving.notify(5, getFact(5));
  await assert.rejects(
    live.until(({seq}) => seq === events.length),
    /the connection to the daemon ended/,
  );
  assert.deepEqual(live.state(), stateAfter(3));
  assert.deepEqual(seen, []);
});
