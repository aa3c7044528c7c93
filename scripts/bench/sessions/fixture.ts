import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import {eventually} from '../../../test/support/eventually.ts';
import {writeAgentOutput} from './agent-output.ts';

/** Where all of one run happens: one directory, and nothing outside of it. */
export type Fixture = {
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  /** 1 for the figures that count; less for a quick look. */
  readonly scale: number;
  /** What `node` runs to be orchestra. */
  readonly launcher: string;
  /** The same with the program that was built in another checkout. */
  readonly withProgramOf: (checkout: string) => Fixture;
  /** A new, unused path. */
  readonly newPath: (name: string) => string;
  /** A file of agent output. */
  readonly agentOutput: (size: number) => {readonly file: string; readonly size: number};
  /** Checks that no process is left. Leftover processes are killed and reported as an error. */
  readonly close: () => Promise<void>;
};

/** Everybody's screen. */
export const size = {columns: 120, rows: 40};

const root = path.join(import.meta.dirname, '..', '..', '..');
const dist = path.resolve(process.env['ORCHESTRA_DIST'] ?? path.join(root, 'dist'));

export function createFixture(scale: number): Fixture {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'orchestra-bench-'));
  const outputs = new Map<number, {readonly file: string; readonly size: number}>();
  let paths = 0;
  const newPath = (name: string): string => path.join(directory, `${name}-${paths++}`);
  const fixture: Fixture = {
    directory,
    scale,
    newPath,
    withProgramOf: (checkout) => ({
      ...fixture,
      launcher: copyProgram(newPath('program'), checkout, path.join(checkout, 'dist')),
    }),
    env: {
      PATH: `${path.dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
      HOME: directory,
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
      TMUX_TMPDIR: directory,
    },
    launcher: copyProgram(newPath('program'), root, dist),
    agentOutput: (wanted) => {
      const file = path.join(directory, `output-${wanted}`);
      const output = outputs.get(wanted) ?? {file, size: writeAgentOutput(file, wanted)};
      outputs.set(wanted, output);
      return output;
    },
    close: async () => {
      const isClean = await eventually(
        'nothing of the bench is left',
        () => getProcesses(directory).length === 0,
        10_000,
      ).catch(() => false);
      const left = isClean ? [] : getProcesses(directory);
      // Each of them names the directory that this very run has made.
      for (const {pid} of left) process.kill(pid, 'SIGKILL');
      rmSync(directory, {recursive: true, force: true, maxRetries: 5});
      if (left.length > 0)
        throw new Error(
          `expected that nothing is left, got ${left.map(({pid, what}) => `${pid} (${what})`).join(', ')}`,
        );
    },
  };
  return fixture;
}

/** A copy, because a build in the working tree takes `dist` away for a moment. */
function copyProgram(program: string, checkout: string, built: string): string {
  mkdirSync(program);
  cpSync(built, path.join(program, 'dist'), {recursive: true});
  cpSync(path.join(checkout, 'package.json'), path.join(program, 'package.json'));
  symlinkSync(path.join(checkout, 'node_modules'), path.join(program, 'node_modules'));
  return path.join(program, 'dist', 'orchestra.js');
}

/**
 * Who names the directory: by environment, command line or open file. A keeper has no environment,
 * and a title in place of its command line.
 */
export function getProcesses(directory: string): {readonly pid: number; readonly what: string}[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid)
    .filter((pid) =>
      [...getFiles(pid), toText(pid, 'environ'), toText(pid, 'cmdline')].some((text) =>
        text.includes(directory),
      ),
    )
    .map((pid) => ({pid, what: toText(pid, 'cmdline').replaceAll('\0', ' ').trim().slice(0, 60)}));
}

function toText(pid: number, file: string): string {
  return ifThere(() => readFileSync(`/proc/${pid}/${file}`, 'utf8')) ?? '';
}

function getFiles(pid: number): string[] {
  const names = ifThere(() => readdirSync(`/proc/${pid}/fd`)) ?? [];
  return names.map((name) => ifThere(() => readlinkSync(`/proc/${pid}/fd/${name}`)) ?? '');
}

/** Processes come and go while one looks. */
function ifThere<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
