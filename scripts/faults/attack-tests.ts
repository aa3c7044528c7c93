import path from 'node:path';
import {run} from 'node:test';
import type {Report} from './campaign/report.ts';

const tests = path.join(import.meta.dirname, '..', '..', 'test');

/** Attacks that are tests of their own: who tries, and the files that try it. docs/threat-model.md has what stops them. */
const tried: readonly (readonly [who: string, ...files: readonly string[]])[] = [
  [
    'from inside of the sandbox',
    'sandbox/escapes.test.ts',
    'sandbox/files.test.ts',
    'sandbox/processes.test.ts',
    'workspace/view/git-view.test.ts',
    'daemon/launch/agent-state.test.ts',
  ],
  [
    'an agent that asks as the person',
    'daemon/authority.test.ts',
    'daemon/loop/authority.test.ts',
    'machine/peer/attacks.test.ts',
  ],
  [
    'an agent that leaves processes, pipes, links and giants',
    'daemon/loop/leftovers.test.ts',
    'daemon/hostile-files.test.ts',
    'daemon/forget-secrets.test.ts',
  ],
  ['whoever writes into the object store', 'workspace/change/verify-objects.test.ts'],
  [
    'an agent that keeps things going',
    'domain/bounded-loops.test.ts',
    'daemon/loop/bounds.test.ts',
    'domain/pauses.test.ts',
  ],
  [
    "an agent's files where the person starts orchestra",
    'commands/agent-worktree.test.ts',
    'settings/find-repository.test.ts',
  ],
  [
    'odd file names and text',
    'workspace/change/any-name.test.ts',
    'daemon/loop/names.test.ts',
    'terminal/visible-text.test.ts',
  ],
  [
    'whoever talks to the sockets',
    'daemon/nonsense.test.ts',
    'daemon/serve.test.ts',
    'daemon/room-for-clients.test.ts',
    'daemon/answers-in-parts.test.ts',
  ],
  ['whoever replaces the journal', 'journal/replaced.test.ts', 'daemon/journal.test.ts'],
  ['another local user', 'daemon/lock.test.ts', 'workspace/worktree/permissions.test.ts'],
  ['a hostile place', 'commands/hostile-surroundings.test.ts', 'daemon/full-disk.test.ts'],
];

/** Runs them and counts; what was left is named. */
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
      // A suite is the sum of its tests, and a file that cannot be run counts as one that failed.
      if (details.type === 'suite' || (type === 'test:pass' && name === file)) continue;
      count += 1;
      if (type === 'test:fail') failed.push(name);
    }

    report(`${who}: nothing was left`, count, count - failed.length, failed.slice(0, 3).join('; '));
  }
}
