import assert from 'node:assert/strict';
import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';
import type {TestContext} from 'node:test';
import {
  cookieName,
  isSameProcessKey,
  type Process,
  type ProcessKey,
  readProcessTree,
  signalProcess,
} from '../../../source/system/index.ts';
import {eventually} from '../../support/eventually.ts';
import {isAlive, kernel, processAt} from './own-kernel.ts';

export type Started = {
  readonly child: ChildProcess;
  readonly process: Process;
  /** The next line that it prints. */
  readonly line: () => Promise<string>;
};

/**
 * Processes of a test. When it ends they are killed, together with everything that has one of its
 * cookies.
 */
export type TestProcesses = {
  /** A unique cookie. */
  readonly cookie: (name: string) => string;
  /** Starts a program, optionally as session leader and with a cookie. */
  readonly start: (argv: readonly string[], options?: StartOptions) => Promise<Started>;
  /** Also kills a process without a cookie that something else started for the test. */
  readonly adopt: (identity: ProcessKey) => void;
};

export type StartOptions = {
  readonly cookie?: string;
  readonly isLeader?: boolean;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
};

let fixtures = 0;

export function createTestProcesses(t: TestContext): TestProcesses {
  fixtures += 1;
  const prefix = `test-${process.pid}-${fixtures}`;
  const cookies = new Set<string>();
  const started: ChildProcess[] = [];
  const adopted: ProcessKey[] = [];
  t.after(async () => {
    // In parallel: the exit of one process may come while another is awaited.
    await Promise.all(
      started
        .filter(({exitCode, signalCode}) => exitCode === null && signalCode === null)
        .map((child) => {
          const exit = once(child, 'exit');
          child.kill('SIGKILL');
          return exit;
        }),
    );

    for (const identity of adopted) {
      await signalProcess({identity}, 'SIGKILL', kernel);
      await eventually('an adopted process is gone', async () => {
        const now = await processAt(identity.pid);
        return !isAlive(now) || !isSameProcessKey(now.identity, identity);
      });
    }

    for (const cookie of cookies) {
      for (const {identity} of await getMembers(cookie))
        await signalProcess({identity}, 'SIGKILL', kernel);
      await eventually(
        `nothing with the cookie ${cookie} is left`,
        async () => (await getMembers(cookie)).length === 0,
      );
    }
  });
  return {
    cookie: (name) => {
      const cookie = `${prefix}-${name}`;
      cookies.add(cookie);
      return cookie;
    },
    adopt: (identity) => {
      adopted.push(identity);
    },
    start: async (argv, {cookie, isLeader = false, cwd, env} = {}) => {
      const [file = '', ...rest] = argv;
      const child = spawn(file, rest, {
        stdio: ['ignore', 'pipe', 'inherit'],
        detached: isLeader,
        cwd,
        env: {
          PATH: process.env['PATH'],
          HOME: process.env['HOME'],
          ...env,
          ...(cookie === undefined ? {} : {[cookieName]: cookie}),
        },
      });
      started.push(child);
      await once(child, 'spawn');
      const lines = createInterface({input: child.stdout})[Symbol.asyncIterator]();
      const found = await processAt(child.pid!);
      assert.ok(found, 'the process can be read as soon as it is there');
      return {
        child,
        process: found,
        line: async () => {
          const {value, done} = await lines.next();
          assert.equal(done, false, `${argv.join(' ')} ended without a line`);
          return value;
        },
      };
    },
  };
}

async function getMembers(cookie: string): Promise<readonly Process[]> {
  const tree = await readProcessTree({cookie}, kernel);
  return 'value' in tree ? tree.value.members : [];
}
