import {existsSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';

/** The native half of node-pty. Its other half loses the end of the output (node-pty #72) and costs 1 MB of memory. */
export type Pty = {
  readonly fork: (
    file: string,
    args: readonly string[],
    env: readonly string[],
    cwd: string,
    columns: number,
    rows: number,
    uid: number,
    gid: number,
    utf8: boolean,
    helper: string,
    onExit: (code: number, signal: number) => void,
  ) => {readonly fd: number; readonly pid: number; readonly pty: string};
  readonly resize: (fd: number, columns: number, rows: number) => void;
};

export type NativePty = {
  readonly pty: Pty;
  /** The program through which macOS starts the child. */
  readonly helper: string;
};

export function loadPty(): NativePty {
  const require = createRequire(import.meta.url);
  const root = dirname(require.resolve('node-pty/package.json'));
  const places = ['build/Release', `prebuilds/${process.platform}-${process.arch}`].map((place) =>
    join(root, place),
  );
  const place = places.find((candidate) => existsSync(join(candidate, 'pty.node')));
  if (place === undefined)
    throw new Error(`expected pty.node in one of ${places.join(', ')}; install node-pty again`);
  return {pty: require(join(place, 'pty.node')) as Pty, helper: join(place, 'spawn-helper')};
}
