import assert from 'node:assert/strict';
import {it} from 'node:test';
import {isDeepStrictEqual} from 'node:util';
import {followState} from '../../../source/client/index.ts';
import {readToken} from '../../../source/commands/here.ts';
import type {Event} from '../../../source/domain/index.ts';
import {longestFrame} from '../../../source/protocol/index.ts';
import {eventually} from '../../support/eventually.ts';
import {createStage} from './support/stage.ts';

const count = 20_500;

it('a change of 20,000 files reaches everybody who follows: their state is the state of the journal', async (t) => {
  const stage = createStage(t, {
    tasks: [{id: 't1', files: ['many/**', 't1.txt']}],
    // The names alone are longer than a frame.
    acts: {
      t1: `mkdir -p many && cd many && seq -f '%06.0f-a-generated-file-with-a-rather-long-name.txt' 1 ${count} | xargs touch && cd .. && exec sh "$PRETEND/succeed.sh" "$@"`,
    },
  });
  await stage.ask({about: 'daemon'});
  const heard: Event[] = [];
  const live = await followState(
    {socket: stage.here().socket, token: () => readToken(stage.here()), build: 'test'},
    (event) => heard.push(event),
  );
  t.after(live.close);
  const before = live.state().seq;
  const {code, out, err} = await stage.objective('--approve');
  assert.equal(code, 0, `${out}\n${err}`);
  await eventually('they know the same', async () =>
    isDeepStrictEqual(live.state(), await stage.state()),
  );
  const [captured] = stage.eventsOf('change-captured');
  assert.equal(captured?.change.files.length, count + 1);
  assert.ok(JSON.stringify(captured).length > longestFrame, 'it does not fit into a frame');
  assert.deepEqual(
    heard.map(({type}) => type),
    stage
      .events()
      .slice(before, before + heard.length)
      .map(({type}) => type),
  );
});
