import path from 'node:path';
import {execFileSync} from 'node:child_process';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import {createServer} from 'node:net';
import type {TestContext} from 'node:test';

export const secretText = 'a secret outside of the place';

/** What somebody can put where a file is expected. `make` replaces whatever is there. */
export type HostileFile = {
  readonly name: string;
  readonly make: (
    file: string,
    help: {readonly t: TestContext; /** A directory outside. */ readonly outside: string},
  ) => Promise<void> | void;
  /** Only an ordinary user is kept from reading it. */
  readonly isReadableByRoot: boolean;
};

type Make = HostileFile['make'];

const makers: Readonly<Record<string, Make>> = {
  'a pipe': (file) => {
    execFileSync('/usr/bin/mkfifo', [cleared(file)]);
  },
  'a link to /dev/zero': (file) => {
    symlinkSync('/dev/zero', cleared(file));
  },
  'a link to a terminal': (file) => {
    symlinkSync('/dev/tty', cleared(file));
  },
  'a link to a secret outside': (file, {outside}) => {
    writeFileSync(path.join(outside, 'secret'), secretText);
    symlinkSync(path.join(outside, 'secret'), cleared(file));
  },
  'a link to itself': (file) => {
    symlinkSync(path.basename(file), cleared(file));
  },
  'a link to nothing': (file) => {
    symlinkSync('nowhere', cleared(file));
  },
  'a directory': (file) => {
    mkdirSync(cleared(file));
  },
  'a socket': async (file, {t}) => {
    await listen(t, cleared(file));
  },
  'a sparse file of 2 GB': (file) => {
    closeSync(openSync(cleared(file), 'w'));
    truncateSync(file, 2 * 1024 ** 3);
  },
  'a file that may not be read': (file) => {
    writeFileSync(cleared(file), '{}');
    chmodSync(file, 0);
  },
};

export const hostileFiles: readonly HostileFile[] = Object.entries(makers).map(([name, make]) => ({
  name,
  make,
  isReadableByRoot: name === 'a file that may not be read',
}));

/**
 * Replaces the directory of a file by a link to a directory outside that has a file of the same
 * name.
 */
export function replaceParent(file: string, outside: string): void {
  const place = path.dirname(file);
  rmSync(place, {recursive: true, force: true});
  mkdirSync(path.join(outside, 'elsewhere'), {recursive: true});
  writeFileSync(path.join(outside, 'elsewhere', path.basename(file)), secretText);
  symlinkSync(path.join(outside, 'elsewhere'), place);
}

function cleared(file: string): string {
  rmSync(file, {recursive: true, force: true});
  return file;
}

/** By way of a short name: the path of a socket has at most 107 bytes. */
async function listen(t: TestContext, file: string): Promise<void> {
  const directory = openSync(path.dirname(file), 'r');
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server
        .once('error', reject)
        .listen(`/proc/self/fd/${directory}/${path.basename(file)}`, resolve);
    });
  } finally {
    closeSync(directory);
  }

  t.after(() => {
    server.close();
  });
}
