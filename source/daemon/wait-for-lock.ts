import {connect} from 'node:net';
import path from 'node:path';
import {findNameHolder, type Kernel, type NameHolder} from '../machine/index.ts';
import {dropOffers, ensureLockName, lockNameFile} from './lock-name.ts';
import {pauseFor} from './pause-for.ts';
import {takeLock, type Lock} from './take-lock.ts';

export type LockOptions = {
  readonly stateDirectory: string;
  readonly socket: string;
  /** The name that older daemons take: everybody can compute it. */
  readonly formerLock: string;
  readonly kernel: Kernel;
  readonly log: (line: string) => void;
};

/** How long another daemon may take to begin or to end; and how often it is looked at, or all processes for whoever has the former name. */
const limits = {lockMs: 5000, stepMs: 25, formerStepMs: 500};

/** Nothing when another one serves. One that has the lock and does not answer is just beginning, or just ending: then the lock is ours in a moment. */
export async function waitForLock(options: LockOptions): Promise<Lock | undefined> {
  const {stateDirectory, socket, formerLock, kernel} = options;
  const end = performance.now() + limits.lockMs;
  for (;;) {
    const taken = await takeLocks(ensureLockName(stateDirectory), options);
    if ('release' in taken) {
      dropOffers(stateDirectory);
      return taken;
    }

    if (await answers(socket)) return undefined;
    if (performance.now() > end)
      throw new Error(
        lockInWords(await findNameHolder(taken.missing, kernel), {
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
 * Both names, so that a daemon of an older version and this one never run at once. The former one any local user can take:
 * who is provably none of our own processes does not keep us from starting.
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
      `another user's process${holder.process === undefined ? '' : ` (${holder.process.identity.pid})`} has taken the name that older daemons use as their lock; this one goes on without it`,
    );
    return own;
  }

  await own.release();
  return {missing: formerLock};
}

type Place = {readonly socket: string; readonly isFormer: boolean; readonly file: string};

/** Who is in the way, as far as the kernel tells, and what to do about it. */
export function lockInWords(holder: NameHolder, {socket, isFormer, file}: Place): string {
  switch (holder.at) {
    case 'own': {
      const {
        identity: {pid},
        name,
        state,
      } = holder.process;
      const stopped = state === 'T' ? ', and is stopped' : '';
      return `process ${pid} (${name}) has the lock of this repository${stopped}, but does not answer at ${socket}. It is ${isFormer ? 'a daemon of an older version' : 'a daemon'} that hangs, or was started with another XDG_RUNTIME_DIR. Look at it: ps -o pid,stat,lstart,args -p ${pid}`;
    }

    case 'other': {
      const who =
        holder.process === undefined
          ? 'a process of another user (the kernel does not say which)'
          : `process ${holder.process.identity.pid} (${holder.process.name}) of the user ${holder.process.uid}`;
      return `${who} has taken the name of this repository's lock, and no daemon of yours has it. Choose another name: rm ${file}`;
    }

    case 'unknown': {
      return `somebody has the lock of this repository, but does not answer at ${socket}; who it is cannot be told: ${holder.why}. If it is a daemon of yours, it was started with another XDG_RUNTIME_DIR or hangs`;
    }

    case 'nobody': {
      return `the lock of this repository was taken until a moment ago, and nobody answers at ${socket}. Try again`;
    }
  }
}

export function answers(socket: string): Promise<boolean> {
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
