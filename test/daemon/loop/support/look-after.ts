import assert from 'node:assert/strict';
import {existsSync, readdirSync} from 'node:fs';
import path from 'node:path';
import type {Event} from '../../../../source/domain/index.ts';
import {eventually} from '../../../support/eventually.ts';
import {locksIn} from '../../../workspace/support/swept.ts';
import {processesIn} from '../../support/place.ts';
import type {Stage} from './stage.ts';

/** What may be written down once, by what it is about. */
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

/** Which of those are the same however a run goes. A session that ended before anybody could tell that its input was typed never tells. */
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

/** Everything that came about, each thing once. Throws when something did so twice. */
export function keysOf(events: readonly Event[]): readonly string[] {
  const keys = events.flatMap((event) => keyOf(event, once[event.type]) ?? []);
  const twice = keys.filter((key, index) => keys.indexOf(key) !== index);
  assert.deepEqual(twice, [], 'was done twice');
  return keys.filter((key) => same.has(key.split(' ', 1)[0] ?? '')).toSorted();
}

/** The same by what it is about, each in the order in which it came about. */
export function sequencesOf(events: readonly Event[]): ReadonlyMap<string, readonly string[]> {
  const keyed = events
    .filter(({type}) => same.has(type))
    .map((event) => ({about: aboutOf(event), key: keyOf(event, once[event.type]) ?? ''}));
  return new Map(
    [...Map.groupBy(keyed, ({about}) => about)].map(([about, group]) => [
      about,
      group.map(({key}) => key),
    ]),
  );
}

function keyOf(event: Event, fields: readonly string[] | undefined): string | undefined {
  return fields === undefined
    ? undefined
    : [
        event.type,
        ...fields.map((field) => (event as unknown as Record<string, unknown>)[field]),
      ].join(' ');
}

function aboutOf(event: Event): string {
  if ('task' in event) return event.task;
  if ('owner' in event) return event.owner;
  return 'run' in event ? event.run : 'house';
}

/** What lies in our own directories, by kind: names of a journal, of sessions and of contents are not told apart. */
export function leftBehind(stage: Stage): readonly string[] {
  const {stateDirectory, runtimeDirectory} = stage.here();
  const names = [stateDirectory, runtimeDirectory].flatMap((directory) =>
    readdirSync(directory, {recursive: true, encoding: 'utf8'}),
  );
  // A tail that was torn is kept by design, and the journal tells of it.
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

/** Looks at everything from the outside: what nobody knows of must not be there. */
export async function lookAfter(stage: Stage, left = ''): Promise<void> {
  const {root, home, git} = stage;
  const events = stage.events();
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
  const making = path.join(stage.here().stateDirectory, 'workspace', 'making');
  assert.deepEqual(existsSync(making) ? readdirSync(making) : [], [], 'what was being made');
  assert.deepEqual(
    readdirSync(path.join(root, '.orchestra', 'knowledge')).filter((name) => !name.endsWith('.md')),
    [],
    'half summaries',
  );
  assert.equal(git('status', '--porcelain'), left, "the person's checkout");
  await eventually(
    'only the daemon runs',
    async () => processesIn(home).length <= ((await stage.daemonPid()) === undefined ? 0 : 1),
  );
}
