import {
  type Effect,
  isInteractive,
  type Observation,
  runIdIn,
  selectAttempt,
  selectChecks,
  selectLiveSessions,
  selectOpenQuestion,
  selectRun,
  selectService,
  selectSession,
  selectTask,
  type Session,
  type State,
} from '../../../source/domain/index.ts';
import {getFate} from '../../support/random.ts';
import {green, rules} from './samples.ts';
import {
  movedBranch,
  readBaseline,
  readCheck,
  readOutcome,
  readPlan,
  readPlannerTurn,
} from './simulated-results.ts';

/**
 * Performs effects with random results. A result depends on the seed and the effect's own key,
 * never on the order of effects: an effect that is performed twice gives the same answer and acts
 * once, as a real one must when its observer crashed in between.
 */
export type EffectSimulator = {
  readonly seed: string;
  /** Share of effects that fail, from 0 to 1. */
  readonly failureRate: number;
  /** The result for each key. */
  readonly done: Map<string, Observation>;
  /** How often each effect acted: more than once means that it was repeated. */
  readonly acts: Map<string, number>;
  /** Keys that have failed once. */
  readonly failed: Set<string>;
};

export function createEffectSimulator(seed: string, failureRate: number): EffectSimulator {
  return {seed, failureRate, done: new Map(), acts: new Map(), failed: new Set()};
}

/**
 * The result of an effect, and whether the report names the effect. Undefined: the effect does not
 * end.
 */
export type SimulatedReport = {readonly saw: Observation; readonly isNamed: boolean};

export function simulateEffect(
  simulator: EffectSimulator,
  state: State,
  effect: Effect,
): SimulatedReport | undefined {
  if (effect.do === 'run-session')
    return simulateSession(simulator, state, selectSession(state, effect.session)!);
  if (effect.do === 'stop-session' && failsOnce(simulator, effect.key))
    return {
      saw: {type: 'effect-failed', words: `2 processes of ${effect.session} could not be stopped`},
      isNamed: true,
    };
  if (effect.do === 'stop-session')
    return {
      saw: {type: 'session-exited', session: effect.session, code: null, signal: 'SIGTERM'},
      isNamed: false,
    };
  if (effect.do === 'watch-service')
    return watchService(simulator, state, effect.service, effect.key);
  if (effect.do === 'type-prompt' && findsDraft(simulator, state, effect))
    return {
      saw: {type: 'input-held', session: effect.session, input: effect.input},
      isNamed: true,
    };
  // An attempt that paused asks again.
  if (effect.do === 'ask-prompt')
    return {saw: getOutcome(simulator, state, effect)!, isNamed: true};
  if (effect.do === 'deliver-message' && isHeldOnce(simulator, state, effect))
    return {
      saw: {type: 'message-held', task: effect.task, number: effect.message, why: 'dialog'},
      isNamed: true,
    };
  const saw = simulator.done.get(effect.key) ?? act(simulator, state, effect);
  return saw === undefined ? undefined : {saw, isNamed: true};
}

/** A person's unfinished text stands in the input, the first time that it is looked at. */
function findsDraft(
  {seed}: EffectSimulator,
  state: State,
  {key, session, input}: Extract<Effect, {do: 'type-prompt'}>,
): boolean {
  const asked = selectSession(state, session)?.inputs.find(({number}) => number === input);
  return asked?.heldSince === undefined && getFate(`${seed}/${key}/draft`) < 0.1;
}

/** A dialog is open when a message should be typed, the first time that it is looked at. */
function isHeldOnce(
  {seed}: EffectSimulator,
  state: State,
  {key, task, message}: Extract<Effect, {do: 'deliver-message'}>,
): boolean {
  const asked = selectTask(state, task)?.messages?.find(({number}) => number === message);
  return asked?.held === undefined && getFate(`${seed}/${key}/dialog`) < 0.2;
}

function act(simulator: EffectSimulator, state: State, effect: Effect): Observation | undefined {
  const saw = getOutcome(simulator, state, effect);
  // A failed effect did not act, so a retry acts again.
  if (saw === undefined || saw.type === 'effect-failed') return saw;
  simulator.done.set(effect.key, saw);
  simulator.acts.set(effect.key, (simulator.acts.get(effect.key) ?? 0) + 1);
  return saw;
}

/** Whether this goes wrong. */
function goesWrong(simulator: EffectSimulator, what: string, share = 0.5): boolean {
  return getFate(`${simulator.seed}/${what}`) < simulator.failureRate * share;
}

/** Effects that cannot be given up (nothing is left to discard) fail the first time only. */
function failsOnce(simulator: EffectSimulator, key: string): boolean {
  if (simulator.failed.has(key) || !goesWrong(simulator, key, 0.1)) return false;
  simulator.failed.add(key);
  return true;
}

function simulateSession(
  simulator: EffectSimulator,
  state: State,
  session: Session,
): SimulatedReport | undefined {
  const {id, life, purpose, waiting} = session;
  const sendChecked = (saw: Observation): SimulatedReport => ({saw, isNamed: false});
  if (life.at === 'asked') return sendChecked({type: 'session-created', session: id});
  if (life.at === 'created') return sendChecked({type: 'session-running', session: id});
  const hasAnswered = session.inputs.some(({fate}) => fate === 'typed');
  if (waiting?.secret === true) return sendChecked({type: 'secret-typed', session: id, length: 8});
  // Nobody is asked whether an agent in its own interface only seems to wait.
  if (
    waiting !== undefined &&
    (hasAnswered || (isInteractive(session) && waiting.proof === 'inferred'))
  )
    return sendChecked({type: 'session-moved-on', session: id});
  if (purpose.for === 'person' || purpose.for === 'takeover') return undefined;
  if (purpose.for === 'shell')
    return goesWrong(simulator, `${id}/dies`, 0.2)
      ? sendChecked({type: 'session-exited', session: id, code: 0, signal: null})
      : undefined;
  if (purpose.for === 'service') {
    const code = goesWrong(simulator, `${id}/for ever`, 0.3) ? 125 : 1;
    return goesWrong(simulator, `${id}/dies`)
      ? sendChecked({type: 'session-exited', session: id, code, signal: null})
      : undefined;
  }

  // The agent reports its conversation first: it may be killed right after.
  if (
    (purpose.for === 'attempt' || purpose.for === 'plan') &&
    session.conversation === undefined &&
    getFate(`${simulator.seed}/${id}/names`) < 0.7
  )
    return sendChecked({
      type: 'conversation-known',
      session: id,
      conversation: `conversation-of-${id}`,
    });
  if (goesWrong(simulator, `${id}/lost`, 0.2))
    return sendChecked({type: 'session-lost', session: id, why: 'its keeper was killed'});
  if (goesWrong(simulator, `${id}/killed`, 0.2))
    return sendChecked({type: 'session-exited', session: id, code: null, signal: 'SIGKILL'});
  if (waiting !== undefined || selectOpenQuestion(session) !== undefined) return undefined;
  const asking = getAsking(simulator, state, session);
  if (asking !== undefined) return sendChecked(asking);
  if (!hasAnswered && goesWrong(simulator, `${id}/asks`, 0.3)) {
    return sendChecked({
      type: 'session-waiting',
      session: id,
      proof: 'proven',
      secret: false,
      question: 'Which port?',
    });
  }

  if (isInteractive(session) && purpose.for === 'plan')
    return simulatePlannerTurns(simulator, state, session);
  if (purpose.for === 'attempt' && session.usage.input === 0)
    return sendChecked({type: 'usage-counted', session: id, usage: {input: 1000, output: 200}});
  if (isInteractive(session)) return simulateTurns(simulator, state, session);
  return sendChecked({
    type: 'session-exited',
    session: id,
    code:
      (purpose.for === 'setup' || purpose.for === 'worktree-setup') &&
      goesWrong(simulator, `${id}/setup`)
        ? 1
        : 0,
    signal: null,
  });
}

/** An agent in its own interface: its prompt is asked for and typed, then it takes a turn. */
function simulateTurns(
  {seed}: EffectSimulator,
  state: State,
  {id, purpose, turn, inputs, earlier}: Session,
): SimulatedReport | undefined {
  const input = inputs.length + 1;
  if (earlier === undefined && !inputs.some(({prompt}) => prompt !== undefined))
    return {
      saw: {type: 'input-asked', session: id, input, text: 'work', prompt: '/x/prompt.md'},
      isNamed: true,
    };
  if (inputs.some(({fate}) => fate === 'pending')) return undefined;
  const fate = getFate(`${seed}/${id}/turn-${turn?.number ?? 0}/${inputs.length}`);
  if (turn?.at === 'open')
    return {
      saw: {
        type: 'turn-ended',
        session: id,
        source: fate < 0.8 ? 'agent' : 'screen',
        words: 'Done.',
        ...(fate < 0.05 ? {error: '529 overloaded'} : {}),
      },
      isNamed: false,
    };
  // A person writes to an agent that has finished, mostly while its change is looked at.
  const task = purpose.for === 'attempt' ? selectTask(state, purpose.task) : undefined;
  const step = task === undefined ? undefined : selectAttempt(task)?.step.at;
  return turn?.at === 'ended' && fate < (step === 'working' ? 0.02 : 0.15)
    ? {saw: {type: 'turn-began', session: id, by: 'person'}, isNamed: false}
    : undefined;
}

/** A planner in its own interface: its turns begin with what is typed, and the person talks to it. */
function simulatePlannerTurns(
  simulator: EffectSimulator,
  state: State,
  {id, purpose, turn, inputs}: Session,
): SimulatedReport | undefined {
  if (purpose.for !== 'plan') return undefined;
  if (turn?.at === 'open')
    return {
      saw: {type: 'turn-ended', session: id, source: 'agent', words: 'There.'},
      isNamed: false,
    };
  if (turn === undefined && inputs.length === 0)
    return {
      saw: {
        type: 'input-asked',
        session: id,
        input: 1,
        text: 'the prompt',
        prompt: '/x/prompt.md',
      },
      isNamed: true,
    };
  const number = turn?.number ?? 0;
  const isWrittenTo = inputs.some(
    ({fate, prompt, at}) =>
      fate === 'typed' && prompt === undefined && at > (turn?.since ?? Number.NEGATIVE_INFINITY),
  );
  const talks =
    selectRun(state, purpose.run)?.stage.at === 'reviewing' &&
    number < 6 &&
    getFate(`${simulator.seed}/${id}/${number}/talks`) < 0.4;
  if (getFate(`${simulator.seed}/${id}/${number}/leaves`) < 0.05)
    return {saw: {type: 'session-exited', session: id, code: 0, signal: null}, isNamed: false};
  return isWrittenTo || talks
    ? {saw: {type: 'turn-began', session: id, by: 'person'}, isNamed: false}
    : undefined;
}

/** Requests of an agent through its tools: a question, a shell, input for it. */
function getAsking(
  simulator: EffectSimulator,
  state: State,
  {id, purpose, questions}: Session,
): Observation | undefined {
  const wants = (what: string, share: number): boolean =>
    getFate(`${simulator.seed}/${id}/${what}`) < share;
  if (purpose.for !== 'plan' && purpose.for !== 'attempt') return undefined;
  if (questions === undefined && wants('asks a person', 0.15))
    return {
      type: 'person-asked',
      session: id,
      question: 'Which one?',
      ...(wants('offers', 0.5) ? {options: ['this', 'that']} : {}),
    };
  if (purpose.for !== 'attempt' || !wants('shell', 0.2)) return undefined;
  const shells = selectLiveSessions(state).filter(
    (other) => other.purpose.for === 'shell' && other.purpose.task === purpose.task,
  );
  if (shells.length === 0)
    return (selectRun(state, runIdIn(purpose.task))?.sessions.length ?? 0) > 40
      ? undefined
      : {type: 'shell-asked', session: id, name: 'main'};
  const idle = shells.find(
    ({life, stop, inputs}) => life.at === 'running' && stop === undefined && inputs.length === 0,
  );
  return idle === undefined
    ? undefined
    : {type: 'shell-told', session: id, shell: idle.id, text: ' . call\r'};
}

function watchService(
  simulator: EffectSimulator,
  state: State,
  service: string,
  key: string,
): SimulatedReport | undefined {
  const stage = selectService(state, service)?.stage;
  if (stage?.at === 'up' && stage.condition === 'ready') return undefined;
  if (goesWrong(simulator, key, 0.1))
    return {saw: {type: 'port-taken', service, owner: 'pid 4711 (nginx)'}, isNamed: true};
  return {saw: {type: 'service-observed', service, condition: 'ready'}, isNamed: true};
}

function toDelivered(
  {task, session, message: number}: Extract<Effect, {readonly do: 'deliver-message'}>,
  fate: number,
): Observation {
  if (fate < 0.3) return {type: 'message-queued', task, number, why: 'its agent takes no messages'};
  if (fate < 0.4) return {type: 'effect-failed', words: 'its keeper is gone'};
  if (fate < 0.5) return {type: 'message-failed', task, number, why: 'uncertain'};
  return {type: 'message-delivered', task, number, session, how: 'restart'};
}

function getOutcome(
  simulator: EffectSimulator,
  state: State,
  effect: Effect,
): Observation | undefined {
  const {key} = effect;
  const wrong = (share?: number): boolean => goesWrong(simulator, key, share);
  // The kind of failure is another random number.
  const way = getFate(`${simulator.seed}/${key}/way`);
  switch (effect.do) {
    case 'survey':
      return wrong(0.2)
        ? {type: 'effect-failed', words: 'no commits yet'}
        : {
            type: 'run-surveyed',
            run: effect.run,
            ground: {
              base: `base-${effect.run}`,
              branch: 'main',
              rules,
              ...(getFate(`${simulator.seed}/${effect.run}/baseline`) < 0.6
                ? {baseline: true as const}
                : {}),
            },
          };
    case 'make-worktree':
      return wrong(0.2)
        ? {type: 'effect-failed', words: 'no space left on device'}
        : {
            type: 'worktree-made',
            owner: effect.owner,
            path: `/worktrees/${effect.owner}`,
            branch: `orchestra/${effect.owner}`,
            commit: effect.from,
            tree: `tree-${effect.from}`,
            reads: 'manifests',
          };
    case 'remove-worktree':
      if (failsOnce(simulator, key))
        return {type: 'effect-failed', words: 'a process still has a file open'};
      return {
        type: 'worktree-removed',
        owner: effect.owner,
        kept: `refs/orchestra/backup/${effect.owner}`,
      };
    case 'renew-worktree':
      return {
        type: 'worktree-renewed',
        owner: effect.owner,
        commit: effect.from,
        tree: `tree-${effect.from}`,
        reads: wrong(0.3) ? `manifests-${effect.from}` : 'manifests',
      };
    case 'deliver-message':
      return toDelivered(effect, getFate(`${simulator.seed}/${key}/fate`));
    case 'type-input':
    case 'type-prompt':
      return wrong(0.3)
        ? {type: 'input-uncertain', session: effect.session, input: effect.input}
        : {type: 'input-typed', session: effect.session, input: effect.input};
    case 'ask-prompt':
      return {
        type: 'input-asked',
        session: effect.session,
        input: (selectSession(state, effect.session)?.inputs.length ?? 0) + 1,
        text: 'repair',
        prompt: '/x/prompt-2.md',
      };
    case 'read-plan':
      return isInteractive(selectSession(state, effect.session)!)
        ? readPlannerTurn(simulator, state, effect, key, wrong(0.6), way)
        : readPlan(simulator, state, effect.session, effect.run, key, wrong(0.6), way);
    case 'read-outcome':
      return readOutcome(effect, wrong(0.6), way, state.at);
    case 'capture':
      return {
        type: 'change-captured',
        task: effect.task,
        attempt: effect.attempt,
        change: {
          tree: `tree-of-${key}`,
          files: wrong(0.2)
            ? []
            : [{path: `src/${effect.task}.ts`, how: 'modified', added: 2, removed: 1}],
          ...(way < 0.3 ? {reads: `manifests-${effect.task}`} : {}),
        },
      };
    case 'judge':
      return {
        type: 'change-judged',
        task: effect.task,
        attempt: effect.attempt,
        judgement: wrong(0.4) ? brokenJudgement(way) : green,
      };
    case 'read-check':
      return readCheck(state, effect, wrong(), way);
    case 'recall-baseline': {
      const {stage} = selectRun(state, effect.run)!;
      if (stage.at !== 'reviewing' && stage.at !== 'working')
        throw new Error(`${key} is wanted while ${effect.run} is ${stage.at}`);
      const {setup} = state.project;
      const known =
        way < 0.2
          ? selectChecks(selectRun(state, effect.run)!)
              .slice(0, 1)
              .map((check) => ({
                check,
                outcome: wrong() ? ('failed' as const) : ('passed' as const),
                touched: [],
              }))
          : [];
      return {
        type: 'baseline-recalled',
        run: effect.run,
        base: stage.ground.base,
        rules: stage.ground.rules.hash,
        plan: stage.proposal.hash,
        ...(setup === undefined ? {} : {setup}),
        results: known,
      };
    }

    case 'read-baseline':
      return readBaseline(state, effect, wrong(), way);
    case 'commit':
      return wrong(0.1)
        ? {type: 'effect-failed', words: 'index.lock exists'}
        : {
            type: 'change-committed',
            task: effect.task,
            attempt: effect.attempt,
            commit: `commit-of-${key}`,
          };
    case 'build-merge':
      if (goesWrong(simulator, `${key}/moved`, 0.1))
        return movedBranch(effect.run!, effect.onto, key, way);
      return wrong(0.4)
        ? {type: 'merge-conflicted', task: effect.task, paths: ['src/shared.ts']}
        : {
            type: 'merge-built',
            task: effect.task,
            candidate: `merge-of-${effect.commit}`,
            onto: effect.onto,
            reads: way < 0.3 ? `manifests-${effect.commit}` : 'manifests',
          };
    case 'restore-branch':
      return wrong(0.2)
        ? movedBranch(effect.run, effect.to, key, way)
        : {
            type: 'branch-restored',
            run: effect.run,
            kept: `refs/orchestra/keep/moved/${effect.from}`,
          };
    case 'publish-merge':
      if (wrong(0.2)) return movedBranch(effect.run!, effect.onto, key, way);
      return {type: 'task-merged', task: effect.task, commit: effect.candidate};
    case 'bring-home':
      if (goesWrong(simulator, `${key}/moved`, 0.1))
        return movedBranch(effect.run, effect.commit, key, way);
      return wrong(0.4)
        ? {
            type: 'accept-refused',
            run: effect.run,
            why: 'your branch has changes in the same files',
          }
        : {type: 'run-accepted', run: effect.run, commit: effect.commit, from: `before-${key}`};
    case 'undo-accept':
      return wrong(0.3)
        ? {type: 'undo-refused', what: effect.run, why: 'main has moved since'}
        : {type: 'accept-undone', run: effect.run, into: effect.branch, commit: effect.to};
    case 'restore-worktree':
      if (wrong(0.3)) return {type: 'effect-failed', words: 'the ref is gone'};
      return {
        type: 'worktree-made',
        owner: effect.owner,
        path: `/worktrees/${effect.owner}`,
        branch: `orchestra/${effect.owner}`,
        commit: effect.base,
        tree: 'tree-of-restored',
      };
    case 'write-summary':
      if (failsOnce(simulator, key))
        return {type: 'effect-failed', words: 'no space left on device'};
      return {
        type: 'summary-written',
        run: effect.run,
        endings: effect.endings,
        path: `.orchestra/knowledge/${key}.md`,
        hash: `hash-of-${key}`,
        ...(effect.task === undefined ? {} : {task: effect.task}),
      };
    case 'wait':
      return {type: 'time-passed'};
    case 'run-session':
    case 'stop-session':
    case 'watch-service':
    case 'prepare-worktrees':
      return undefined;
  }
}

/** A change outside of the plan, or one that breaks a rule. */
function brokenJudgement(way: number): typeof green {
  return way < 0.5
    ? {...green, outside: ['README.md']}
    : {...green, rules: [{number: '1.1', verdict: 'broken', detail: 'src/api/x.ts'}]};
}
