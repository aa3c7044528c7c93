import path from 'node:path';
import {tryReadText} from '../files/index.ts';
import {getKernel, isDead, readProcess, trustedPath} from '../system/index.ts';
import {
  type DaemonStart,
  daemonStartsFile,
  parseDaemonStarts,
  startsWindowMs,
} from '../protocol/index.ts';
import type {RepoPaths} from './repo-paths.ts';
import type {CliContext} from './cli-context.ts';

/** After this many crashes within a minute no daemon is started automatically. */
const maxCrashes = 3;

/**
 * The message if the daemons of the last minute crashed one after the other; `undefined` while
 * another may be started. After a minute one is tried again: the fourth daemon skips the work that
 * killed three.
 */
export async function explainCrashes(
  repoPaths: RepoPaths,
  {env}: Pick<CliContext, 'env'>,
): Promise<string | undefined> {
  const max = Number(env['ORCHESTRA_MOST_CRASHES'] ?? maxCrashes);
  const crashes = await readCrashes(repoPaths, {env});
  const oldest = crashes.at(-max);
  if (oldest === undefined || max < 1) return undefined;
  const seconds = Math.max(1, Math.ceil((oldest.at + startsWindowMs - Date.now()) / 1000));
  return (
    `the daemon crashed ${crashes.length} times in a minute; \`orchestra daemon start\` ` +
    `tries now, otherwise it starts again in ${seconds} s. See ` +
    path.join(repoPaths.stateDirectory, 'daemon.log')
  );
}

/** Daemons that were started within the last minute and ended without being asked to. */
export async function readCrashes(
  {stateDirectory, root}: RepoPaths,
  {env}: Pick<CliContext, 'env'>,
): Promise<DaemonStart[]> {
  const kernel = getKernel({
    path: trustedPath({path: env['PATH'] ?? '', outside: root}),
    now: Date.now,
  });
  const starts = readStarts(stateDirectory).filter(
    ({at}) => Math.abs(Date.now() - at) < startsWindowMs,
  );
  // A live process is still starting. Another process with a reused pid counts as one too; then a
  // daemon is started in vain.
  const found = await Promise.all(starts.map(({pid}) => readProcess(pid, kernel)));
  return starts.filter((_, index) => isGone(found[index]));
}

function readStarts(directory: string): DaemonStart[] {
  return parseDaemonStarts(
    tryReadText(path.join(directory, daemonStartsFile), {maxBytes: 1024 * 1024}) ?? '',
  );
}

function isGone(found: Awaited<ReturnType<typeof readProcess>> | undefined): boolean {
  return (
    found !== undefined && 'value' in found && (found.value === undefined || isDead(found.value))
  );
}
