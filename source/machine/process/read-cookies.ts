import {readFileSync} from 'node:fs';
import {inSlices} from '../in-slices.ts';
import type {Kernel} from '../kernel.ts';
import {lookAt, valueOf} from '../look-at.ts';
import {fromAnyThread} from './from-any-thread.ts';
import {isDead, type Process} from './process.ts';

/** In the environment of everything that a session starts, and so of everything that those start. */
export const cookieName = 'ORCH_SESSION';

const pattern = new RegExp(String.raw`(?:^|\0)${cookieName}=(?<cookie>[^\0]*)`);

/** pid → the cookie that it was started with. A process without one, or whose environment we may not read, is not in it. */
export type Cookies = ReadonlyMap<number, string>;

/** On macOS `ps -E` mixes environment and arguments, so that anybody could claim a cookie: there nobody has one. */
export async function readCookies(processes: readonly Process[], kernel: Kernel): Promise<Cookies> {
  if (kernel.platform !== 'linux') return new Map();
  const candidates = processes.filter(
    (process) => !isDead(process) && (kernel.uid === 0 || process.uid === kernel.uid),
  );
  const found = await inSlices(
    candidates,
    ({identity: {pid}}): readonly [number, string] | undefined => {
      const cookie = cookieIn(fromAnyThread(pid, kernel, readEnvironment) ?? '');
      return cookie === undefined ? undefined : [pid, cookie];
    },
  );
  return new Map(found);
}

function readEnvironment(directory: string): string | undefined {
  const text = valueOf(lookAt(() => readFileSync(`${directory}/environ`, 'utf8')));
  return text === '' ? undefined : text;
}

/** The first one counts, as it does for getenv(3). */
function cookieIn(environment: string): string | undefined {
  return pattern.exec(environment)?.groups?.['cookie'];
}
