import {readdirSync, readFileSync, readlinkSync} from 'node:fs';
import path from 'node:path';
import {inSlices} from '../in-slices.ts';
import type {Kernel} from '../kernel.ts';
import {lookAt, valueOf} from '../look-at.ts';
import {ancestorsOf} from './ancestors-of.ts';
import {isAdopted} from './is-adopted.ts';
import {isDead, isSameProcess, type Process, type ProcessIdentity} from './process.ts';
import {readCommand} from './read-command.ts';
import {type Cookies, readCookies} from './read-cookies.ts';
import {readProcesses} from './read-processes.ts';
import {treeOf, type TreeRoot} from './tree-of.ts';

export type LeftoverQuestion = {
  /** When the first of the sessions began that have ended, in the kernel's unit. */
  readonly since: number;
  /** What was theirs: worktrees, and the directories in which agents are told what to do. */
  readonly directories: readonly string[];
  /** The living sessions: what is theirs is known and shown. */
  readonly sessions: readonly TreeRoot[];
  /** Keepers, and whoever else is known: what descends from them is not asked about. */
  readonly known: readonly ProcessIdentity[];
};

/** `works`: it works there, or has its root there. `program`: it runs a program from there. `file`: it has a file open or mapped that lies there. `descendant`: one of its ancestors does. */
export type Leftover = {
  readonly process: Process;
  readonly command: string;
  readonly because: 'works' | 'program' | 'file' | 'descendant';
  readonly where: string;
};

/**
 * Processes that sessions may have left and that nothing proves to be theirs: they began later than those, lost whoever started
 * them or carry a mark that no living session has, and something of theirs leads to the sessions' directories. Not a person's own:
 * what began before, what has a terminal, what descends from a shell. Those that hide what they have open can't be told.
 */
export async function findLeftovers(
  {since, directories, sessions, known}: LeftoverQuestion,
  kernel: Kernel,
): Promise<Leftover[]> {
  const all = kernel.platform === 'linux' ? await readProcesses(kernel) : undefined;
  if (all === undefined || 'unknown' in all) return [];
  const cookies = await readCookies(all.value, kernel);
  const owned = new Set(
    sessions.flatMap((session) =>
      treeOf(session, all.value, cookies).map(({process: {identity}}) => identity.pid),
    ),
  );
  const isCandidate = createFilter({since, sessions, known, processes: all.value, cookies});
  const candidates = all.value.filter(
    (one) => one.uid === kernel.uid && !owned.has(one.identity.pid) && isCandidate(one),
  );
  const linked = await inSlices(candidates, (process): Leftover | undefined => {
    const link = linkOf(process, directories, kernel);
    return link && {process, command: readCommand(process, kernel), ...link};
  });
  const parents = new Map(linked.map((one) => [one.process.identity.pid, one]));
  const descended = candidates
    .filter(({identity}) => !parents.has(identity.pid))
    .flatMap((process): Leftover[] => {
      const above = ancestorsOf(process, all.value)
        .map(({identity}) => parents.get(identity.pid))
        .find((one) => one !== undefined);
      return above === undefined
        ? []
        : [
            {
              process,
              command: readCommand(process, kernel),
              because: 'descendant',
              where: above.where,
            },
          ];
    });
  return [...linked, ...descended];
}

type Scene = Pick<LeftoverQuestion, 'since' | 'sessions' | 'known'> & {
  readonly processes: readonly Process[];
  readonly cookies: Cookies;
};

function createFilter({
  since,
  sessions,
  known,
  processes,
  cookies,
}: Scene): (process: Process) => boolean {
  const marks = new Set(sessions.map(({cookie}) => cookie));
  const isKnown = ({identity}: Process): boolean =>
    identity.pid === process.pid || known.some((one) => isSameProcess(one, identity));
  return (one) => {
    if (isDead(one) || one.identity.startTime < since) return false;
    const line = [one, ...ancestorsOf(one, processes)];
    if (line.some(isKnown)) return false;
    const mark = cookies.get(one.identity.pid);
    const isForeign = mark !== undefined && !marks.has(mark);
    const isOrphan = line.some(
      (member, index) => member.identity.startTime >= since && isAdopted(member, line[index + 1]),
    );
    return isForeign || (isOrphan && one.terminal === undefined);
  };
}

function linkOf(
  {identity: {pid}}: Process,
  directories: readonly string[],
  kernel: Kernel,
): Pick<Leftover, 'because' | 'where'> | undefined {
  const own = path.join(kernel.proc, String(pid));
  const target = (name: string): string =>
    (valueOf(lookAt(() => readlinkSync(path.join(own, name)))) ?? '').replace(/ \(deleted\)$/, '');
  const inside = (file: string): string | undefined =>
    directories.find((directory) => `${file}/`.startsWith(`${directory}/`));
  const works = inside(target('cwd')) ?? inside(target('root'));
  if (works !== undefined) return {because: 'works', where: works};
  const program = inside(target('exe'));
  if (program !== undefined) return {because: 'program', where: program};
  const files = valueOf(lookAt(() => readdirSync(path.join(own, 'fd')))) ?? [];
  const open = files
    .map((name) => inside(target(`fd/${name}`)))
    .find((where) => where !== undefined);
  const maps =
    open === undefined
      ? (valueOf(lookAt(() => readFileSync(path.join(own, 'maps'), 'utf8'))) ?? '')
      : '';
  const where = open ?? directories.find((directory) => maps.includes(` ${directory}/`));
  return where === undefined ? undefined : {because: 'file', where};
}
