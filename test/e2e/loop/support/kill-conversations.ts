import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import {cpSync, lstatSync, mkdtempSync, readdirSync} from 'node:fs';
import {setTimeout as pass} from 'node:timers/promises';
import {isInteractive, selectLiveSessions} from '../../../../source/domain/index.ts';
import {end, isRunning} from '../../../daemon/support/daemon-fixture.ts';
import {eventually} from '../../../support/eventually.ts';
import {type Answers, createAnsweringPerson} from './answer-needs.ts';
import {getCommits} from './invariants.ts';
import {lookAfter} from './look-after.ts';
import type {LoopFixture} from './loop-fixture.ts';
import {readWritten, type Written} from './read-written.ts';
import {runToEnd} from './run-to-end.ts';
import type {Newborn} from './start-daemon.ts';
import {
  interactiveRequest,
  isPromptOf,
  notedBy,
  openThreeConversations,
  readNoted,
} from './three-conversations.ts';

export const killTargets = ['daemon', 'keeper', 'agent'] as const;
export type KillTarget = (typeof killTargets)[number];

export type InteractiveRun = {
  readonly killed: Readonly<Record<KillTarget, number>>;
  readonly answers: Answers;
  /** Prompts that reached an agent, by its own record. */
  readonly prompts: number;
  readonly attempts: number;
  readonly sessions: number;
  /** Why tasks stopped. */
  readonly stops: readonly string[];
  readonly broken: readonly string[];
};

/** What a run without kills left. */
export type UndisturbedRun = {
  readonly tree: string;
  readonly commits: string;
  readonly ms: number;
};

export type KillPlan = {
  readonly kills: number;
  readonly chance: () => number;
  /** The longest time between two kills. */
  readonly pauseMs: number;
};

/** Plays one whole run of agents in their own interface and kills at random what it consists of. */
export async function killConversations(
  plan: KillPlan,
  usual?: UndisturbedRun,
): Promise<InteractiveRun & UndisturbedRun> {
  const fixture = openThreeConversations();
  const person = createAnsweringPerson(fixture);
  const killed: Record<KillTarget, number> = {daemon: 0, keeper: 0, agent: 0};
  const over = new AbortController();
  let daemon: Newborn | undefined;
  const begun = performance.now();
  const broken: string[] = [];
  let [tree, commits] = ['', ''];
  const killer = killAtRandom(fixture, plan, {
    killed,
    signal: over.signal,
    daemon: () => (daemon?.isOver() === false ? daemon.pid : undefined),
  });
  try {
    const left = fixture.git('status', '--porcelain');
    const {readyTree} = await runToEnd(
      fixture,
      {born: (next) => (daemon = next)},
      {request: interactiveRequest, acts: person.acts},
    );
    tree = readyTree;
    over.abort();
    await killer;
    commits = getCommits(fixture);
    const check = async (what: string, look: () => void | Promise<void>): Promise<void> => {
      try {
        await look();
      } catch (error) {
        broken.push(`${what}: ${(error as Error).message.replaceAll(/\s+/g, ' ').slice(0, 600)}`);
      }
    };

    const written = readWritten(fixture);
    await check('prompts', () => {
      assertPrompts(fixture, written);
    });
    await check('attempts', () => {
      assertAttempts(written);
    });
    await check('the result', () => {
      if (usual === undefined) return;
      assert.equal(tree, usual.tree, 'the tree');
      assert.equal(commits, usual.commits, 'the commits');
    });
    await check('what is left', async () => {
      await lookAfter(fixture, left);
      assertSockets(fixture);
    });
    await check('the journal', () => assertReplays(fixture, written));
  } catch (error) {
    broken.push(`the end: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    over.abort();
    await killer;
  }

  const {events} = readWritten(fixture);
  const result = {
    killed,
    answers: person.answers,
    prompts: readNoted(fixture).filter(({prompt}) => prompt !== undefined).length,
    attempts: events.filter(({type}) => type === 'attempt-started').length,
    sessions: events.filter((event) => event.type === 'session-asked').length,
    stops: events.flatMap((event) =>
      event.type === 'task-stopped' ? [`${event.task} ${event.why.kind}`] : [],
    ),
    broken: broken.length === 0 ? broken : [...broken, ...saveJournal(fixture)],
    tree,
    commits,
    ms: performance.now() - begun,
  };
  await fixture.close();
  return result;
}

type Killing = {
  readonly killed: Record<KillTarget, number>;
  readonly signal: AbortSignal;
  readonly daemon: () => number | undefined;
};

async function killAtRandom(
  fixture: LoopFixture,
  {kills, chance, pauseMs}: KillPlan,
  {killed, signal, daemon}: Killing,
): Promise<void> {
  let count = 0;
  while (count < kills) {
    // Short pauses are more likely: a kill during the recovery from another is worth more.
    await pass(chance() ** 2 * pauseMs, undefined, {signal}).catch(() => undefined);
    // In the middle of typing a prompt is where one could be lost or typed twice.
    if (chance() < aimedShare && (await untilTyping(fixture, signal)))
      await pass(chance() * typingMs, undefined, {signal}).catch(() => undefined);
    if (signal.aborted) return;
    const target = killTargets[Math.floor(chance() * killTargets.length)] ?? 'daemon';
    const pid = target === 'daemon' ? daemon() : pidOf(fixture, target, chance);
    if (pid === undefined || !isRunning(pid)) continue;
    end(pid, fixture.home);
    const isDead = await eventually('it is gone', () => !isRunning(pid), 5000).catch(() => false);
    if (!isDead) continue;
    killed[target]++;
    count++;
  }
}

/** How many kills wait for a prompt that is being typed, and how long typing takes. */
const aimedShare = 0.4;
const typingMs = 2000;

/** Whether a prompt is being typed before long. */
function untilTyping(fixture: LoopFixture, signal: AbortSignal): Promise<boolean> {
  const isTyping = (): boolean =>
    selectLiveSessions(readWritten(fixture).state).some(
      ({life, inputs}) =>
        life.at === 'running' &&
        inputs.some(({fate, prompt}) => fate === 'pending' && prompt !== undefined),
    );
  return eventually('a prompt is being typed', () => signal.aborted || isTyping(), 5000).catch(
    () => false,
  );
}

/** A process of a worker that lives by the journal. */
function pidOf(
  fixture: LoopFixture,
  target: 'keeper' | 'agent',
  chance: () => number,
): number | undefined {
  const {state} = readWritten(fixture);
  const workers = selectLiveSessions(state).filter((session) => isInteractive(session));
  const chosen = workers[Math.floor(chance() * workers.length)];
  if (chosen === undefined) return undefined;
  try {
    const {pid, child} = fixture.metaOf(chosen.id);
    return target === 'keeper' ? pid : child?.pid;
  } catch {
    // It has no keeper yet.
    return undefined;
  }
}

/**
 * By the agents' own record: each prompt of a session arrived at most once, every one that the
 * journal calls typed arrived, nothing else did, and no agent was left without its task.
 */
function assertPrompts(fixture: LoopFixture, {events}: Written): void {
  const noted = readNoted(fixture);
  assert.deepEqual(
    noted.filter(({lost, missing}) => lost !== undefined || missing !== undefined),
    [],
    'agents that were not told their task',
  );
  const asked = events.filter((event) => event.type === 'input-asked');
  const typed = new Set(
    events.flatMap((event) =>
      event.type === 'input-typed' ? [`${event.session}/${event.input}`] : [],
    ),
  );
  const known = new Set<unknown>();
  for (const {session, input, prompt: file} of asked) {
    if (file === undefined) continue;
    const arrived = notedBy(noted, session).filter(
      ({prompt}) => prompt !== undefined && isPromptOf(file, prompt),
    );
    for (const one of arrived) known.add(one);
    assert.ok(arrived.length <= 1, `${session}/${input} arrived ${arrived.length} times`);
    if (typed.has(`${session}/${input}`))
      assert.equal(arrived.length, 1, `${session}/${input} is typed and did not arrive`);
  }

  assert.deepEqual(
    noted.filter((one) => one.prompt !== undefined && !known.has(one)),
    [],
    'prompts that nobody asked for',
  );
}

/** Two attempts of each task, and one more for each grant; a task stops only for interruptions. */
function assertAttempts({events}: Written): void {
  const tasks = new Set(events.flatMap((event) => ('task' in event ? [event.task] : [])));
  for (const task of tasks) {
    const own = events.filter((event) => 'task' in event && event.task === task);
    const attempts = own.flatMap((event) =>
      event.type === 'attempt-started' ? [event.attempt] : [],
    );
    const grants = own.filter(({type}) => type === 'attempt-granted').length;
    assert.deepEqual(
      attempts,
      attempts.map((_, index) => index + 1),
      `${task}: the attempts in order`,
    );
    assert.ok(
      attempts.length <= 2 + grants,
      `${task}: ${attempts.length} attempts, ${grants} grants`,
    );
    // A granted attempt of a task that was never checked may be its first red one. After that the
    // agent knows the failure.
    const stops = own.flatMap((event) => (event.type === 'task-stopped' ? [event.why.kind] : []));
    assert.ok(
      stops.every((kind, index) => kind === 'interrupted' || (kind === 'check' && index > 0)),
      `${task} stopped: ${stops.join(', ')}`,
    );
    const failed = own.flatMap((event) =>
      event.type === 'attempt-failed' ? [event.failure.kind] : [],
    );
    assert.deepEqual(failed, task === 'r1.t1' ? ['check'] : [], `${task}: failed attempts`);
  }
}

function assertSockets({current}: LoopFixture): void {
  const {stateDirectory, runtimeDirectory, socket} = current();
  const sockets = [stateDirectory, runtimeDirectory].flatMap((directory) =>
    readdirSync(directory, {recursive: true, encoding: 'utf8'})
      .map((name) => path.join(directory, name))
      .filter((file) => lstatSync(file).isSocket()),
  );
  // The daemon has one for people and one for agents.
  assert.deepEqual(
    sockets.filter((file) => file !== socket && !file.endsWith('.agents/call')),
    [],
    'sockets',
  );
}

/** The next daemon reads the same state from the journal and finds nothing to do. */
async function assertReplays(fixture: LoopFixture, {state}: Written): Promise<void> {
  assert.deepEqual(state.misfits, []);
  const pid = await fixture.daemonPid();
  if (pid !== undefined) end(pid, fixture.home);
  await eventually('the daemon is gone', () => pid === undefined || !isRunning(pid));
  const before = readWritten(fixture);
  const replayed = await fixture.state();
  assert.deepEqual(replayed.misfits, []);
  assert.deepEqual(
    JSON.parse(JSON.stringify(replayed.runs)),
    JSON.parse(JSON.stringify(before.state.runs)),
  );
  const added = readWritten(fixture)
    .events.slice(before.events.length)
    .map(({type}) => type);
  assert.deepEqual(
    added.filter((type) => type !== 'daemon-started' && type !== 'project-read'),
    [],
  );
}

/** The journal and the agents' record, for whoever looks for the cause. */
function saveJournal({home, current}: LoopFixture): readonly string[] {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'orchestra-broken-run-'));
  cpSync(path.join(current().stateDirectory, 'journal.jsonl'), path.join(folder, 'journal.jsonl'));
  cpSync(path.join(home, 'talks'), path.join(folder, 'talks'), {recursive: true});
  return [`its journal is in ${folder}`];
}
