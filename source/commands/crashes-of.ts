import path from 'node:path';
import {tryReadText} from '../files/index.ts';
import {isDead, kernelOf, readProcess, trustedPath} from '../machine/index.ts';
import {
  daemonStartsFile,
  readDaemonStarts,
  startsWindowMs,
  type DaemonStart,
} from '../protocol/index.ts';
import type {Here} from './here.ts';
import type {Surroundings} from './surroundings.ts';

/** After so many within a minute the next one is not started by itself. */
const mostCrashes = 3;

/**
 * What to say instead of starting a daemon, when those that were started within the last minute have died, one after the
 * other; nothing as long as one may be started. The oldest is forgotten after a minute, and then one is tried again: what kills a
 * daemon three times is set aside by the fourth.
 */
export async function crashesInWords(
  here: Here,
  {env}: Pick<Surroundings, 'env'>,
): Promise<string | undefined> {
  const most = Number(env['ORCHESTRA_MOST_CRASHES'] ?? mostCrashes);
  const crashes = await crashesOf(here, {env});
  const oldest = crashes.at(-most);
  if (oldest === undefined || most < 1) return undefined;
  const seconds = Math.max(1, Math.ceil((oldest.at + startsWindowMs - Date.now()) / 1000));
  return `the daemon crashed ${crashes.length} times in a minute; \`orchestra daemon start\` tries at once, else it is started in ${seconds} s; ${path.join(here.stateDirectory, 'daemon.log')} says more`;
}

/** Those that were started within the last minute, and ended without having been asked to. */
export async function crashesOf(
  {stateDirectory, root}: Here,
  {env}: Pick<Surroundings, 'env'>,
): Promise<DaemonStart[]> {
  const kernel = kernelOf({
    path: trustedPath({path: env['PATH'] ?? '', outside: root}),
    now: Date.now,
  });
  const starts = startsIn(stateDirectory).filter(
    ({at}) => Math.abs(Date.now() - at) < startsWindowMs,
  );
  // One that lives is just beginning. Somebody else with its number counts as it, too: then one is started in vain, and that is all.
  const found = await Promise.all(starts.map(({pid}) => readProcess(pid, kernel)));
  return starts.filter((_, index) => isGone(found[index]));
}

function startsIn(directory: string): DaemonStart[] {
  return readDaemonStarts(
    tryReadText(path.join(directory, daemonStartsFile), {maxBytes: 1024 * 1024}) ?? '',
  );
}

function isGone(found: Awaited<ReturnType<typeof readProcess>> | undefined): boolean {
  return (
    found !== undefined && 'value' in found && (found.value === undefined || isDead(found.value))
  );
}
