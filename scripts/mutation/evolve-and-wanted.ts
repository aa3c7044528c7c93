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
    'a try that a person asked for is delayed like an automatic one',
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
    '...{}',
    'sessions get the environment of the shell that started the daemon',
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
    'the agent does not learn that a person worked on the task',
  ),
  inDomain(
    'evolve/task.ts',
    'isUnavailable ? withOwnAgent(rechecked) : rechecked',
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
    'a candidate is checked out while the check of another one runs there',
  ),
  inDomain(
    'wanted/run-effects.ts',
    ' && !isBaselineOver(state, run)) return [];',
    ' && false) return [];',
    'a merge is checked out while a check of the base runs there',
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
    'work is rebased while a process still writes to it',
  ),
];
