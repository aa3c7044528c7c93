import {end, type Place} from '../../../test/daemon/support/place.ts';
import {eventually} from '../../../test/support/eventually.ts';
import type {Report} from './report.ts';

const sessions = 20;

/** kill -9 of every second keeper. */
export async function tryKeeperKills(place: Place, report: Report): Promise<void> {
  const ids: string[] = [];
  for (let count = 0; count < sessions; count++) ids.push(await place.start('sleep', '1000'));
  await eventually(
    'all run',
    async () => (await place.sessions()).every(({status}) => status === 'running'),
    60_000,
  );
  const killed = new Set(ids.filter((_, index) => index % 2 === 0));
  for (const id of killed) end(place.metaOf(id).pid, place.home);
  await eventually(
    'the losses are seen',
    async () =>
      (await place.sessions()).filter(({ended}) => ended !== undefined).length >= killed.size,
    60_000,
  );
  const after = await place.sessions();
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
