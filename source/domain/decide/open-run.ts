import type {EventBody} from '../event.ts';
import type {Plan} from '../plan.ts';
import {planHash} from '../plan-hash.ts';
import type {Run, RunRequest} from '../run.ts';
import {selectInteractiveWorker, selectRun, selectSession, selectWorktree} from '../select/find.ts';
import type {State} from '../state.ts';
import type {Attempt, Task} from '../task.ts';

/** The title of a session that was opened without an objective. */
export const untitledObjective = 'A session without an objective';

/**
 * A run without a planner: the plan is one task, made from the objective, and the start by a person
 * is its approval. From there on it is a run like any other.
 */
export function makeOpenPlan({id, request}: Run): EventBody {
  const plan = toOpenPlan(request);
  return {type: 'plan-made', run: id, plan, hash: planHash(plan)};
}

/** Approves the plan once. A person decides about an approval that became void. */
export function approveOpenPlan({id, stage, openedBy, tasks}: Run): EventBody | undefined {
  if (stage.at !== 'reviewing' || stage.voided !== undefined) return undefined;
  if (openedBy === undefined || tasks.length > 0) return undefined;
  const {proposal, ground} = stage;
  return {
    type: 'plan-approved',
    run: id,
    plan: proposal.hash,
    rules: ground.rules.hash,
    base: ground.base,
    client: openedBy,
  };
}

/**
 * Without a prompt nobody works until the person does. If orchestra cannot follow the agent's own
 * interface, the task is theirs from the beginning, as after a takeover.
 */
export function giveToPerson({request}: Run, {id, attempts}: Task): EventBody | undefined {
  return request.open?.withoutPrompt === true &&
    request.workers !== 'interactive' &&
    attempts.length === 0
    ? {type: 'task-taken-over', task: id, left: 2}
    : undefined;
}

/**
 * Whether an agent in its own interface starts without a prompt: it was opened without one, or a
 * person has talked to it, and it starts again. A prompt that has something to say is always given.
 */
export function isUnprompted(state: State, run: Run, task: Task, attempt: Attempt): boolean {
  const {open, workers} = run.request;
  if (open === undefined || workers !== 'interactive') return false;
  const {repairs, hint, handedBack, context} = attempt;
  if (repairs !== undefined || hint !== undefined || handedBack !== undefined) return false;
  if (open.withoutPrompt === true) return true;
  return (
    context === 1 &&
    run.sessions.some((id) => {
      const session = selectSession(state, id);
      return (
        session?.purpose.for === 'attempt' &&
        session.purpose.task === task.id &&
        session.turn !== undefined &&
        (session.turn.at === 'ended' || session.turn.by === 'person')
      );
    })
  );
}

/** Why a run cannot be opened like this; undefined if it can. */
export function findOpenProblem({open, queued, workers}: RunRequest): string | undefined {
  if (open === undefined) return undefined;
  if (queued) return 'a run without a plan starts at once and cannot wait in the queue';
  if (open.withoutPrompt === true && workers === 'headless')
    return 'a headless agent needs to know what to do: give an objective';
  if (open.variants === undefined) return undefined;
  if (open.withoutPrompt === true)
    return 'several agents need to know what to do: give an objective';
  return open.conversation === undefined
    ? undefined
    : 'a conversation can be continued by one agent, not by several';
}

/** Why a run cannot start from the work of another; undefined if it can, or does not. */
export function findSourceProblem(state: State, {from, open}: RunRequest): string | undefined {
  if (from === undefined) return undefined;
  const run = selectRun(state, from);
  if (run === undefined) return `there is no run ${from}`;
  if (open !== undefined) return 'a run that starts from another one needs a plan';
  if (run.request.open === undefined)
    return `${from} has a plan of its own; plan from a run that was opened without one`;
  const [task, another] = run.tasks.filter(({stage}) => stage.at !== 'discarded');
  if (another !== undefined) return `${from} has several variants; pick one of them first`;
  if (run.stage.at !== 'working' || task === undefined)
    return `${from} is ${run.stage.at === 'working' ? 'discarded' : run.stage.at}; there is nothing to plan from`;
  if (selectWorktree(run, task.id) === undefined) return `${from} has no worktree yet`;
  return selectInteractiveWorker(state, task.id)?.turn?.at === 'open'
    ? `the agent of ${from} is at work; plan from it when its turn has ended`
    : undefined;
}

const maxTitleCharacters = 72;

function toOpenPlan({objective, skill, worker, open}: RunRequest): Plan {
  const [line = ''] = objective.trim().split('\n', 1);
  const title =
    line.length > maxTitleCharacters ? `${line.slice(0, maxTitleCharacters - 1).trimEnd()}…` : line;
  return {
    objective,
    problem: objective,
    rootCause: '',
    assumptions: [],
    invariants: [],
    risks: [],
    rejected: [],
    tasks: (open?.variants ?? [worker]).map((agent, index) => ({
      id: `t${index + 1}`,
      ...(index === 0 ? {} : {variantOf: 't1'}),
      title,
      brief: objective,
      files: ['**'],
      after: [],
      services: [],
      ...(skill === undefined ? {} : {skill}),
      ...(agent === worker ? {} : {agent}),
    })),
    validation: [],
  };
}
