import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import type {Process} from '../../../source/system/index.ts';
import {findOrigin, type OriginQuestion} from '../../../source/system/peer/peer-origin.ts';

/** `pid parent start session uid`, nearest first; the last ones may stand beside the line. */
type Row = readonly [pid: number, parent: number, start: number, session: number];

function getProcess([pid, parent, startTime, session]: Row): Process {
  return {
    identity: {pid, startTime, bootId: 'boot'},
    uid: 1000,
    parent,
    group: pid,
    session,
    foreground: -1,
    state: 'S',
    cpuMs: 0,
    memory: 0,
    startedAt: 0,
    name: `p${pid}`,
  };
}

type Case = {
  readonly name: string;
  readonly line: readonly Row[];
  readonly beside?: readonly Row[];
  readonly adopters?: readonly number[];
  readonly logins?: OriginQuestion['logins'];
  readonly audit?: Readonly<Record<number, number>>;
  readonly uids?: Readonly<Record<number, readonly number[]>>;
  readonly uid?: number;
  /** Proof and who has it, or why not and who it is about. */
  readonly expected: string;
};

/**
 * The first session begins at 100. Process 1 is the first process, 50 adopts what the sessions
 * leave.
 */
const first: Row = [1, 0, 0, 1];
const manager: Row = [50, 1, 5, 50];

const cases: readonly Case[] = [
  {
    name: 'a shell that was open before',
    line: [[9, 8, 200, 8], [8, 7, 20, 8], [7, 1, 10, 7], first],
    expected: 'session 9',
  },
  {
    name: 'its command in a session of its own',
    line: [[9, 8, 200, 9], [8, 7, 20, 8], [7, 1, 10, 7], first],
    expected: 'older 8',
  },
  {
    name: 'a command of a script of a job of cron, begun later',
    line: [[9, 8, 200, 9], [8, 7, 190, 8], [7, 6, 180, 7], [6, 1, 10, 6], first],
    expected: 'older 6',
  },
  {
    name: 'a window of a terminal that was there before',
    line: [[9, 8, 200, 8], [8, 7, 150, 8], [7, 50, 10, 7], manager, first],
    expected: 'older 7',
  },
  {
    name: 'the first tick of the session is not before it',
    line: [[9, 8, 200, 9], [8, 1, 100, 8], first],
    expected: 'adopted 8 1',
  },
  {
    name: 'a child of the first process, begun later',
    line: [[9, 1, 200, 9], first],
    expected: 'adopted 9 1',
  },
  {
    name: 'an orphan, whatever stands below it',
    line: [[9, 8, 300, 9], [8, 7, 250, 8], [7, 1, 200, 7], first],
    expected: 'adopted 7 1',
  },
  {
    name: 'a child of whoever adopts, begun later',
    line: [[9, 50, 200, 9], manager, first],
    expected: 'adopted 9 50',
  },
  {
    name: 'the same where somebody else adopts',
    line: [[9, 50, 200, 9], manager, first],
    adopters: [],
    expected: 'older 50',
  },
  {
    name: 'a child of the first process in one session with it',
    line: [[9, 1, 200, 1], first],
    expected: 'session 9',
  },
  {
    name: 'an adopter with a number that was used again',
    line: [[9, 50, 200, 9], [50, 1, 150, 50], first],
    expected: 'adopted 50 1',
  },
  {
    name: 'a leader that has gone, with a member from before',
    line: [[9, 1, 200, 8], first],
    beside: [[12, 1, 90, 8]],
    expected: 'session 9',
  },
  {
    name: 'a leader that has gone, with members from after',
    line: [[9, 1, 200, 8], first],
    beside: [[12, 1, 110, 8]],
    expected: 'adopted 9 1',
  },
  {name: 'a parent that cannot be seen', line: [[9, 8, 200, 9]], expected: 'unseen 9 8'},
  {name: 'an adopter that cannot be seen', line: [[9, 50, 200, 9]], expected: 'adopted 9 50'},
  {
    name: 'another login',
    line: [[9, 1, 200, 9], first],
    logins: [3],
    audit: {9: 4},
    expected: 'login 9',
  },
  {
    name: 'a service of the system, with no login',
    line: [[9, 1, 200, 9], first],
    logins: [3],
    audit: {},
    expected: 'login 9',
  },
  {
    name: 'the same login',
    line: [[9, 1, 200, 9], first],
    logins: [3],
    audit: {9: 3},
    expected: 'adopted 9 1',
  },
  {
    name: 'one of the logins',
    line: [[9, 1, 200, 9], first],
    logins: [3, 4],
    audit: {9: 4},
    expected: 'adopted 9 1',
  },
  {
    name: 'a session without a login may give itself one',
    line: [[9, 1, 200, 9], first],
    logins: [3, undefined],
    audit: {9: 4},
    expected: 'adopted 9 1',
  },
  {
    name: 'nothing known of any login',
    line: [[9, 1, 200, 9], first],
    logins: [],
    audit: {9: 4},
    expected: 'adopted 9 1',
  },
  {
    name: 'a login by sshd that began later, as root',
    line: [[9, 8, 220, 9], [8, 7, 210, 8], [7, 1, 200, 7], first],
    uids: {7: [0, 0, 0, 0]},
    expected: 'user 7',
  },
  {
    name: 'a program that is root by its file alone',
    line: [[9, 8, 220, 9], [8, 1, 210, 8], first],
    uids: {8: [1000, 0, 0, 0]},
    expected: 'adopted 8 1',
  },
  {
    name: 'one that hides whose it is',
    line: [[9, 8, 220, 9], [8, 1, 210, 8], first],
    uids: {8: []},
    expected: 'adopted 8 1',
  },
  {
    name: 'root, where we are root ourselves',
    line: [[9, 8, 220, 9], [8, 1, 210, 8], first],
    uids: {8: [0, 0, 0, 0], 9: [0, 0, 0, 0]},
    uid: 0,
    expected: 'adopted 8 1',
  },
  {
    name: 'put into the container from outside',
    line: [
      [9, 8, 220, 8],
      [8, 0, 210, 8],
    ],
    expected: 'outside 8',
  },
];

describe('where somebody comes from who asks', () => {
  for (const {
    name,
    line,
    beside = [],
    adopters = [50],
    logins = [],
    audit = {},
    uids = {},
    uid = 1000,
    expected,
  } of cases) {
    it(`${name}: ${expected}`, () => {
      const processes = [...line, ...beside].map(getProcess);
      const origin = findOrigin({
        line: processes.slice(0, line.length),
        processes,
        begun: 100,
        logins,
        uid,
        adopters: adopters.map((pid) => ({pid, startTime: 5, bootId: 'boot'})),
        credentialsOf: ({identity: {pid}}) => ({
          uids: uids[pid] ?? [1000, 1000, 1000, 1000],
          ...(audit[pid] !== undefined && {audit: audit[pid]}),
        }),
      });
      assert.equal(
        origin.isProved
          ? `${origin.by} ${origin.process.identity.pid}`
          : `${origin.why} ${origin.process.identity.pid} ${origin.parent}`,
        expected,
      );
    });
  }
});
