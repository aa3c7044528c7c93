import type {SessionId} from '../../domain/index.ts';
import type {Fact} from '../fact.ts';
import type {Kernel} from '../kernel.ts';
import type {Process} from '../process/process.ts';
import {type Cookies, readCookies} from '../process/read-cookies.ts';
import {readProcesses} from '../process/read-processes.ts';
import {type Link, treeOf, type TreeRoot} from '../process/tree-of.ts';

export type SessionRoot = TreeRoot & {readonly id: SessionId};

export type Survey = {
  readonly processes: readonly Process[];
  readonly cookies: Cookies;
  /** pid → whose it is, and by what that is known. */
  readonly owners: ReadonlyMap<number, {readonly session: SessionId; readonly found: Link}>;
};

/** All processes, and which of them are whose. */
export async function surveySessions(
  sessions: readonly SessionRoot[],
  kernel: Kernel,
): Promise<Fact<Survey>> {
  const all = await readProcesses(kernel);
  if ('unknown' in all) return all;
  const cookies = await readCookies(all.value, kernel);
  const owned = sessions.flatMap(({id, ...root}) =>
    treeOf(root, all.value, cookies).map(
      ({process, found}) => [process.identity.pid, {session: id, found}] as const,
    ),
  );
  return {...all, value: {processes: all.value, cookies, owners: new Map(owned)}};
}
