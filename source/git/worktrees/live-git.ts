import {readFileSync, readlinkSync} from 'node:fs';
import {setTimeout as pass} from 'node:timers/promises';
import {sanitizeText} from '../../shared/index.ts';
import {isPathPrefix} from './paths.ts';
import {listNamesThroughLinks} from './records.ts';

export type LiveProcess = {
  readonly pid: number;
  readonly command: string;
  readonly directory: string | null;
  readonly startedAt: number;
};

/** How often, and at which interval, a lock or a process of another git is polled. */
export const lockWait = {tries: 100, pauseMs: 100};

/**
 * Running git processes whose working directory or command line names one of these places. Linux
 * only: elsewhere the list is empty.
 */
export function liveGitIn(places: readonly string[]): readonly LiveProcess[] {
  return liveProcesses((pid) => /^git(?:-|$)/.test(tryReadFile(`/proc/${pid}/comm`).trim())).filter(
    ({command, directory}) =>
      places.some(
        (place) =>
          (directory !== null && isPathPrefix(place, directory)) || command.includes(place),
      ),
  );
}

/** Running processes whose working directory is inside of a place. */
export function liveProcessesIn(place: string): readonly LiveProcess[] {
  return liveProcesses((pid) => {
    const directory = tryReadLink(`/proc/${pid}/cwd`);
    return directory !== null && isPathPrefix(place, directory);
  });
}

/**
 * Processes inside of a place that do not end soon. Git processes are waited for: since 2.47 a
 * commit leaves `git maintenance` running for a moment.
 */
export async function stayingIn(place: string): Promise<readonly LiveProcess[]> {
  for (let attempt = 0; ; attempt++) {
    const live = liveProcessesIn(place);
    if (
      live.length === 0 ||
      attempt === lockWait.tries ||
      !live.every(({command}) => /^(?:\S*\/)?git(?:[- ]|$)/.test(command))
    )
      return live;
    await pass(lockWait.pauseMs);
  }
}

/** Waits until no git runs in these places. Throws with the processes that are left. */
export async function waitForLocks(places: readonly string[]): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const live = liveGitIn(places);
    if (live.length === 0) return;
    if (attempt === lockWait.tries)
      throw new Error(
        `Expected no process in ${places[0] ?? ''}, but ${formatProcesses(live)} still ` +
          'runs there. Wait for it or end it, then resume.',
      );
    await pass(lockWait.pauseMs);
  }
}

export function formatProcesses(live: readonly LiveProcess[]): string {
  return live
    .slice(0, 3)
    .map(({pid, command}) => `process ${pid} (${sanitizeText(command).slice(0, 80)})`)
    .join(', ');
}

function liveProcesses(isAsked: (pid: string) => boolean): LiveProcess[] {
  return listNamesThroughLinks('/proc')
    .filter((name) => /^\d+$/.test(name) && isAsked(name))
    .flatMap((pid) => {
      const stat = tryReadFile(`/proc/${pid}/stat`);
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (stat === '' || fields[0] === 'Z' || fields[0] === 'X') return [];
      return [
        {
          pid: Number(pid),
          command:
            tryReadFile(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim() ||
            tryReadFile(`/proc/${pid}/comm`).trim(),
          directory: tryReadLink(`/proc/${pid}/cwd`),
          startedAt: bootedAt() + Number(fields[19]) * 10,
        },
      ];
    });
}

function bootedAt(): number {
  return Number(/^btime (\d+)$/m.exec(tryReadFile('/proc/stat'))?.[1] ?? 0) * 1000;
}

function tryReadLink(file: string): string | null {
  try {
    return readlinkSync(file).replace(/ \(deleted\)$/, '');
  } catch {
    return null;
  }
}

function tryReadFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
