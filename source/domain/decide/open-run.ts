import type {EventBody} from '../event.ts';
import type {Plan} from '../plan.ts';
import {planHash} from '../plan-hash.ts';
import type {Run, RunRequest} from '../run.ts';
import type {Task} from '../task.ts';

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

/** Without a prompt nobody works until the person does: the task is theirs from the beginning. */
export function giveToPerson({request}: Run, {id, attempts}: Task): EventBody | undefined {
  return request.open?.withoutPrompt === true && attempts.length === 0
    ? {type: 'task-taken-over', task: id, left: 1}
    : undefined;
}

/** Why a run cannot be opened like this; undefined if it can. */
export function findOpenProblem({open, queued, workers}: RunRequest): string | undefined {
  if (open === undefined) return undefined;
  if (queued) return 'a run without a plan starts at once and cannot wait in the queue';
  return open.withoutPrompt === true && workers === 'headless'
    ? 'a headless agent needs to know what to do: give an objective'
    : undefined;
}

const maxTitleCharacters = 72;

function toOpenPlan({objective, skill}: RunRequest): Plan {
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
    tasks: [
      {
        id: 't1',
        title,
        brief: objective,
        files: ['**'],
        after: [],
        services: [],
        ...(skill === undefined ? {} : {skill}),
      },
    ],
    validation: [],
  };
}
