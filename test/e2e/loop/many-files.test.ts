import assert from 'node:assert/strict';
import {it} from 'node:test';
import {isDeepStrictEqual} from 'node:util';
import {followState} from '../../../source/client/index.ts';
import {readToken} from '../../../source/cli/repo-paths.ts';
import type {Event} from '../../../source/domain/index.ts';
import {maxFrameBytes} from '../../../source/protocol/index.ts';
import {eventually} from '../../support/eventually.ts';
import {createFixture} from './support/loop-fixture.ts';

const count = 20_500;

it('a change of 20,000 files reaches everybody who follows: their state is the state of the journal', async (t) => {
  const fixture = createFixture(t, {
    tasks: [{id: 't1', files: ['many/**', 't1.txt']}],
    // The names alone are longer than a frame.
    acts: {
      t1: `mkdir -p many && cd many && seq -f '%06.0f-a-generated-file-with-a-rather-long-name.txt' 1 ${count} | xargs touch && cd .. && exec sh "$PRETEND/succeed.sh" "$@"`,
    },
  });
  await fixture.ask({about: 'daemon'});
  const received: Event[] = [];
  const live = await followState(
    {socket: fixture.current().socket, token: () => readToken(fixture.current()), build: 'test'},
    (event) => received.push(event),
  );
  t.after(live.close);
  const before = live.state().seq;
  const {code, out, err} = await fixture.objective('--approve');
  assert.equal(code, 0, `${out}\n${err}`);
  await eventually('they know the same', async () =>
    isDeepStrictEqual(live.state(), await fixture.state()),
  );
  const [captured] = fixture.eventsOf('change-captured');
  assert.equal(captured?.change.files.length, count + 1);
  assert.ok(JSON.stringify(captured).length > maxFrameBytes, 'it does not fit into a frame');
  assert.deepEqual(
    received.map(({type}) => type),
    fixture
      .events()
      .slice(before, before + received.length)
      .map(({type}) => type),
  );
});
