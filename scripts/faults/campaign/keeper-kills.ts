import {type DaemonFixture, end} from '../../../test/daemon/support/daemon-fixture.ts';
import {eventually} from '../../../test/support/eventually.ts';
import type {Report} from './report.ts';

const sessions = 20;

/** kill -9 of every second keeper. */
export async function tryKeeperKills(fixture: DaemonFixture, report: Report): Promise<void> {
  const ids: string[] = [];
  for (let count = 0; count < sessions; count++) ids.push(await fixture.start('sleep', '1000'));
  await eventually(
    'all run',
    async () => (await fixture.sessions()).every(({status}) => status === 'running'),
    60_000,
  );
  const killed = new Set(ids.filter((_, index) => index % 2 === 0));
  for (const id of killed) end(fixture.metaOf(id).pid, fixture.home);
  await eventually(
    'the losses are seen',
    async () =>
      (await fixture.sessions()).filter(({ended}) => ended !== undefined).length >= killed.size,
    60_000,
  );
  const after = await fixture.sessions();
  const held = after.filter(({session, status, ended}) =>
    killed.has(session)
      ? status === 'lost' && ended?.why?.includes('its keeper is gone') === true
      : status === 'running',
  );
  report(
    'kill -9 of a keeper loses that session only, and says so',
    sessions,
    held.length,
    `${killed.size} killed`,
  );
}
