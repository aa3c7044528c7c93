import {
  checksOf,
  liveSessionsOf,
  openQuestionOf,
  runIdIn,
  runOf,
  serviceOf,
  sessionOf,
  taskOf,
  type Effect,
  type Observation,
  type Session,
  type SessionId,
  type State,
} from '../../../source/domain/index.ts';
import {createRandom, fateOf} from '../../support/random.ts';
import {green, randomPlan, rules} from './samples.ts';

/**
 * A world in which every effect can be performed, and in which chance decides how it goes. What happens depends on
 * the seed and the effect's own key, never on the order in which effects are performed: a world that is asked twice
 * gives the same answer and acts once, as a real one must when its observer crashed in between.
 */
export type World = {
  readonly seed: string;
  /** How often things go wrong, from 0 to 1. */
  readonly malice: number;
  /** What was done for each key. */
  readonly done: Map<string, Observation>;
  /** How often the world was changed for each key: once, or something is redone. */
  readonly acts: Map<string, number>;
  /** What has had its one failure. */
  readonly failed: Set<string>;
};

export function createWorld(seed: string, malice: number): World {
  return {seed, malice, done: new Map(), acts: new Map(), failed: new Set()};
}

/** What performing the effect shows, and whether the report names it. `undefined`: it goes on for ever. */
export type Sight = {readonly saw: Observation; readonly isNamed: boolean};

export function perform(world: World, state: State, effect: Effect): Sight | undefined {
  if (effect.do === 'run-session')
    return performSession(world, state, sessionOf(state, effect.session)!);
  if (effect.do === 'stop-session' && failsOnce(world, effect.key))
    return {
      saw: {type: 'effect-failed', words: `2 processes of ${effect.session} could not be stopped`},
      isNamed: true,
    };
  if (effect.do === 'stop-session')
    return {
      saw: {type: 'session-exited', session: effect.session, code: null, signal: 'SIGTERM'},
      isNamed: false,
    };
  if (effect.do === 'watch-service') return watchService(world, state, effect.service, effect.key);
  const saw = world.done.get(effect.key) ?? act(world, state, effect);
  return saw === undefined ? undefined : {saw, isNamed: true};
}

function act(world: World, state: State, effect: Effect): Observation | undefined {
  const saw = outcomeOf(world, state, effect);
  // What failed was not done; another try is another act.
  if (saw === undefined || saw.type === 'effect-failed') return saw;
  world.done.set(effect.key, saw);
  world.acts.set(effect.key, (world.acts.get(effect.key) ?? 0) + 1);
  return saw;
}

/** Whether the bad thing happens. */
function goesWrong(world: World, what: string, share = 0.5): boolean {
  return fateOf(`${world.seed}/${what}`) < world.malice * share;
}

/** What nobody can give up (nothing is left to discard) fails the first time only. */
function failsOnce(world: World, key: string): boolean {
  if (world.failed.has(key) || !goesWrong(world, key, 0.1)) return false;
  world.failed.add(key);
  return true;
}

function performSession(world: World, state: State, session: Session): Sight | undefined {
  const {id, life, purpose, waiting} = session;
  const tell = (saw: Observation): Sight => ({saw, isNamed: false});
  if (life.at === 'asked') return tell({type: 'session-created', session: id});
  if (life.at === 'created') return tell({type: 'session-running', session: id});
  const hasAnswered = session.inputs.some(({fate}) => fate === 'typed');
  if (waiting?.secret === true) return tell({type: 'secret-typed', session: id, length: 8});
  if (waiting !== undefined && hasAnswered) return tell({type: 'session-moved-on', session: id});
  if (purpose.for === 'person' || purpose.for === 'takeover') return undefined;
  if (purpose.for === 'shell')
    return goesWrong(world, `${id}/dies`, 0.2)
      ? tell({type: 'session-exited', session: id, code: 0, signal: null})
      : undefined;
  if (purpose.for === 'service') {
    const code = goesWrong(world, `${id}/for ever`, 0.3) ? 125 : 1;
    return goesWrong(world, `${id}/dies`)
      ? tell({type: 'session-exited', session: id, code, signal: null})
      : undefined;
  }

  // It says which conversation it has before it does anything: a kill may come right after.
  if (
    (purpose.for === 'attempt' || purpose.for === 'plan') &&
    session.conversation === undefined &&
    fateOf(`${world.seed}/${id}/names`) < 0.7
  )
    return tell({type: 'conversation-known', session: id, conversation: `conversation-of-${id}`});
  if (goesWrong(world, `${id}/lost`, 0.2))
    return tell({type: 'session-lost', session: id, why: 'its keeper was killed'});
  if (goesWrong(world, `${id}/killed`, 0.2))
    return tell({type: 'session-exited', session: id, code: null, signal: 'SIGKILL'});
  if (waiting !== undefined || openQuestionOf(session) !== undefined) return undefined;
  const asking = askingOf(world, state, session);
  if (asking !== undefined) return tell(asking);
  if (!hasAnswered && goesWrong(world, `${id}/asks`, 0.3)) {
    return tell({
      type: 'session-waiting',
      session: id,
      proof: 'proven',
      secret: false,
      question: 'Which port?',
    });
  }

  if (purpose.for === 'attempt' && session.usage.input === 0)
    return tell({type: 'usage-counted', session: id, usage: {input: 1000, output: 200}});
  return tell({
    type: 'session-exited',
    session: id,
    code:
      (purpose.for === 'setup' || purpose.for === 'worktree-setup') &&
      goesWrong(world, `${id}/setup`)
        ? 1
        : 0,
    signal: null,
  });
}

/** What an agent asks for through its tools: a person's word, a shell, something typed into it. */
function askingOf(
  world: World,
  state: State,
  {id, purpose, questions}: Session,
): Observation | undefined {
  const wants = (what: string, share: number): boolean =>
    fateOf(`${world.seed}/${id}/${what}`) < share;
  if (purpose.for !== 'plan' && purpose.for !== 'attempt') return undefined;
  if (questions === undefined && wants('asks a person', 0.15))
    return {
      type: 'person-asked',
      session: id,
      question: 'Which one?',
      ...(wants('offers', 0.5) ? {options: ['this', 'that']} : {}),
    };
  if (purpose.for !== 'attempt' || !wants('shell', 0.2)) return undefined;
  const shells = liveSessionsOf(state).filter(
    (other) => other.purpose.for === 'shell' && other.purpose.task === purpose.task,
  );
  if (shells.length === 0)
    return (runOf(state, runIdIn(purpose.task))?.sessions.length ?? 0) > 40
      ? undefined
      : {type: 'shell-asked', session: id, name: 'main'};
  const idle = shells.find(
    ({life, stop, inputs}) => life.at === 'running' && stop === undefined && inputs.length === 0,
  );
  return idle === undefined
    ? undefined
    : {type: 'shell-told', session: id, shell: idle.id, text: ' . call\r'};
}

function watchService(world: World, state: State, service: string, key: string): Sight | undefined {
  const stage = serviceOf(state, service)?.stage;
  if (stage?.at === 'up' && stage.condition === 'ready') return undefined;
  if (goesWrong(world, key, 0.1))
    return {saw: {type: 'port-taken', service, owner: 'pid 4711 (nginx)'}, isNamed: true};
  return {saw: {type: 'service-observed', service, condition: 'ready'}, isNamed: true};
}

function outcomeOf(world: World, state: State, effect: Effect): Observation | undefined {
  const {key} = effect;
  const wrong = (share?: number): boolean => goesWrong(world, key, share);
  // The way in which it goes wrong is another throw.
  const way = fateOf(`${world.seed}/${key}/way`);
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
              ...(fateOf(`${world.seed}/${effect.run}/baseline`) < 0.6
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
      if (failsOnce(world, key))
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
    case 'type-input':
    case 'type-prompt':
      return wrong(0.3)
        ? {type: 'input-uncertain', session: effect.session, input: effect.input}
        : {type: 'input-typed', session: effect.session, input: effect.input};
    case 'read-plan':
      return readPlan(world, state, effect.session, effect.run, key, wrong(0.6), way);
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
        judgement: !wrong(0.4)
          ? green
          : way < 0.5
            ? {...green, outside: ['README.md']}
            : {...green, rules: [{number: '1.1', verdict: 'broken', detail: 'src/api/x.ts'}]},
      };
    case 'read-check':
      return readCheck(state, effect, wrong(), way);
    case 'recall-baseline': {
      const {stage} = runOf(state, effect.run)!;
      if (stage.at !== 'reviewing' && stage.at !== 'working')
        throw new Error(`${key} is wanted while ${effect.run} is ${stage.at}`);
      const {setup} = state.project;
      const known =
        way < 0.2
          ? checksOf(runOf(state, effect.run)!)
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
      if (goesWrong(world, `${key}/moved`, 0.1))
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
      if (goesWrong(world, `${key}/moved`, 0.1))
        return movedBranch(effect.run, effect.commit, key, way);
      return wrong(0.4)
        ? {
            type: 'accept-refused',
            run: effect.run,
            why: 'your branch has changes in the same files',
          }
        : {type: 'run-accepted', run: effect.run, commit: effect.commit};
    case 'write-summary':
      if (failsOnce(world, key)) return {type: 'effect-failed', words: 'no space left on device'};
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

function movedBranch(run: `r${number}`, expected: string, key: string, way: number): Observation {
  return {
    type: 'branch-moved',
    run,
    branch: `orchestra/${run}`,
    expected,
    found: `found-by-${key}`,
    relation: way < 0.5 ? 'ahead' : way < 0.7 ? 'behind' : 'apart',
  };
}

function readPlan(
  world: World,
  state: State,
  session: SessionId,
  run: `r${number}`,
  key: string,
  isWrong: boolean,
  way: number,
): Observation {
  const purpose = sessionOf(state, session)!.purpose;
  const round = purpose.for === 'plan' ? purpose.round : 0;
  if (isWrong && way < 0.1)
    return {type: 'conversation-lost', session, words: 'no such conversation'};
  if (isWrong && way < 0.5)
    return {type: 'plan-invalid', run, round, problems: ['tasks: expected at least one']};
  if (isWrong && way < 0.7) return {type: 'planner-wrote', run, round, paths: ['src/oops.ts']};
  if (isWrong && way < 0.9) return {type: 'planner-failed', run, round, words: 'model error'};
  if (isWrong && way < 0.95)
    return {type: 'planning-interrupted', run, round, words: 'stopped by SIGKILL'};
  if (isWrong) return {type: 'agent-unavailable', words: 'not logged in'};
  return {
    type: 'plan-received',
    run,
    round,
    plan: randomPlan(createRandom(`${world.seed}/${key}/plan`)),
    hash: `plan-of-${key}`,
    tree: `tree-base-${run}`,
  };
}

function readOutcome(
  {task, attempt, session}: Extract<Effect, {do: 'read-outcome'}>,
  isWrong: boolean,
  way: number,
  now: number,
): Observation {
  if (!isWrong) return {type: 'agent-finished', task, attempt, words: 'Done.'};
  if (way < 0.15) return {type: 'conversation-lost', session, words: 'no such conversation'};
  if (way < 0.3) return {type: 'agent-failed', task, attempt, words: 'exit 1'};
  if (way < 0.4)
    return {type: 'attempt-interrupted', task, attempt, session, words: 'stopped by SIGKILL'};
  if (way < 0.5) return {type: 'agent-gave-up', task, attempt, words: 'I cannot.'};
  if (way < 0.8)
    return {type: 'attempt-paused', task, attempt, until: now + 60_000, words: 'overloaded'};
  return {type: 'agent-unavailable', words: 'no quota'};
}

function readCheck(
  state: State,
  effect: Extract<Effect, {do: 'read-check'}>,
  isWrong: boolean,
  way: number,
): Observation {
  const check = checksOf(runOf(state, runIdIn(effect.task))!).find(
    ({name}) => name === effect.check,
  )!;
  const attempt = taskOf(state, effect.task)!.attempts.length;
  const outcome = !isWrong ? 'passed' : way < 0.7 ? 'failed' : way < 0.85 ? 'timed-out' : 'broken';
  const failure = outcome === 'passed' ? {} : {firstFailure: 'expected 1, got 2'};
  return {
    type: 'check-finished',
    task: effect.task,
    attempt,
    on: effect.on,
    result: {check, outcome, touched: [], ...failure},
  };
}

function readBaseline(
  state: State,
  {run, session}: Extract<Effect, {do: 'read-baseline'}>,
  isRed: boolean,
  way: number,
): Observation {
  const {purpose} = sessionOf(state, session)!;
  if (purpose.for !== 'baseline') throw new Error(`${session} checks no base`);
  const {setup} = state.project;
  const check = {name: purpose.check, command: purpose.command};
  const outcome = !isRed ? 'passed' : way < 0.3 ? 'broken' : way < 0.4 ? 'timed-out' : 'failed';
  return {
    type: 'baseline-checked',
    run,
    base: runOf(state, run)!.head!,
    ...(setup === undefined ? {} : {setup}),
    result: {
      check,
      outcome,
      touched: [],
      ...(isRed ? {firstFailure: 'expected 1, got 2'} : {}),
      ...(way > 0.7 ? {failures: ['one', 'two']} : {}),
    },
  };
}
