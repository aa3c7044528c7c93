import type {SessionId} from '../domain/index.ts';
import type {Doubt, Peer} from '../machine/index.ts';
import type {DoubtReport} from '../protocol/index.ts';
import {codeLimits} from './create-codes.ts';

/** Why it cannot be told that a person asks, in a sentence and for a program. */
export type DescribedDoubt = {
  readonly words: string;
  readonly report: Omit<DoubtReport, 'hasCode'>;
};

const texts: Readonly<Record<Exclude<Doubt, 'orphan'>, string>> = {
  terminal: 'it holds the terminal of a session',
  directory: 'it works in the directory of a session and has no terminal',
  hidden: 'it hides what it was started with',
  relay: 'it is no orchestra but passes on what somebody else says',
  user: 'it runs as another user',
};

/** Nothing for somebody who is in no doubt. `sessions`: those without a sandbox that it may have left. */
export function describeDoubt(
  {pid, process, doubts, origin}: Pick<Peer, 'pid' | 'process' | 'doubts' | 'origin'>,
  sessions: readonly SessionId[],
): DescribedDoubt | undefined {
  if (doubts.length === 0) return undefined;
  const lost = origin?.isProved === false ? origin : undefined;
  const reasons = doubts.map((doubt) =>
    doubt === 'orphan' ? orphanInWords(pid, lost, sessions) : texts[doubt],
  );
  return {
    words: `pid ${pid} (${process.name}): ${reasons.join('; ')}`,
    report: {
      pid,
      process: process.name,
      reasons: doubts,
      sessions,
      ...(lost !== undefined && {
        origin: {pid: lost.process.identity.pid, process: lost.process.name, parent: lost.parent},
      }),
    },
  };
}

function orphanInWords(
  pid: number,
  lost: Extract<Peer['origin'], {readonly isProved: false}> | undefined,
  sessions: readonly SessionId[],
): string {
  if (lost === undefined) return 'where it comes from cannot be followed';
  const {
    process: {identity, name},
    parent,
    why,
  } = lost;
  const who = identity.pid === pid ? 'it' : `pid ${identity.pid} (${name}), from which it comes,`;
  const left =
    sessions.length === 0
      ? 'a session without a sandbox that has ended'
      : `${sessions.slice(0, 3).join(', ')}${sessions.length > 3 ? ' and others' : ''}, without a sandbox`;
  const after = `${who} began after ${left}`;
  return why === 'adopted'
    ? `${after}, and is a child of pid ${parent}, which adopts whatever leaves a session`
    : `${after}, and its parent, pid ${parent}, cannot be seen`;
}

/** What whoever asks can do about it. */
export function waysOutOfDoubt(hasCode: boolean): string {
  const code = hasCode
    ? `read the one-time code for this command in the app, or by \`orchestra codes\` there, and repeat the command with --code CODE within ${codeLimits.validMs / 60_000} minutes`
    : 'no one-time code is given for it now: too many wait, or too many wrong ones were tried; try again in some minutes';
  return `Ask from the app, from a terminal that was open before, or from a new login (ssh, a console); or ${code}. Agents in the sandbox cast no doubt on anybody.`;
}
