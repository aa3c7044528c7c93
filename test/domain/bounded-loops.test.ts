import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  openRunsOf,
  runOf,
  sessionOf,
  wanted,
  type Need,
  type State,
} from '../../source/domain/index.ts';
import {createRandom} from '../support/random.ts';
import {
  checked,
  goOn,
  kind,
  livesOn,
  movedTo,
  play,
  spiteful,
  talkative,
  type Adversary,
  type Game,
  type Played,
} from './support/adversary.ts';

/** What may be started before a person is asked, and what may be written down about it. */
const most = {starts: 60, events: 700};

/** Nothing goes on by itself, and the person knows; or everything is over. */
function assertBounded({house, starts, needs, said}: Played, limits = most): void {
  assert.ok(
    starts <= limits.starts * (said + 1),
    `${starts} starts, with ${said} words of a person`,
  );
  assert.ok(
    house.events.length <= limits.events * (said + 1),
    `${house.events.length} events, with ${said} words of a person`,
  );
  const left = wanted(house.state).filter(
    (effect) =>
      effect.do !== 'run-session' &&
      effect.do !== 'watch-service' &&
      effect.do !== 'prepare-worktrees' &&
      effect.do !== 'stop-session',
  );
  assert.deepEqual(left, [], 'nothing is under way');
  assert.ok(
    needs.length > 0 || openRunsOf(house.state).length === 0,
    'a person is asked, or it is over',
  );
}

const after =
  (
    change: (
      state: State,
      effect: Parameters<Adversary>[1],
      at: number,
    ) => ReturnType<Adversary> | 'usual',
  ): Adversary =>
  (state, effect, at) => {
    const answer = change(state, effect, at);
    return answer === 'usual' ? kind(state, effect, at) : answer;
  };

const putOff = (until: (at: number) => number): Adversary =>
  after((_state, effect, at) =>
    effect.do === 'read-outcome'
      ? {
          type: 'attempt-paused',
          task: effect.task,
          attempt: effect.attempt,
          until: until(at),
          words: 'try later',
        }
      : 'usual',
  );

/** A service that dies so long after each start. */
const dyingAfter = (ms: number): Game => ({
  adversary: after((state, effect) => {
    const session = effect.do === 'run-session' ? sessionOf(state, effect.session) : undefined;
    if (effect.do === 'watch-service') return undefined;
    if (session?.purpose.for !== 'service') return 'usual';
    return session.life.at === 'running'
      ? {type: 'session-exited', session: session.id, code: 1, signal: null}
      : livesOn(session, undefined);
  }),
  takes: (state, effect) => {
    const session = effect.do === 'run-session' ? sessionOf(state, effect.session) : undefined;
    return session?.purpose.for === 'service' && session.life.at === 'running' ? ms : undefined;
  },
});

const games: readonly {
  readonly name: string;
  readonly game: Game;
  readonly needs: readonly Need['kind'][];
  readonly starts?: number;
}[] = [
  {
    name: 'an agent whose service says "now" for ever',
    game: {adversary: putOff((at) => at)},
    needs: ['trouble', 'trouble'],
    starts: 40,
  },
  {
    name: 'an agent whose service names a moment in the past',
    game: {adversary: putOff(() => 0)},
    needs: ['trouble', 'trouble'],
    starts: 40,
  },
  {
    name: 'an agent whose service names a moment that never comes',
    game: {adversary: putOff(() => 1e308)},
    needs: ['trouble', 'trouble'],
    starts: 6,
  },
  {
    name: 'an agent whose service names no moment',
    game: {adversary: putOff(() => Number.NaN)},
    needs: ['trouble', 'trouble'],
    starts: 40,
  },
  {
    name: 'an agent that is killed every time',
    game: {
      adversary: after((state, effect) =>
        effect.do === 'run-session' && sessionOf(state, effect.session)!.purpose.for === 'attempt'
          ? livesOn(sessionOf(state, effect.session)!, {
              type: 'session-lost',
              session: effect.session,
              why: 'killed',
            })
          : 'usual',
      ),
    },
    needs: ['stopped', 'stopped'],
  },
  {
    name: 'a planner that is killed every time',
    game: {
      adversary: after((state, effect) =>
        effect.do === 'run-session'
          ? livesOn(sessionOf(state, effect.session)!, {
              type: 'session-lost',
              session: effect.session,
              why: 'killed',
            })
          : 'usual',
      ),
    },
    needs: ['planless'],
  },
  {
    name: 'a planner that never ends',
    game: {
      adversary: after((state, effect) =>
        effect.do === 'run-session'
          ? livesOn(sessionOf(state, effect.session)!, undefined)
          : 'usual',
      ),
    },
    needs: ['planless'],
  },
  {
    name: 'a planner whose plan is never one',
    game: {
      adversary: after((state, effect) =>
        effect.do === 'read-plan'
          ? {
              type: 'plan-invalid',
              run: effect.run,
              round: runOf(state, effect.run)!.rounds.length,
              problems: ['no'],
            }
          : 'usual',
      ),
    },
    needs: ['planless'],
  },
  {
    name: 'a worker that never ends',
    game: {
      adversary: after((state, effect) =>
        effect.do === 'run-session' && sessionOf(state, effect.session)!.purpose.for === 'attempt'
          ? livesOn(sessionOf(state, effect.session)!, undefined)
          : 'usual',
      ),
    },
    needs: ['stopped', 'stopped'],
  },
  {
    name: 'a setup that never ends',
    game: {
      setup: 'npm ci',
      adversary: after((state, effect) =>
        effect.do === 'run-session' && sessionOf(state, effect.session)!.purpose.for === 'setup'
          ? livesOn(sessionOf(state, effect.session)!, undefined)
          : 'usual',
      ),
    },
    needs: ['trouble', 'trouble'],
  },
  {
    name: 'an agent that forgets every conversation',
    game: {
      adversary: after((state, effect) => {
        const session = effect.do === 'run-session' ? sessionOf(state, effect.session)! : undefined;
        if (
          session?.purpose.for === 'attempt' &&
          session.life.at === 'running' &&
          session.conversation === undefined
        )
          return {
            type: 'conversation-known',
            session: session.id,
            conversation: `of-${session.id}`,
          };
        return effect.do === 'read-outcome'
          ? {type: 'conversation-lost', session: effect.session, words: 'forgotten'}
          : 'usual';
      }),
    },
    needs: ['stopped', 'stopped'],
  },
  {
    name: 'a check that is always red',
    game: {
      adversary: after((state, effect) =>
        effect.do === 'read-check' ? checked(state, effect, 'failed') : 'usual',
      ),
    },
    needs: ['stopped', 'stopped'],
  },
  {
    name: 'a merge that is always red',
    game: {
      adversary: after((state, effect) =>
        effect.do === 'read-check' && effect.on === 'merge'
          ? checked(state, effect, 'failed')
          : 'usual',
      ),
    },
    needs: ['stopped', 'stopped'],
  },
  {
    name: 'a branch that moves before every merge',
    game: {
      adversary: after((_state, effect) =>
        effect.do === 'build-merge' ? movedTo('r1', effect.onto, 'ahead') : 'usual',
      ),
    },
    needs: ['branch'],
  },
  {
    name: 'a branch that moves under every publication',
    game: {
      adversary: after((_state, effect) =>
        effect.do === 'publish-merge' ? movedTo('r1', effect.onto, 'apart') : 'usual',
      ),
    },
    needs: ['branch'],
  },
  {
    name: 'a branch that moves whenever it is put back',
    game: {
      words: 5,
      adversary: after((_state, effect) =>
        effect.do === 'build-merge'
          ? movedTo('r1', effect.onto, 'apart')
          : effect.do === 'restore-branch'
            ? movedTo('r1', effect.to, 'apart')
            : 'usual',
      ),
    },
    needs: ['branch'],
  },
  {
    name: 'a process that never ends',
    game: {
      adversary: after((state, effect) =>
        effect.do === 'run-session' && sessionOf(state, effect.session)!.purpose.for === 'attempt'
          ? livesOn(sessionOf(state, effect.session)!, undefined)
          : effect.do === 'stop-session'
            ? {type: 'effect-failed', words: 'it is stuck in the kernel'}
            : 'usual',
      ),
    },
    needs: ['stopped', 'stopped', 'unstoppable', 'unstoppable'],
  },
  {
    name: 'a service that dies at once, every time',
    game: dyingAfter(1),
    needs: ['service'],
    starts: 20,
  },
  {
    name: 'a service that dies after 20 s, every time',
    game: dyingAfter(20_000),
    needs: ['service'],
    starts: 30,
  },
  {
    name: 'a service that is never well',
    game: {
      adversary: after((_state, effect) =>
        effect.do === 'watch-service'
          ? {type: 'service-observed', service: 'web', condition: 'unhealthy'}
          : 'usual',
      ),
    },
    needs: ['service'],
  },
  {
    name: 'a service that is never ready',
    game: {
      adversary: after((_state, effect) =>
        effect.do === 'watch-service'
          ? {type: 'service-observed', service: 'web', condition: 'listening'}
          : 'usual',
      ),
    },
    needs: ['service'],
  },
  {
    name: 'a service that cannot be watched',
    game: {
      adversary: after((_state, effect) =>
        effect.do === 'watch-service' ? {type: 'effect-failed', words: 'EMFILE'} : 'usual',
      ),
    },
    needs: ['service'],
  },
];

for (const {name, game, needs, starts} of games) {
  test(`${name} ends in a need`, () => {
    const played = play(game);
    assertBounded(played, {...most, ...(starts === undefined ? {} : {starts})});
    const kinds = played.needs.map((need) => need.kind);
    for (const expected of needs)
      assert.ok(kinds.includes(expected), `expected ${expected} among ${kinds.join(', ')}`);
    assert.ok(
      kinds.filter((found) => found === needs[0]).length >=
        needs.filter((one) => one === needs[0]).length,
      kinds.join(', '),
    );
  });

  test(`${name}: a person who says "go on" five times gets five times as much, and no more`, () => {
    assertBounded(play({...game, words: 5}));
  });
}

test('an agent that asks for everything, without end, gets a bounded amount of it', () => {
  const played = play({
    chatter: talkative,
    adversary: after((state, effect) =>
      effect.do === 'run-session' ? livesOn(sessionOf(state, effect.session)!, undefined) : 'usual',
    ),
  });
  assertBounded(played, {starts: 200, events: 1500});
  assert.ok(
    played.house.state.intrusions.length <= 12,
    `${played.house.state.intrusions.length} notices of one thing`,
  );
  assert.ok(played.house.state.notes.length <= 50);
});

const seeds = Number(process.env['ADVERSARIES'] ?? 300);

test(`${seeds} adversaries who mix it all, with people who always go on: everything settles`, () => {
  for (let seed = 1; seed <= seeds; seed++) {
    const random = createRandom(`adversary-${seed}`);
    const words = random.below(8);
    try {
      const played = play({
        adversary: spiteful(random),
        words,
        person: goOn,
        ...(random.chance(0.3) ? {setup: 'npm ci'} : {}),
        ...(random.chance(0.3) ? {chatter: talkative} : {}),
      });
      assertBounded(played, {starts: 250, events: 2500});
    } catch (error) {
      throw new Error(`adversary ${seed}`, {cause: error});
    }
  }
});
