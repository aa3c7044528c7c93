import assert from 'node:assert/strict';
import {test} from 'node:test';
import {scaled} from '../support/scale.ts';
import {
  emptyState,
  type Event,
  type RemovedWorktree,
  evolve,
  type State,
  type TaskMessage,
  type WorkerMode,
} from '../../source/domain/index.ts';
import {createHarness, type Harness} from './support/harness.ts';
import {createSimulatedUser, nextCommand, type SimulatedUser} from './support/simulated-user.ts';
import {sendChecked, settle, step} from './support/simulation.ts';
import {environment, request} from './support/samples.ts';
import {createEffectSimulator, type EffectSimulator} from './support/simulated-effects.ts';

const stories = scaled(16);

/** A story without crashes, and what the person had been asked when each event was written. */
type ProgressLog = {
  readonly events: readonly Event[];
  readonly asked: readonly (readonly [string, number])[][];
  readonly end: State;
};

for (const planners of ['headless', 'interactive'] as const)
  test(`${stories} stories with ${planners} planners, cut after every single event and gone on from there, end as if nothing had happened`, () => {
    let cuts = 0;
    for (let seed = 1; seed <= stories; seed++) {
      const story = runStory(seed, planners);
      for (let cut = 1; cut < story.events.length; cut++) {
        const harness = goOn(seed, planners, story, cut);
        assert.deepEqual(
          timeless(harness.state),
          timeless(story.end),
          `story ${seed} cut after event ${cut}, ${story.events[cut - 1]!.type}`,
        );
        cuts++;
      }
    }

    assert.ok(cuts > stories * 30, `only ${cuts} cuts`);
  });

function start(harness: Harness, planners: WorkerMode): void {
  sendChecked(harness, {
    type: 'start-run',
    request: planners === 'headless' ? request : {...request, planners},
    budget: {tokens: 100_000},
    environment,
    at: ++harness.time,
    by: {kind: 'person', client: 'ada'},
  });
}

function cast(seed: number): {simulator: EffectSimulator; user: SimulatedUser} {
  return {
    simulator: createEffectSimulator(`story-${seed}`, 0.5),
    user: createSimulatedUser(`story-${seed}`),
  };
}

function runStory(seed: number, planners: WorkerMode): ProgressLog {
  const harness = createHarness();
  const {simulator, user} = cast(seed);
  const asked: (readonly [string, number])[][] = [];
  const note = (): void => {
    while (asked.length < harness.events.length) asked.push([...user.asked]);
  };

  sendChecked(harness, {
    type: 'report',
    at: 1,
    saw: {
      type: 'project-read',
      project: {
        setup: 'npm ci',
        services: [{name: 'web', command: 'npm start'}],
        limits: {workers: 2, runs: 1},
      },
    },
  });
  start(harness, planners);
  note();
  for (;;) {
    if (!step(harness, simulator)) {
      const command = nextCommand(user, harness.state);
      if (command === undefined) break;
      sendChecked(harness, {...command, at: ++harness.time, by: {kind: 'person', client: 'ada'}});
    }

    note();
  }

  return {events: harness.events, asked, end: harness.state};
}

/**
 * The daemon died after `cut` events. The world and the person are as they were; a new daemon reads
 * the journal.
 */
function goOn(
  seed: number,
  planners: WorkerMode,
  {events, asked}: ProgressLog,
  cut: number,
): Harness {
  const {simulator, user} = cast(seed);
  for (const [subject, times] of asked[cut - 1]!) user.asked.set(subject, times);
  const harness = createHarness(events.slice(0, cut), events[cut - 1]!.at);
  assert.deepEqual(harness.state, events.slice(0, cut).reduce(evolve, emptyState));
  sendChecked(harness, {
    type: 'report',
    at: ++harness.time,
    saw: {type: 'daemon-started', build: 'test'},
  });
  if (harness.state.runs.size === 0) start(harness, planners);
  settle(harness, simulator, user);
  return harness;
}

/**
 * What was reached, without the moments at which it was, and without the way that a message took:
 * a session that was cut off gets it with its next prompt.
 */
function timeless(state: State): unknown {
  const moments = new Set([
    'at',
    'since',
    'heldSince',
    'when',
    'until',
    'seq',
    'createdAt',
    'starts',
    'waited',
    'worked',
  ]);
  return JSON.parse(
    JSON.stringify(state, (key, value: unknown) => {
      const isMoment = moments.has(key) && typeof value !== 'string' && typeof value !== 'object';
      // Worktrees are removed side by side: a crash may change which one is first.
      if (key === 'removed' && Array.isArray(value))
        return (value as readonly RemovedWorktree[]).toSorted((a, b) =>
          a.owner < b.owner ? -1 : 1,
        );
      if (key === 'messages') return (value as readonly TaskMessage[]).map(({text}) => text);
      return isMoment || key === 'starts' ? undefined : value;
    }),
  );
}
