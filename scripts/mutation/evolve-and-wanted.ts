import {inDomain, type Mutation} from './mutation.ts';

/** source/domain/evolve and source/domain/wanted. */
export const evolveAndWantedMutations: readonly Mutation[] = [
  inDomain(
    'evolve/attempt.ts',
    'interruptions: interrupted.interruptions + 1',
    'interruptions: interrupted.interruptions',
    'a killed agent is started again for ever',
  ),
  inDomain('evolve/attempt.ts', 'times: times + 1', 'times', 'pauses are not counted'),
  inDomain(
    'evolve/attempt.ts',
    "event.by === 'person' ? without(paused, 'paused') : paused",
    'paused',
    'an agent that a person tries now is put off as if it had been tried by itself',
  ),
  inDomain(
    'evolve/baseline.ts',
    "return before.session === event.session ? {...run, baseline: {...without(before, 'session'), interruptions: before.interruptions + 1}}",
    "return before.session === event.session ? {...run, baseline: {...without(before, 'session')}}",
    'crashes under the base are not counted',
  ),
  inDomain(
    'evolve/baseline.ts',
    'tasks: run.tasks.map((task) => withoutCheckTrouble(task, check.name))',
    'tasks: run.tasks',
    'a task waits on though its check was decided about',
  ),
  inDomain(
    'evolve/run.ts',
    '{...renewed, environment: {...event.environment, at: event.at}}',
    'renewed',
    'a renewed environment is not used',
  ),
  inDomain(
    'evolve/run.ts',
    '...(environment === undefined ? {} : {environment: {...environment, at}})',
    '',
    'sessions get the environment of whoever started the daemon',
  ),
  inDomain(
    'evolve/run.ts',
    "without(rejected.stage, 'commit', 'way', 'into', 'signed')",
    "without(rejected.stage, 'commit')",
    'a refused acceptance leaves its way behind for the next',
  ),
  inDomain(
    'evolve/task.ts',
    "{...last, handedBack, step: {at: 'ready'}}",
    "{...last, step: {at: 'ready'}}",
    'the agent is not told that a person was there',
  ),
  inDomain(
    'evolve/task.ts',
    'isUnavailable ? withoutPauses(rechecked) : rechecked',
    'rechecked',
    'a resume tries once and asks again',
  ),
  inDomain(
    'wanted/run-effects.ts',
    'if (run.moved !== undefined) return movedBranchEffects(run, run.moved);',
    '',
    'a moved branch is built upon, again and again',
  ),
  inDomain(
    'wanted/run-effects.ts',
    'if (hasLiveSessionIn(state, owner)) return [];',
    '',
    'a candidate is laid out while a check of another runs there',
  ),
  inDomain(
    'wanted/run-effects.ts',
    ' && !isBaselineOver(state, run)) return [];',
    ' && false) return [];',
    'a merge is laid out under the check of the base',
  ),
  inDomain(
    'wanted/session-effects.ts',
    "task.stage.at !== 'merged' && task.stage.at !== 'discarded'",
    'true',
    'a shell stays in a worktree that may go',
  ),
  inDomain(
    'wanted/task-effects.ts',
    '!isOutgrown(run, task) || liveSessionsOfTask(state, task.id).length > 0',
    '!isOutgrown(run, task)',
    'work is laid over anew under a process that writes it',
  ),
];
