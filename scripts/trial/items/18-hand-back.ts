import assert from 'node:assert/strict';
import {eventually} from '../../../test/support/eventually.ts';
import type {Item} from '../item.ts';

/** A task that was taken over and handed back has spent no attempt. */
export const handBack: Item = {
  number: 18,
  title: 'handing back a task that was at work spends no attempt',
  async attempt({stage, layOut, run, eventsIn}) {
    layOut([{id: 't1'}], {t1: 'echo mine > t1.txt\nwhile :; do sleep 1; done\n'});
    const before = stage.eventsOf('run-created').length;
    const running = run('--approve');
    const id = await eventually('the run', () => stage.eventsOf('run-created')[before]?.run);
    await eventually('its agent works', () =>
      stage
        .eventsOf('session-running')
        .some(({session}) =>
          stage
            .eventsOf('session-asked')
            .some(
              (asked) =>
                asked.session === session &&
                asked.purpose.for === 'attempt' &&
                asked.purpose.task === `${id}.t1`,
            ),
        ),
    );
    assert.equal(stage.run('takeover', `${id}.t1`).code, 0);
    await running;
    assert.equal(stage.run('handback', `${id}.t1`).code, 0);
    await stage.until('it is merged', () => eventsIn('task-merged', id).length === 1, 300_000);
    assert.equal(eventsIn('attempt-started', id).length, 1, 'no attempt was spent');
  },
};
