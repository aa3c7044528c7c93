import path from 'node:path';
import {run} from 'node:test';
import type {Report} from './campaign/report.ts';

const tests = path.join(import.meta.dirname, '..', '..', 'test');

/**
 * Attackers and the test files that play their attacks. docs/threat-model.md has what stops them.
 */
const tried: readonly (readonly [who: string, ...files: readonly string[]])[] = [
  [
    'from inside of the sandbox',
    'sandbox/escapes.test.ts',
    'sandbox/files.test.ts',
    'sandbox/processes.test.ts',
    'git/private-views/git-view.test.ts',
    'daemon/launch/agent-state.test.ts',
  ],
  [
    'an agent that asks as the person',
    'daemon/server/authority.test.ts',
    'e2e/loop/authority.test.ts',
    'system/peer/attacks.test.ts',
  ],
  [
    'an agent that leaves processes, pipes, links and giants',
    'e2e/loop/leftovers.test.ts',
    'daemon/hostile-files.test.ts',
    'daemon/launch/exchange.forget-secrets.test.ts',
  ],
  ['whoever writes into the object store', 'git/changes/verify-objects.test.ts'],
  [
    'an agent that keeps things going',
    'domain/bounded-loops.test.ts',
    'e2e/loop/bounds.test.ts',
    'domain/pauses.test.ts',
  ],
  [
    "an agent's files where the person starts orchestra",
    'cli/agent-worktree.test.ts',
    'config/find-repository.test.ts',
  ],
  [
    'odd file names and text',
    'git/changes/any-name.test.ts',
    'e2e/loop/names.test.ts',
    'terminal/visible-text.test.ts',
  ],
  [
    'whoever talks to the sockets',
    'daemon/malformed-input.test.ts',
    'daemon/server/serve.test.ts',
    'daemon/server/serve.capacity.test.ts',
    'daemon/server/outbox.test.ts',
  ],
  ['whoever replaces the journal', 'journal/replaced.test.ts', 'daemon/journal.test.ts'],
  ['another local user', 'daemon/startup/lock.test.ts', 'git/worktrees/permissions.test.ts'],
  ['a hostile place', 'cli/hostile-environment.test.ts', 'daemon/full-disk.test.ts'],
];

/** Runs the files and reports the number of tests and the names of those that failed. */
export async function tryAttackTests(report: Report): Promise<void> {
  for (const [who, ...files] of tried) {
    const failed: string[] = [];
    let count = 0;
    for await (const event of run({
      files: files.map((file) => path.join(tests, file)),
      concurrency: 1,
      execArgv: ['--import', 'tsx'],
    })) {
      const {type, data} = event as {
        readonly type: string;
        readonly data: {
          readonly name: string;
          readonly file?: string;
          readonly details: {readonly type?: string};
        };
      };
      if (type !== 'test:pass' && type !== 'test:fail') continue;
      const {name, details, file} = data;
      // Suites are not counted; a file that cannot run counts as one failed test.
      if (details.type === 'suite' || (type === 'test:pass' && name === file)) continue;
      count += 1;
      if (type === 'test:fail') failed.push(name);
    }

    report(`${who}: nothing was left`, count, count - failed.length, failed.slice(0, 3).join('; '));
  }
}
