import path from 'node:path';
import {randomBytes} from 'node:crypto';
import {linkSync, rmSync, writeFileSync} from 'node:fs';
import {connect, createServer, type Server} from 'node:net';
import {bytesOrThrow, readRegularFile, writeFileAtomic} from '../../files/index.ts';
import {listOwnNames} from '../directories.ts';
import {findNameHolder, type Kernel, type NameHolder} from '../../system/index.ts';
import {pauseFor} from '../engine/pacing.ts';

/** In the repository's state directory, which only its owner can read. */
export const lockNameFile = 'lock-name';

/** A file that disappears this often is being removed by somebody. */
const maxTries = 5;

/**
 * The name of the daemon's lock: 128 random bits, chosen once and kept in the state directory,
 * because any local user can take a name that can be guessed. If several daemons choose at once,
 * one wins and all use its name.
 */
export function ensureLockName(stateDirectory: string): string {
  const file = path.join(stateDirectory, lockNameFile);
  for (let tries = 0; tries < maxTries; tries++) {
    const name = readName(file);
    if (name !== undefined) return name;
    offerName(file);
  }

  throw new Error(
    `expected ${file} to stay where it is, but it was removed ${maxTries} times while a ` +
      'daemon started. Find out which program removes it, then start again',
  );
}

function readName(file: string): string | undefined {
  const text = tryReadName(file);
  if (text === undefined) return undefined;
  const digits = /^(?<digits>[\da-f]{32})\n$/.exec(text)?.groups?.['digits'];
  if (digits === undefined)
    throw new Error(
      `${file}: expected 32 hexadecimal digits, the name of the daemon's lock, got ` +
        'something else. Make sure that no daemon of this repository runs, then remove the ' +
        'file',
    );
  return `\0orchestra-${digits}`;
}

function tryReadName(file: string): string | undefined {
  const reading = readRegularFile(file, {maxBytes: 1024});
  return reading.at === 'refused' && reading.why === 'missing'
    ? undefined
    : bytesOrThrow(file, reading).toString('utf8');
}

/** Writes the file under another name and links it, so that no reader sees half of it. */
function offerName(file: string): void {
  const own = `${file}.${randomBytes(6).toString('hex')}`;
  const text = `${randomBytes(16).toString('hex')}\n`;
  try {
    writeFileAtomic(own, text, {isDurable: true});
    giveName(own, file, text);
  } finally {
    rmSync(own, {force: true});
  }
}

function giveName(own: string, file: string, text: string): void {
  try {
    linkSync(own, file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EEXIST' || code === 'ENOENT') return;
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw error;
    // A file system without hard links; `wx` still fails if another daemon was faster.
    writeFileSync(file, text, {flag: 'wx', mode: 0o600});
  }
}

/**
 * Removes files of daemons that were killed while choosing. Only for the owner of the lock; a
 * daemon that is just choosing tries again.
 */
export function dropOffers(stateDirectory: string): void {
  for (const name of listOwnNames(stateDirectory))
    if (/^lock-name\.[\da-f]{12}$/.test(name))
      rmSync(path.join(stateDirectory, name), {force: true});
}

export type LockOptions = {
  readonly stateDirectory: string;
  readonly socket: string;
  /** The lock name of older daemons, which everybody can compute. */
  readonly formerLock: string;
  readonly kernel: Kernel;
  readonly log: (line: string) => void;
};

/**
 * How long another daemon may take to start or stop, and how often the lock is tried. Finding the
 * holder of the former name reads all processes.
 */
const limits = {lockMs: 5000, stepMs: 25, formerStepMs: 500};

/**
 * Undefined if another daemon serves. One that has the lock and does not answer is just starting or
 * stopping, so it is waited for.
 */
export async function waitForLock(options: LockOptions): Promise<Lock | undefined> {
  const {stateDirectory, socket, formerLock, kernel} = options;
  const end = performance.now() + limits.lockMs;
  for (;;) {
    const taken = await takeLocks(ensureLockName(stateDirectory), options);
    if ('release' in taken) {
      dropOffers(stateDirectory);
      return taken;
    }

    if (await isAnswering(socket)) return undefined;
    if (performance.now() > end)
      throw new Error(
        formatHolder(await findNameHolder(taken.missing, kernel), {
          socket,
          isFormer: taken.missing === formerLock,
          file: path.join(stateDirectory, lockNameFile),
        }),
      );
    await pauseFor(
      taken.missing === formerLock ? limits.formerStepMs : limits.stepMs,
      new AbortController().signal,
    );
  }
}

/**
 * Takes both names, so that a daemon of an older version and this one never run at once. Any local
 * user can take the former name, so a holder that is provably another user's process is ignored.
 */
async function takeLocks(
  name: string,
  {formerLock, kernel, log}: LockOptions,
): Promise<Lock | {readonly missing: string}> {
  const own = await takeLock(name);
  if (own === undefined) return {missing: name};
  const former = await takeLock(formerLock);
  if (former !== undefined)
    return {
      release: async () => {
        await Promise.all([own.release(), former.release()]);
      },
    };
  const holder = await findNameHolder(formerLock, kernel);
  if (holder.at === 'other') {
    log(
      "another user's " +
        `process${holder.process === undefined ? '' : ` (${holder.process.identity.pid})`} ` +
        'uses the lock name of older daemons; this daemon starts without it',
    );
    return own;
  }

  await own.release();
  return {missing: formerLock};
}

type Place = {readonly socket: string; readonly isFormer: boolean; readonly file: string};

/** Who holds the lock, as far as the kernel can tell, and what to do about it. */
export function formatHolder(holder: NameHolder, {socket, isFormer, file}: Place): string {
  switch (holder.at) {
    case 'own': {
      const {
        identity: {pid},
        name,
        state,
      } = holder.process;
      const stopped = state === 'T' ? ', and is stopped' : '';
      return (
        `process ${pid} (${name}) has the lock of this repository${stopped}, but does not ` +
        `answer at ${socket}. It is ` +
        `${isFormer ? 'a daemon of an older version' : 'a daemon'} that hangs, or was ` +
        'started with another XDG_RUNTIME_DIR. Look at it: ps -o pid,stat,lstart,args -p ' +
        `${pid}`
      );
    }

    case 'other': {
      const who =
        holder.process === undefined
          ? 'a process of another user (the kernel does not say which)'
          : `process ${holder.process.identity.pid} (${holder.process.name}) of the user ${holder.process.uid}`;
      return (
        `${who} uses the lock name of this repository, and no daemon of yours runs. Choose ` +
        `another name: rm ${file}`
      );
    }

    case 'unknown': {
      return (
        `a process has the lock of this repository, but does not answer at ${socket}, and ` +
        `orchestra cannot identify it: ${holder.why}. If it is a daemon of yours, it was ` +
        'started with another XDG_RUNTIME_DIR or hangs'
      );
    }

    case 'nobody': {
      return `the lock of this repository was taken until a moment ago, and nothing answers at ${socket}. Try again`;
    }
  }
}

export function isAnswering(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(socket);
    probe.once('connect', () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', () => {
      resolve(false);
    });
  });
}

export type Lock = {readonly release: () => Promise<void>};

/**
 * A lock that the kernel releases when its holder dies: a socket in Linux's abstract namespace,
 * without a file. Elsewhere the name is a path, which may outlive its holder. Undefined if another
 * process has the lock.
 */
export async function takeLock(name: string): Promise<Lock | undefined> {
  const server = createServer((socket) => socket.destroy());
  const isOurs = await listenAt(server, name);
  if (!isOurs) return undefined;
  server.unref();
  return {
    release: () =>
      new Promise((resolve) =>
        server.close(() => {
          resolve();
        }),
      ),
  };
}

function listenAt(server: Server, name: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('listening', () => {
      resolve(true);
    });
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    server.listen(name);
  });
}
