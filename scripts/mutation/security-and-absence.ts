import type {Mutation} from './mutation.ts';

const origin = {
  file: 'source/system/peer/peer-origin.ts',
  tests: ['test/system/peer/peer-origin.test.ts'],
};
const codes = {
  file: 'source/daemon/server/one-time-codes.ts',
  tests: ['test/daemon/server/one-time-codes.test.ts'],
};
const seen = {
  file: 'source/reports/runs/build-brief.ts',
  tests: ['test/reports/runs/absence.test.ts'],
};

/** Decisions outside of `domain`: who asks, one-time codes, how long a person was away. */
export const securityAndAbsenceMutations: readonly Mutation[] = [
  {
    ...origin,
    find: "if (identity.startTime < begun) return 'older'",
    replace: "if (identity.startTime <= begun) return 'older'",
    means: 'a process that started together with a session counts as older than the session',
  },
  {
    ...origin,
    find: 'number === 1 || adopters',
    replace: 'adopters',
    means: 'orphans of the first process are taken for its children',
  },
  {
    ...origin,
    find: 'other.session === session && other.identity',
    replace: 'other.identity',
    means: 'any old process proves any kernel session',
  },
  {
    ...origin,
    find: 'login !== undefined && login !== audit',
    replace: 'login !== audit',
    means: 'a session that has no login proves others',
  },
  {
    ...origin,
    find: 'logins.every(',
    replace: 'logins.some(',
    means: 'another login than one of the sessions is enough',
  },
  {
    ...origin,
    find: 'uids.every((one) => one !== uid)',
    replace: 'uids.some((one) => one !== uid)',
    means: 'a setuid program proves a person',
  },
  {
    ...origin,
    find: 'if (isAdopter || parent === undefined)',
    replace: 'if (isAdopter)',
    means: 'a process that hides its parent is accepted',
  },
  {
    ...codes,
    find: 'open = open.filter((one) => one !== known);',
    replace: '',
    means: 'a code is used twice',
  },
  {...codes, find: 'until > now()', replace: 'until >= now()', means: 'a code is valid at its end'},
  {
    ...codes,
    find: 'known.wrong + 1 >= codeLimits.wrong',
    replace: 'false',
    means: 'a code can be guessed for ever',
  },
  {
    ...codes,
    find: 'known === undefined || known.isSpent',
    replace: 'known === undefined',
    means: 'a refused code is taken',
  },
  {...codes, find: 'open.length >= codeLimits.open', replace: 'false', means: 'codes without end'},
  {
    ...seen,
    find: 'away >= awayMs',
    replace: 'away > 0',
    means: 'a person who pressed keys counts as away',
  },
  {
    ...seen,
    find: 'const away = came - since',
    replace: 'const away = at - since',
    means: 'the time since the return counts as absence',
  },
];
