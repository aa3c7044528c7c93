import path from 'node:path';
import {readdirSync, readFileSync, readlinkSync} from 'node:fs';
import {getValue, type Kernel, mapInSlices, tryRead} from '../kernel.ts';
import {getAncestors, isDead, isSameProcessKey, type Process, type ProcessKey} from './process.ts';
import {type Cookies, readCommand, readCookies} from './proc.ts';
import {readProcesses} from './process-table.ts';
import {findTreeMembers, type TreeRoot} from './process-tree.ts';

export type LeftoverQuestion = {
  /** Start of the earliest ended session, in the kernel's unit. */
  readonly since: number;
  /** Directories of the ended sessions: worktrees, and directories with agent instructions. */
  readonly directories: readonly string[];
  /** Running sessions, whose processes are no leftovers. */
  readonly sessions: readonly TreeRoot[];
  /** Keepers and other known processes; their descendants are no leftovers. */
  readonly known: readonly ProcessKey[];
};

/**
 * `works`: its working directory or root is there. `program`: its program is there. `file`: it has
 * a file open or mapped there. `descendant`: one of its ancestors has such a link.
 */
export type LeftoverProcess = {
  readonly process: Process;
  readonly command: string;
  readonly because: 'works' | 'program' | 'file' | 'descendant';
  readonly where: string;
};

/**
 * Processes that ended sessions may have left, without proof: they started after the sessions, are
 * orphans or have the cookie of no running session, and have a link to the sessions' directories.
 * Excludes the person's own: processes that are older, have a terminal or descend from a shell.
 * Processes with unreadable open files cannot be found.
 */
export async function findLeftovers(
  {since, directories, sessions, known}: LeftoverQuestion,
  kernel: Kernel,
): Promise<LeftoverProcess[]> {
  const all = kernel.platform === 'linux' ? await readProcesses(kernel) : undefined;
  if (all === undefined || 'unknown' in all) return [];
  const cookies = await readCookies(all.value, kernel);
  const owned = new Set(
    sessions.flatMap((session) =>
      findTreeMembers(session, all.value, cookies).map(({process: {identity}}) => identity.pid),
    ),
  );
  const isCandidate = createCandidateFilter({
    since,
    sessions,
    known,
    processes: all.value,
    cookies,
  });
  const candidates = all.value.filter(
    (one) => one.uid === kernel.uid && !owned.has(one.identity.pid) && isCandidate(one),
  );
  const linked = await mapInSlices(candidates, (process): LeftoverProcess | undefined => {
    const link = findLink(process, directories, kernel);
    return link && {process, command: readCommand(process, kernel), ...link};
  });
  const parents = new Map(linked.map((one) => [one.process.identity.pid, one]));
  const descended = candidates
    .filter(({identity}) => !parents.has(identity.pid))
    .flatMap((process): LeftoverProcess[] => {
      const above = getAncestors(process, all.value)
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

type CandidateQuestion = Pick<LeftoverQuestion, 'since' | 'sessions' | 'known'> & {
  readonly processes: readonly Process[];
  readonly cookies: Cookies;
};

function createCandidateFilter({
  since,
  sessions,
  known,
  processes,
  cookies,
}: CandidateQuestion): (process: Process) => boolean {
  const marks = new Set(sessions.map(({cookie}) => cookie));
  const isKnown = ({identity}: Process): boolean =>
    identity.pid === process.pid || known.some((one) => isSameProcessKey(one, identity));
  return (one) => {
    if (isDead(one) || one.identity.startTime < since) return false;
    const line = [one, ...getAncestors(one, processes)];
    if (line.some(isKnown)) return false;
    const mark = cookies.get(one.identity.pid);
    const isForeign = mark !== undefined && !marks.has(mark);
    const isOrphan = line.some(
      (member, index) => member.identity.startTime >= since && isAdopted(member, line[index + 1]),
    );
    return isForeign || (isOrphan && one.terminal === undefined);
  };
}

function findLink(
  {identity: {pid}}: Process,
  directories: readonly string[],
  kernel: Kernel,
): Pick<LeftoverProcess, 'because' | 'where'> | undefined {
  const own = path.join(kernel.proc, String(pid));
  const target = (name: string): string =>
    (getValue(tryRead(() => readlinkSync(path.join(own, name)))) ?? '').replace(
      / \(deleted\)$/,
      '',
    );
  const inside = (file: string): string | undefined =>
    directories.find((directory) => `${file}/`.startsWith(`${directory}/`));
  const works = inside(target('cwd')) ?? inside(target('root'));
  if (works !== undefined) return {because: 'works', where: works};
  const program = inside(target('exe'));
  if (program !== undefined) return {because: 'program', where: program};
  const files = getValue(tryRead(() => readdirSync(path.join(own, 'fd')))) ?? [];
  const open = files
    .map((name) => inside(target(`fd/${name}`)))
    .find((where) => where !== undefined);
  const maps =
    open === undefined
      ? (getValue(tryRead(() => readFileSync(path.join(own, 'maps'), 'utf8'))) ?? '')
      : '';
  const where = open ?? directories.find((directory) => maps.includes(` ${directory}/`));
  return where === undefined ? undefined : {because: 'file', where};
}

/**
 * Whether the parent is a reaper: pid 1, also when it is not visible, or systemd's user manager.
 * The kernel does not tell about other subreapers. In a container pid 1 can be the person's own
 * shell: a process in its kernel session was not adopted.
 */
export function isAdopted(process: Process, parent: Process | undefined): boolean {
  const isReaper = process.parent === 1 || (parent?.parent === 1 && parent.name === 'systemd');
  return isReaper && process.session !== parent?.session;
}
