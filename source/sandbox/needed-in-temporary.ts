import path from 'node:path';
import type {LookAtPath} from './policy.ts';

export type Started = {
  /** All words of the command, those of what it is wrapped in too: programs, scripts, a playbook. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** What stands in for `/tmp` hides what is really there. */
const replaced = '/tmp';

/** Places of a person's session, not of programs. */
const notPrograms: ReadonlySet<string> = new Set([
  'TMPDIR',
  'TMP',
  'TEMP',
  'XDG_RUNTIME_DIR',
  'PWD',
  'OLDPWD',
]);

/**
 * What a command needs of the real `/tmp` where it has one of its own: the programs that it names and what they are installed with,
 * the directories on PATH, and where variables say that a tool is. All of it is shown read-only; sockets of other programs
 * beside it stay hidden. Without it a program that is installed there ends with 127, though it starts anywhere else.
 */
export function neededInTemporary({argv, env}: Started, look: LookAtPath): readonly string[] {
  const files = argv
    .filter((word) => path.isAbsolute(word))
    .flatMap((word) => withReal(path.resolve(word), look))
    .filter((file) => isBelow(file));
  const searched = (env['PATH'] ?? '').split(':').filter((entry) => isBelow(entry));
  const named = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined &&
    name !== 'PATH' &&
    !notPrograms.has(name) &&
    isBelow(value) &&
    look(value).kind === 'directory'
      ? [path.resolve(value)]
      : [],
  );
  const places = [
    ...files.map(installationOf),
    ...searched.map((entry) => installationOf(path.join(entry, 'program'))),
    ...named,
  ];
  return [...new Set(places)].filter((place) => isBelow(place) && look(place).kind !== 'missing');
}

/** A link and what it leads to are installed in two places. */
function withReal(file: string, look: LookAtPath): readonly string[] {
  const {kind, real} = look(file);
  if (kind === 'missing') return [];
  return real === file ? [file] : [file, real];
}

/** `PREFIX/bin/x` comes with PREFIX, a package with the `node_modules` that it shares with others, anything else with its directory. */
function installationOf(file: string): string {
  const modules = file.indexOf('/node_modules/');
  const directory = path.dirname(path.resolve(file));
  if (modules !== -1) return file.slice(0, modules + '/node_modules'.length);
  const whole = ['bin', 'sbin', 'shims', 'Scripts'].includes(path.basename(directory))
    ? path.dirname(directory)
    : directory;
  if (isBelow(whole)) return whole;
  return isBelow(directory) ? directory : path.resolve(file);
}

function isBelow(place: string): boolean {
  return path.isAbsolute(place) && path.resolve(place).startsWith(`${replaced}/`);
}
