import process from 'node:process';
import {execFileSync} from 'node:child_process';
import {readdirSync, readFileSync} from 'node:fs';

type Entry = {readonly pid: number; readonly parent: number; readonly started: string};

/**
 * A program with everything that it started. It shares the process group of the terminal with this
 * process, so the group cannot be signalled. `signal` skips a process whose id is another's now.
 */
export function findFamily(leader: number): {readonly signal: (name: NodeJS.Signals) => void} {
  const all = listProcesses();
  const found = new Map<number, Entry>();
  const add = (entry: Entry): void => {
    if (found.has(entry.pid)) return;
    found.set(entry.pid, entry);
    for (const child of all.filter(({parent}) => parent === entry.pid)) add(child);
  };

  for (const entry of all.filter(({pid}) => pid === leader)) add(entry);
  return {
    signal: (name) => {
      const now = new Map(listProcesses().map((entry) => [entry.pid, entry]));
      for (const {pid, started} of found.values())
        if (now.get(pid)?.started === started) trySignal(pid, name);
    },
  };
}

function trySignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}

function listProcesses(): Entry[] {
  try {
    return process.platform === 'linux' ? listFromProc() : listFromPs();
  } catch {
    return [];
  }
}

function listFromProc(): Entry[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        // The name of the program is in parentheses and may contain anything.
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        return [{pid: Number(name), parent: Number(fields[1]), started: fields[19] ?? ''}];
      } catch {
        return [];
      }
    });
}

function listFromPs(): Entry[] {
  return execFileSync('/bin/ps', ['-A', '-o', 'pid=,ppid=,lstart='], {encoding: 'utf8'})
    .split('\n')
    .flatMap((line) => {
      const [, pid, parent, started = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
      return pid === undefined ? [] : [{pid: Number(pid), parent: Number(parent), started}];
    });
}
