import assert from 'node:assert/strict';
import path from 'node:path';
import {existsSync, readdirSync} from 'node:fs';
import type {Event} from '../../../../source/domain/index.ts';
import {eventually} from '../../../support/eventually.ts';
import {locksIn} from '../../../git/support/sweep-result.ts';
import {processesIn} from '../../../daemon/support/daemon-fixture.ts';
import type {LoopFixture} from './loop-fixture.ts';

/** Events that may be journaled once for each subject. */
const once: Readonly<Partial<Record<Event['type'], readonly string[]>>> = {
  'run-created': ['run'],
  'run-surveyed': ['run'],
  'plan-received': ['run', 'round'],
  'plan-approved': ['run'],
  'run-accepted': ['run'],
  'worktree-made': ['owner'],
  'worktree-renewed': ['owner'],
  'worktree-removed': ['owner'],
  'attempt-started': ['task', 'attempt'],
  'attempt-paused': ['task', 'attempt'],
  'pause-ended': ['task', 'attempt'],
  'agent-finished': ['task', 'attempt'],
  'change-captured': ['task', 'attempt'],
  'change-judged': ['task', 'attempt'],
  'change-validated': ['task', 'attempt'],
  'change-committed': ['task', 'attempt'],
  'attempt-failed': ['task', 'attempt'],
  'merge-conflicted': ['task'],
  'merge-validated': ['task'],
  'task-merged': ['task'],
  'task-begun': ['task'],
  'summary-written': ['run', 'task', 'endings'],
  'session-asked': ['session'],
  'session-created': ['session'],
  'session-running': ['session'],
  'session-exited': ['session'],
  'input-asked': ['session', 'input'],
  'input-typed': ['session', 'input'],
};

/**
 * Those that are the same in every run. A session that ends before its input is confirmed never
 * confirms it.
 */
const same: ReadonlySet<string> = new Set([
  'plan-received',
  'run-accepted',
  'worktree-made',
  'worktree-renewed',
  'worktree-removed',
  'attempt-started',
  'attempt-paused',
  'agent-finished',
  'change-captured',
  'change-judged',
  'change-committed',
  'attempt-failed',
  'merge-conflicted',
  'task-merged',
]);

/** Every such event. Throws if one occurs twice. */
export function getKeys(events: readonly Event[]): readonly string[] {
  const keys = events.flatMap((event) => getKey(event, once[event.type]) ?? []);
  const twice = keys.filter((key, index) => keys.indexOf(key) !== index);
  assert.deepEqual(twice, [], 'was done twice');
  return keys.filter((key) => same.has(key.split(' ', 1)[0] ?? '')).toSorted();
}

/** The same by subject, in order. */
export function getSequences(events: readonly Event[]): ReadonlyMap<string, readonly string[]> {
  const keyed = events
    .filter(({type}) => same.has(type))
    .map((event) => ({about: getAbout(event), key: getKey(event, once[event.type]) ?? ''}));
  return new Map(
    [...Map.groupBy(keyed, ({about}) => about)].map(([about, group]) => [
      about,
      group.map(({key}) => key),
    ]),
  );
}

function getKey(event: Event, fields: readonly string[] | undefined): string | undefined {
  return fields === undefined
    ? undefined
    : [
        event.type,
        ...fields.map((field) => (event as unknown as Record<string, unknown>)[field]),
      ].join(' ');
}

function getAbout(event: Event): string {
  if ('task' in event) return event.task;
  if ('owner' in event) return event.owner;
  return 'run' in event ? event.run : 'house';
}

/**
 * The files in the daemon's directories, by kind: names of journals, sessions and contents are
 * replaced by placeholders.
 */
export function leftBehind(fixture: LoopFixture): readonly string[] {
  const {stateDirectory, runtimeDirectory} = fixture.current();
  const names = [stateDirectory, runtimeDirectory].flatMap((directory) =>
    readdirSync(directory, {recursive: true, encoding: 'utf8'}),
  );
  // A torn tail is kept by design, and the journal records it.
  return [
    ...new Set(
      names.map((name) =>
        name
          .replace(/\/objects\/[0-9a-f]{2}(?=\/|$)/, '/objects/H')
          .replaceAll(/[0-9a-f]{8,}/g, 'H')
          .replaceAll(/\bs\d+\b/g, 'sN'),
      ),
    ),
  ]
    .filter((name) => !name.startsWith('torn-'))
    .toSorted();
}

/** Checks from outside that nothing unknown exists. */
export async function lookAfter(fixture: LoopFixture, left = ''): Promise<void> {
  const {root, home, git} = fixture;
  const events = fixture.events();
  const gone = new Set(
    events.flatMap((event) => (event.type === 'worktree-removed' ? [event.owner] : [])),
  );
  const known = events.flatMap((event) =>
    event.type === 'worktree-made' && !gone.has(event.owner) ? [event] : [],
  );
  const listed = git('worktree', 'list', '--porcelain')
    .split('\n')
    .flatMap((line) => (line.startsWith('worktree ') ? [line.slice('worktree '.length)] : []));
  assert.deepEqual(
    listed.toSorted(),
    [root, ...known.map(({path: place}) => place)].toSorted(),
    'worktrees',
  );
  const branches = git('for-each-ref', '--format=%(refname:short)', 'refs/heads')
    .trim()
    .split('\n');
  assert.deepEqual(
    branches.toSorted(),
    ['main', 'orchestra/r1', ...known.flatMap(({branch}) => branch ?? [])].toSorted(),
    'branches',
  );
  assert.deepEqual(
    locksIn(path.join(root, '.git')).filter((name) => !/^worktrees\/[^/]+\/locked$/.test(name)),
    [],
    'locks',
  );
  assert.deepEqual(
    readdirSync(`${root}.worktrees`).toSorted(),
    known.map(({path: place}) => path.basename(place)).toSorted(),
    'directories',
  );
  const making = path.join(fixture.current().stateDirectory, 'workspace', 'making');
  assert.deepEqual(existsSync(making) ? readdirSync(making) : [], [], 'what was being made');
  assert.deepEqual(
    readdirSync(path.join(root, '.orchestra', 'knowledge')).filter((name) => !name.endsWith('.md')),
    [],
    'half summaries',
  );
  assert.equal(git('status', '--porcelain'), left, "the person's checkout");
  await eventually(
    'only the daemon runs',
    async () => processesIn(home).length <= ((await fixture.daemonPid()) === undefined ? 0 : 1),
  );
}
