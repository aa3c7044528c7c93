import {printable} from '../printable.ts';
import type {Process} from './process.ts';

/** Numbers only, so that no process can put a line of its own into the answer by its name. */
export const psQuestion: readonly string[] = [
  '-axo',
  'pid=,uid=,ppid=,pgid=,tpgid=,tty=,state=,rss=,time=,lstart=',
];

/** The names, for display: what is made up in here can only spoil a name. */
export const psNamesQuestion: readonly string[] = ['-axo', 'pid=,comm='];

const row = new RegExp(
  String.raw`^\s*(?<pid>\d+)\s+(?<uid>\d+)\s+(?<parent>\d+)\s+(?<group>\d+)\s+(?<foreground>-?\d+)\s+(?<terminal>\S+)\s+(?<state>[A-Z])\S*\s+(?<kilobytes>\d+)\s+(?:(?<hours>\d+):)?(?<minutes>\d+):(?<seconds>[\d.]+)\s+(?<started>\w{3} .+ \d{4})\s*$`,
);

/** Reads what `ps` of macOS answers to the two questions under LC_ALL=C. Unverified: written from its manual. */
export function readPs(table: string, names: string, bootId: string): Process[] {
  const nameOf = new Map(
    Array.from(names.matchAll(/^ *(?<pid>\d+) (?<name>.*)$/gm), ({groups}) => [
      groups?.['pid'],
      groups?.['name'],
    ]),
  );
  return table.split('\n').flatMap((line) => {
    const {pid, terminal, state, started, ...fields} = row.exec(line)?.groups ?? {};
    if (pid === undefined || terminal === undefined || state === undefined || started === undefined)
      return [];
    const number = (name: string): number => Number(fields[name] ?? 0);
    const startedAt = Date.parse(started);
    return {
      identity: {pid: Number(pid), startTime: startedAt / 1000, bootId},
      uid: number('uid'),
      parent: number('parent'),
      group: number('group'),
      session: 0,
      ...(terminal.startsWith('?') ? {} : {terminal: `/dev/${terminal}`}),
      foreground: terminal.startsWith('?') ? -1 : number('foreground'),
      state,
      cpuMs: (number('hours') * 3600 + number('minutes') * 60 + number('seconds')) * 1000,
      memory: number('kilobytes') * 1024,
      startedAt,
      name: printable(nameOf.get(pid)?.split('/').at(-1) ?? ''),
    };
  });
}
