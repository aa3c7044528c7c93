import assert from 'node:assert/strict';
import process from 'node:process';
import {eventually} from '../../../test/support/eventually.ts';
import type {Item} from '../item.ts';

/** An agent that is killed is interrupted: it begins again with the same attempt number. */
export const killedAgent: Item = {
  number: 6,
  title: 'a killed agent costs no attempt',
  async attempt({stage, layOut, run, eventsIn}) {
    layOut([{id: 't1'}], {
      t1: `if [ -e '${stage.home}/killed-once' ]; then exec sh "$PRETEND/succeed.sh" "$@"; fi\ntouch '${stage.home}/killed-once'\nwhile :; do sleep 1; done\n`,
    });
    const before = stage.eventsOf('session-running').length;
    const running = run('--approve');
    const session = await eventually('its agent works', () =>
      stage
        .eventsOf('session-running')
        .slice(before)
        .map((event) => event.session)
        .find((id) =>
          stage
            .eventsOf('session-asked')
            .some((asked) => asked.session === id && asked.purpose.for === 'attempt'),
        ),
    );
    const pid = await eventually('its process', async () => (await stage.sessionOf(session))?.pid);
    process.kill(pid, 'SIGKILL');
    const {run: id, code, out} = await running;
    assert.equal(code, 0, out);
    assert.deepEqual(
      [eventsIn('attempt-started', id).length, eventsIn('attempt-failed', id).length],
      [1, 0],
    );
  },
};
