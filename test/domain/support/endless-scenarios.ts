import {type Need, selectRun, selectSession, type State} from '../../../source/domain/index.ts';
import {
  advanceSession,
  respondNormally,
  toCheckResult,
  toMovedBranch,
} from './effect-responders.ts';
import type {BoundedRunOptions, EffectResponder} from './run-until-idle.ts';

export const after =
  (
    change: (
      state: State,
      effect: Parameters<EffectResponder>[1],
      at: number,
    ) => ReturnType<EffectResponder> | 'usual',
  ): EffectResponder =>
  (state, effect, at) => {
    const answer = change(state, effect, at);
    return answer === 'usual' ? respondNormally(state, effect, at) : answer;
  };

const putOff = (until: (at: number) => number): EffectResponder =>
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

/** A service that dies `ms` after each start. */
const dyingAfter = (ms: number): BoundedRunOptions => ({
  respond: after((state, effect) => {
    const session = effect.do === 'run-session' ? selectSession(state, effect.session) : undefined;
    if (effect.do === 'watch-service') return undefined;
    if (session?.purpose.for !== 'service') return 'usual';
    return session.life.at === 'running'
      ? {type: 'session-exited', session: session.id, code: 1, signal: null}
      : advanceSession(session, undefined);
  }),
  takes: (state, effect) => {
    const session = effect.do === 'run-session' ? selectSession(state, effect.session) : undefined;
    return session?.purpose.for === 'service' && session.life.at === 'running' ? ms : undefined;
  },
});

/** Ways in which a run could continue without end, and the needs that must end it. */
export const endlessScenarios: readonly {
  readonly name: string;
  readonly options: BoundedRunOptions;
  readonly needs: readonly Need['kind'][];
  readonly starts?: number;
}[] = [
  {
    name: 'an agent whose service says "now" for ever',
    options: {respond: putOff((at) => at)},
    needs: ['trouble', 'trouble'],
    starts: 40,
  },
  {
    name: 'an agent whose service names a moment in the past',
    options: {respond: putOff(() => 0)},
    needs: ['trouble', 'trouble'],
    starts: 40,
  },
  {
    name: 'an agent whose service names a moment that never comes',
    options: {respond: putOff(() => 1e308)},
    needs: ['trouble', 'trouble'],
    starts: 6,
  },
  {
    name: 'an agent whose service names no moment',
    options: {respond: putOff(() => Number.NaN)},
    needs: ['trouble', 'trouble'],
    starts: 40,
  },
  {
    name: 'an agent that is killed every time',
    options: {
      respond: after((state, effect) =>
        effect.do === 'run-session' &&
        selectSession(state, effect.session)!.purpose.for === 'attempt'
          ? advanceSession(selectSession(state, effect.session)!, {
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
    options: {
      respond: after((state, effect) =>
        effect.do === 'run-session'
          ? advanceSession(selectSession(state, effect.session)!, {
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
    options: {
      respond: after((state, effect) =>
        effect.do === 'run-session'
          ? advanceSession(selectSession(state, effect.session)!, undefined)
          : 'usual',
      ),
    },
    needs: ['planless'],
  },
  {
    name: 'a planner whose plan is never one',
    options: {
      respond: after((state, effect) =>
        effect.do === 'read-plan'
          ? {
              type: 'plan-invalid',
              run: effect.run,
              round: selectRun(state, effect.run)!.rounds.length,
              problems: ['no'],
            }
          : 'usual',
      ),
    },
    needs: ['planless'],
  },
  {
    name: 'a worker that never ends',
    options: {
      respond: after((state, effect) =>
        effect.do === 'run-session' &&
        selectSession(state, effect.session)!.purpose.for === 'attempt'
          ? advanceSession(selectSession(state, effect.session)!, undefined)
          : 'usual',
      ),
    },
    needs: ['stopped', 'stopped'],
  },
  {
    name: 'a setup that never ends',
    options: {
      setup: 'npm ci',
      respond: after((state, effect) =>
        effect.do === 'run-session' && selectSession(state, effect.session)!.purpose.for === 'setup'
          ? advanceSession(selectSession(state, effect.session)!, undefined)
          : 'usual',
      ),
    },
    needs: ['trouble', 'trouble'],
  },
  {
    name: 'an agent that forgets every conversation',
    options: {
      respond: after((state, effect) => {
        const session =
          effect.do === 'run-session' ? selectSession(state, effect.session)! : undefined;
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
    options: {
      respond: after((state, effect) =>
        effect.do === 'read-check' ? toCheckResult(state, effect, 'failed') : 'usual',
      ),
    },
    needs: ['stopped', 'stopped'],
  },
  {
    name: 'a merge that is always red',
    options: {
      respond: after((state, effect) =>
        effect.do === 'read-check' && effect.on === 'merge'
          ? toCheckResult(state, effect, 'failed')
          : 'usual',
      ),
    },
    needs: ['stopped', 'stopped'],
  },
  {
    name: 'a branch that moves before every merge',
    options: {
      respond: after((_state, effect) =>
        effect.do === 'build-merge' ? toMovedBranch('r1', effect.onto, 'ahead') : 'usual',
      ),
    },
    needs: ['branch'],
  },
  {
    name: 'a branch that moves under every publication',
    options: {
      respond: after((_state, effect) =>
        effect.do === 'publish-merge' ? toMovedBranch('r1', effect.onto, 'apart') : 'usual',
      ),
    },
    needs: ['branch'],
  },
  {
    name: 'a branch that moves whenever it is put back',
    options: {
      maxAnswers: 5,
      respond: after((_state, effect) => {
        if (effect.do === 'build-merge') return toMovedBranch('r1', effect.onto, 'apart');
        return effect.do === 'restore-branch' ? toMovedBranch('r1', effect.to, 'apart') : 'usual';
      }),
    },
    needs: ['branch'],
  },
  {
    name: 'a process that never ends',
    options: {
      respond: after((state, effect) => {
        if (effect.do === 'stop-session')
          return {type: 'effect-failed', words: 'it is stuck in the kernel'};
        if (effect.do !== 'run-session') return 'usual';
        const session = selectSession(state, effect.session)!;
        return session.purpose.for === 'attempt' ? advanceSession(session, undefined) : 'usual';
      }),
    },
    needs: ['stopped', 'stopped', 'unstoppable', 'unstoppable'],
  },
  {
    name: 'a service that dies at once, every time',
    options: dyingAfter(1),
    needs: ['service'],
    starts: 20,
  },
  {
    name: 'a service that dies after 20 s, every time',
    options: dyingAfter(20_000),
    needs: ['service'],
    starts: 30,
  },
  {
    name: 'a service that is never well',
    options: {
      respond: after((_state, effect) =>
        effect.do === 'watch-service'
          ? {type: 'service-observed', service: 'web', condition: 'unhealthy'}
          : 'usual',
      ),
    },
    needs: ['service'],
  },
  {
    name: 'a service that is never ready',
    options: {
      respond: after((_state, effect) =>
        effect.do === 'watch-service'
          ? {type: 'service-observed', service: 'web', condition: 'listening'}
          : 'usual',
      ),
    },
    needs: ['service'],
  },
  {
    name: 'a service that cannot be watched',
    options: {
      respond: after((_state, effect) =>
        effect.do === 'watch-service' ? {type: 'effect-failed', words: 'EMFILE'} : 'usual',
      ),
    },
    needs: ['service'],
  },
];
