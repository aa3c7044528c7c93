import {randomInt} from 'node:crypto';
import type {CodeReport} from '../protocol/index.ts';
import {isSameToken} from './is-same-token.ts';

/** What somebody asked for who could not be proved to be the person. */
export type CodeRequest = {
  /** Of the command with everything that it binds: the code is for this and for nothing else. */
  readonly digest: string;
  readonly intent: string;
  /** The command and what it is about, for the person who reads it. */
  readonly what: string;
  /** Who asked, and why that is in doubt. */
  readonly words: string;
};

/** One-time codes, in memory alone: they end with the daemon. Only who is proved to be a person reads them. */
export type Codes = {
  /** Makes a code for the command, or keeps the one that it has. Nothing while there are too many, or after too many wrong ones. */
  readonly request: (request: CodeRequest) => CodeReport | undefined;
  /** A right code is used up. */
  readonly use: (digest: string, given: string) => 'right' | 'wrong' | 'none';
  readonly list: () => readonly CodeReport[];
  /** The person does not want this: its codes are worth nothing any more. */
  readonly refuse: (intent: string) => void;
};

export const codeLimits = {validMs: 5 * 60_000, wrong: 5, open: 16};

/** Without those that are easily taken for another. 8 of 30 are 39 bits; 5 tries at one command in 5 minutes. */
const letters = '23456789ABCDEFGHJKLMNPQRSTVWXY';

type Open = CodeReport & {
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
  // One that is spent stays until its time is over, so that who guesses does not get another one at once.
  let open: readonly Open[] = [];
  let count = 0;
  const current = (): readonly Open[] => {
    open = open.filter(({until}) => until > now());
    return open;
  };
  const change = (digest: string, to: Partial<Open>): void => {
    open = open.map((one) => (one.digest === digest ? {...one, ...to} : one));
  };

  return {
    request: ({digest, intent, what, words}) => {
      const known = current().find((one) => one.digest === digest);
      if (known !== undefined) {
        change(digest, {words, asked: known.asked + 1});
        return known.isSpent ? undefined : reportOf(known);
      }

      if (open.length >= codeLimits.open) return undefined;
      count += 1;
      const made: Open = {
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
      return reportOf(made);
    },
    use: (digest, given) => {
      const known = current().find((one) => one.digest === digest);
      if (known === undefined || known.isSpent) return 'none';
      if (isSameToken(plainOf(given), plainOf(known.code))) {
        open = open.filter((one) => one !== known);
        return 'right';
      }

      change(digest, {wrong: known.wrong + 1, isSpent: known.wrong + 1 >= codeLimits.wrong});
      return 'wrong';
    },
    list: () =>
      current()
        .filter(({isSpent}) => !isSpent)
        .map(reportOf),
    refuse: (intent) => {
      for (const {digest} of open.filter((one) => one.intent === intent))
        change(digest, {isSpent: true});
    },
  };
}

function reportOf({number, code, intent, what, words, at, until, asked}: Open): CodeReport {
  return {number, code, intent, what, words, at, until, asked};
}

/** As a person types it: small letters and without the dash as well. */
function plainOf(code: string): string {
  return code.toUpperCase().replaceAll(/[^0-9A-Z]/g, '');
}

function makeCode(): string {
  const draw = (): string =>
    Array.from({length: 4}, () => letters[randomInt(letters.length)]).join('');
  return `${draw()}-${draw()}`;
}
