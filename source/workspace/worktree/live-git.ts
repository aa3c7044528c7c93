import {readFileSync, readlinkSync} from 'node:fs';
import {setTimeout as pass} from 'node:timers/promises';
import {sanitizeText} from '../../base/index.ts';
import {isInside} from './names.ts';
import {namesIn} from './note.ts';

export type LiveProcess = {
  readonly pid: number;
  readonly command: string;
  readonly directory: string | null;
  readonly startedAt: number;
};

/** How long somebody else's git is waited for. */
const patience = {tries: 100, pause: 100};

/** The git processes that work in one of these places, or were told of one. Asked of the kernel; elsewhere than on Linux nobody is seen. */
export function liveGitIn(places: readonly string[]): readonly LiveProcess[] {
  return liveProcesses((pid) => /^git(?:-|$)/.test(textOf(`/proc/${pid}/comm`).trim())).filter(
    ({command, directory}) =>
      places.some(
        (place) => (directory !== null && isInside(place, directory)) || command.includes(place),
      ),
  );
}

/** Everything that has its working directory in there. */
export function liveProcessesIn(place: string): readonly LiveProcess[] {
  return liveProcesses((pid) => {
    const directory = linkOf(`/proc/${pid}/cwd`);
    return directory !== null && isInside(place, directory);
  });
}

/** Who is in there and stays. A git goes by itself: a commit leaves one behind that tidies up for a moment (`git maintenance`, since 2.47). */
export async function stayingIn(place: string): Promise<readonly LiveProcess[]> {
  for (let attempt = 0; ; attempt++) {
    const live = liveProcessesIn(place);
    if (
      live.length === 0 ||
      attempt === patience.tries ||
      !live.every(({command}) => /^(?:\S*\/)?git(?:[- ]|$)/.test(command))
    )
      return live;
    await pass(patience.pause);
  }
}

/** Waits until they have ended; those that have not are named. */
export async function outwait(places: readonly string[]): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const live = liveGitIn(places);
    if (live.length === 0) return;
    if (attempt === patience.tries)
      throw new Error(
        `Expected nobody at work in ${places[0] ?? ''}, but ${nameOf(live)} still is. Wait for it or end it, then go on.`,
      );
    await pass(patience.pause);
  }
}

export function nameOf(live: readonly LiveProcess[]): string {
  return live
    .slice(0, 3)
    .map(({pid, command}) => `process ${pid} (${sanitizeText(command).slice(0, 80)})`)
    .join(', ');
}

function liveProcesses(isAsked: (pid: string) => boolean): LiveProcess[] {
  return namesIn('/proc')
    .filter((name) => /^\d+$/.test(name) && isAsked(name))
    .flatMap((pid) => {
      const stat = textOf(`/proc/${pid}/stat`);
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (stat === '' || fields[0] === 'Z' || fields[0] === 'X') return [];
      return [
        {
          pid: Number(pid),
          command:
            textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim() ||
            textOf(`/proc/${pid}/comm`).trim(),
          directory: linkOf(`/proc/${pid}/cwd`),
          startedAt: bootedAt() + Number(fields[19]) * 10,
        },
      ];
    });
}

function bootedAt(): number {
  return Number(/^btime (\d+)$/m.exec(textOf('/proc/stat'))?.[1] ?? 0) * 1000;
}

function linkOf(file: string): string | null {
  try {
    return readlinkSync(file).replace(/ \(deleted\)$/, '');
  } catch {
    return null;
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
