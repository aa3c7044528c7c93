import {randomInt} from 'node:crypto';
import type {SessionId} from '../../domain/index.ts';
import type {Doubt, Peer} from '../../system/index.ts';
import type {CodeReport, DoubtReport} from '../../protocol/index.ts';
import {isSameToken} from './service.ts';

/** Why a client cannot be proved to be a person: a sentence, and a report for programs. */
export type DescribedDoubt = {
  readonly words: string;
  readonly report: Omit<DoubtReport, 'hasCode'>;
};

const doubtTexts: Readonly<Record<Exclude<Doubt, 'orphan'>, string>> = {
  terminal: 'it has the terminal of a session',
  directory: 'it works in the directory of a session and has no terminal',
  hidden: 'it hides its command line',
  relay: 'it is not orchestra and may forward requests of others',
  user: 'it runs as another user',
};

/**
 * Undefined if there is no doubt. `sessions`: those without a sandbox that the client may have
 * left.
 */
export function describeDoubt(
  {pid, process, doubts, origin}: Pick<Peer, 'pid' | 'process' | 'doubts' | 'origin'>,
  sessions: readonly SessionId[],
): DescribedDoubt | undefined {
  if (doubts.length === 0) return undefined;
  const missing = origin?.isProved === false ? origin : undefined;
  const reasons = doubts.map((doubt) =>
    doubt === 'orphan' ? formatOrphan(pid, missing, sessions) : doubtTexts[doubt],
  );
  return {
    words: `pid ${pid} (${process.name}): ${reasons.join('; ')}`,
    report: {
      pid,
      process: process.name,
      reasons: doubts,
      sessions,
      ...(missing !== undefined && {
        origin: {
          pid: missing.process.identity.pid,
          process: missing.process.name,
          parent: missing.parent,
        },
      }),
    },
  };
}

function formatOrphan(
  pid: number,
  missing: Extract<Peer['origin'], {readonly isProved: false}> | undefined,
  sessions: readonly SessionId[],
): string {
  if (missing === undefined) return 'its ancestors cannot be traced';
  const {
    process: {identity, name},
    parent,
    why,
  } = missing;
  const who = identity.pid === pid ? 'it' : `its ancestor pid ${identity.pid} (${name})`;
  const left =
    sessions.length === 0
      ? 'a session without a sandbox that has ended'
      : `${sessions.slice(0, 3).join(', ')}${sessions.length > 3 ? ' and others' : ''}, without a sandbox`;
  const after = `${who} started after ${left}`;
  return why === 'adopted'
    ? `${after}, and is a child of pid ${parent}, which adopts processes that leave a session`
    : `${after}, and its parent, pid ${parent}, cannot be seen`;
}

/** What the client can do about it. */
export function formatWaysOut(hasCode: boolean): string {
  const code = hasCode
    ? `read the one-time code for this command in the app or with \`orchestra codes\`, and ` +
      `repeat the command with --code CODE within ${codeLimits.validMs / 60_000} minutes`
    : 'no one-time code is available now: too many are open, or too many wrong ones were ' +
      'tried; try again in a few minutes';
  return (
    'Ask from the app, from a terminal that was open before, or from a new login (ssh, a ' +
    `console); or ${code}. Agents in the sandbox never cause this.`
  );
}

/** A request of a client that could not be proved to be the person. */
export type CodeRequest = {
  /** The hash of the command with everything that it binds; the code is valid for this only. */
  readonly digest: string;
  readonly intent: string;
  /** The command and its subject, for the person. */
  readonly what: string;
  /** Which process asked, and why it is in doubt. */
  readonly words: string;
};

/** One-time codes, in memory only: they end with the daemon. Only a proved person can read them. */
export type Codes = {
  /**
   * The code for the command. Undefined if too many codes are open, or after too many wrong tries.
   */
  readonly request: (request: CodeRequest) => CodeReport | undefined;
  /** A right code is valid once. */
  readonly use: (digest: string, given: string) => 'right' | 'wrong' | 'none';
  readonly list: () => readonly CodeReport[];
  /** Invalidates the codes of this kind of command, because the person refused it. */
  readonly refuse: (intent: string) => void;
};

export const codeLimits = {validMs: 5 * 60_000, wrong: 5, open: 16};

/**
 * Without characters that are easily confused. 8 of 30 are 39 bits, against 5 tries for each
 * command in 5 minutes.
 */
const codeLetters = '23456789ABCDEFGHJKLMNPQRSTVWXY';

type OpenCode = CodeReport & {
  readonly digest: string;
  readonly wrong: number;
  readonly isSpent: boolean;
};

export function createCodes({
  now,
  randomCode = makeCode,
}: {
  readonly now: () => number;
  readonly randomCode?: () => string;
}): Codes {
  // A spent code stays until it expires, so that guessing does not give a new one at once.
  let open: readonly OpenCode[] = [];
  let count = 0;
  const current = (): readonly OpenCode[] => {
    open = open.filter(({until}) => until > now());
    return open;
  };
  const change = (digest: string, to: Partial<OpenCode>): void => {
    open = open.map((one) => (one.digest === digest ? {...one, ...to} : one));
  };

  return {
    request: ({digest, intent, what, words}) => {
      const known = current().find((one) => one.digest === digest);
      if (known !== undefined) {
        change(digest, {words, asked: known.asked + 1});
        return known.isSpent ? undefined : toCodeReport(known);
      }

      if (open.length >= codeLimits.open) return undefined;
      count += 1;
      const made: OpenCode = {
        number: count,
        code: randomCode(),
        intent,
        what,
        words,
        at: now(),
        until: now() + codeLimits.validMs,
        asked: 1,
        digest,
        wrong: 0,
        isSpent: false,
      };
      open = [...open, made];
      return toCodeReport(made);
    },
    use: (digest, given) => {
      const known = current().find((one) => one.digest === digest);
      if (known === undefined || known.isSpent) return 'none';
      if (isSameToken(normalizeCode(given), normalizeCode(known.code))) {
        open = open.filter((one) => one !== known);
        return 'right';
      }

      change(digest, {wrong: known.wrong + 1, isSpent: known.wrong + 1 >= codeLimits.wrong});
      return 'wrong';
    },
    list: () =>
      current()
        .filter(({isSpent}) => !isSpent)
        .map(toCodeReport),
    refuse: (intent) => {
      for (const {digest} of open.filter((one) => one.intent === intent))
        change(digest, {isSpent: true});
    },
  };
}

function toCodeReport({number, code, intent, what, words, at, until, asked}: OpenCode): CodeReport {
  return {number, code, intent, what, words, at, until, asked};
}

/** Accepts lower case, and a missing dash. */
function normalizeCode(code: string): string {
  return code.toUpperCase().replaceAll(/[^0-9A-Z]/g, '');
}

function makeCode(): string {
  const draw = (): string =>
    Array.from({length: 4}, () => codeLetters[randomInt(codeLetters.length)]).join('');
  return `${draw()}-${draw()}`;
}
