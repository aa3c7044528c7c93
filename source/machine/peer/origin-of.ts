import {isSameProcess, type Process, type ProcessIdentity} from '../process/process.ts';
import type {Credentials} from '../process/read-credentials.ts';

/**
 * `older`: it began before any session. `session`: it is in a kernel session that was there before. `login`: it came from another
 * login. `user`: it is another user's. `outside`: it was put into this namespace of processes from outside.
 */
export type Proof = 'older' | 'session' | 'login' | 'user' | 'outside';

/** Where somebody comes from, as far as it can be followed. `parent`: whose child it is now, who may have adopted it. */
export type Origin =
  | {readonly isProved: true; readonly by: Proof; readonly process: Process}
  | {
      readonly isProved: false;
      readonly why: 'adopted' | 'unseen';
      readonly process: Process;
      readonly parent: number;
    };

export type OriginQuestion = {
  /** Whoever asks, and its ancestors, nearest first. */
  readonly line: readonly Process[];
  readonly processes: readonly Process[];
  /** When the first session began that somebody could have left. */
  readonly begun: number;
  /** Who can have adopted what a session left. A process that is gone may still stand here. */
  readonly adopters: readonly ProcessIdentity[];
  /** The logins of the sessions; nothing for one whose processes may give themselves another. */
  readonly logins: readonly (number | undefined)[];
  readonly credentialsOf: (process: Process) => Credentials;
  readonly uid: number;
};

/**
 * Whether somebody is proved to descend from no session. Each step up is certain: a parent either started its child, or adopted
 * it, and only `adopters` adopt what a session left. So the way up ends well at the first process that no session can have
 * started, and badly at a child of an adopter: such a child may be the adopter's own, or have left a session.
 */
export function originOf(question: OriginQuestion): Origin {
  const {line, adopters} = question;
  for (const [index, process] of line.entries()) {
    const by = proofFor(process, question);
    if (by !== undefined) return {isProved: true, by, process};
    const parent = line[index + 1];
    const {parent: number} = process;
    const isAdopter =
      number === 1 ||
      adopters.some((one) =>
        parent === undefined ? one.pid === number : isSameProcess(one, parent.identity),
      );
    if (isAdopter || parent === undefined)
      return {isProved: false, why: isAdopter ? 'adopted' : 'unseen', process, parent: number};
  }

  throw new Error('expected at least whoever asks');
}

function proofFor(
  process: Process,
  {begun, processes, logins, credentialsOf, uid}: OriginQuestion,
): Proof | undefined {
  const {identity, session, parent} = process;
  if (identity.startTime < begun) return 'older';
  // Nobody joins a session of the kernel's: its members descend from whoever began it. Of a leader that has gone, another member tells.
  if (processes.some((other) => other.session === session && other.identity.startTime < begun))
    return 'session';
  const {audit, uids} = credentialsOf(process);
  if (logins.length > 0 && logins.every((login) => login !== undefined && login !== audit))
    return 'login';
  // All of them: a program that is root by its file alone was started by whoever called it.
  if (uid !== 0 && uids.length > 0 && uids.every((one) => one !== uid)) return 'user';
  return parent === 0 && identity.pid !== 1 ? 'outside' : undefined;
}
