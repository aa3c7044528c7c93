import path from 'node:path';
import process from 'node:process';
import {execFile} from 'node:child_process';
import {readdirSync} from 'node:fs';
import {promisify} from 'node:util';
import type {Fixture} from '../sessions/fixture.ts';

export type AppPeers = {
  /** The program itself: its package starts it through Node. */
  readonly mprocs?: string;
  readonly ccmanager?: {readonly argv: readonly string[]; readonly until: RegExp};
  readonly versions: readonly string[];
};

/** Installs the peers from npm into the bench's directory. Packages that fail are reported and left out. */
export async function installPeers(fixture: Fixture): Promise<AppPeers> {
  const place = fixture.newPath('peers');
  const machine = `linux-${process.arch}`;
  const [tmux, mprocs, ccmanager] = await Promise.all([
    run(fixture, 'tmux', '-V'),
    install(fixture, path.join(place, 'mprocs'), 'mprocs').then((at) =>
      programIn(
        at,
        `/mprocs-[^/]*-linux-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-musl/mprocs$`,
      ),
    ),
    install(fixture, path.join(place, 'ccmanager'), `@kodaikabasawa/ccmanager-${machine}`).then(
      (at) => programIn(at, '/bin/ccmanager$'),
    ),
  ]);
  if (tmux === undefined)
    throw new Error('expected tmux to measure beside, got no such program: apt-get install tmux');
  const version = mprocs === undefined ? undefined : await run(fixture, mprocs, '--version');
  return {
    ...(mprocs !== undefined && version !== undefined && {mprocs}),
    ...(ccmanager !== undefined && {
      ccmanager: {argv: [ccmanager], until: /CCManager|Menu|Worktree/i},
    }),
    versions: [
      tmux,
      version ?? 'mprocs: could not be installed',
      ccmanager === undefined
        ? 'ccmanager: could not be installed'
        : `ccmanager ${(await run(fixture, ccmanager, '--version')) ?? ''} (its menu only)`.replaceAll(
            '  ',
            ' ',
          ),
    ],
  };
}

async function install(fixture: Fixture, place: string, name: string): Promise<string | undefined> {
  return (await run(
    fixture,
    'npm',
    'install',
    '--prefix',
    place,
    '--no-audit',
    '--no-fund',
    name,
  )) === undefined
    ? undefined
    : path.join(place, 'node_modules');
}

function programIn(modules: string | undefined, ending: string): string | undefined {
  if (modules === undefined) return undefined;
  const file = readdirSync(modules, {recursive: true, encoding: 'utf8'}).find((name) =>
    new RegExp(ending).test(`/${name}`),
  );
  return file === undefined ? undefined : path.join(modules, file);
}

async function run(
  fixture: Fixture,
  ...[command, ...argv]: readonly [string, ...string[]]
): Promise<string | undefined> {
  try {
    const {stdout} = await promisify(execFile)(command, argv, {
      env: {...process.env, ...fixture.env},
      cwd: fixture.directory,
      encoding: 'utf8',
      timeout: 60_000,
    });
    return stdout.trim().split('\n').at(-1);
  } catch {
    return undefined;
  }
}
