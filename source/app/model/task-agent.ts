import {maxVariants, planHash, setTaskAgent, setVariants} from '../../plan/index.ts';
import {
  type Plan,
  type PlannedTask,
  rootOfVariant,
  type Run,
  selectPlannedWorker,
  type State,
} from '../../domain/index.ts';
import {selectPlanTask, selectShownPlan} from '../select/plan-screen.ts';
import {noChange, type Result, withCommands, withNotice} from './action.ts';
import {selectAgents} from './agent-choice.ts';
import type {Model} from './model.ts';

/** Gives the task under the cursor of the plan the next agent that is here. */
export function nextTaskAgent(model: Model, state: State, now: number): Result {
  return editTask(model, state, now, ({run, plan, task, agents}) => {
    const {worker} = run.request;
    if (agents.length === 1) return `There is no other agent here than ${worker}.`;
    const current = selectPlannedWorker(run, task).agent;
    const next = agents[(agents.indexOf(current) + 1) % agents.length] ?? worker;
    // The model was one of the agent before.
    const edited = setTaskAgent(plan, task.id, {agent: next === worker ? '' : next, model: ''});
    return {plan: edited, notice: `${next} works on ${task.id}.`};
  });
}

/**
 * One variant more or less of the task under the cursor. A new one is by the next agent that is here
 * and has none yet; the first one goes last.
 */
export function changeVariants(model: Model, by: 1 | -1, state: State, now: number): Result {
  return editTask(model, state, now, ({run, plan, task, agents}) => {
    const {worker} = run.request;
    const root = rootOfVariant(task);
    const variants = plan.tasks.filter((one) => rootOfVariant(one) === root);
    const used = variants.map((one) => selectPlannedWorker(run, one).agent);
    const count = used.length + by;
    if (count < 1) return 'It has no variants.';
    if (count > maxVariants) return `A task has at most ${maxVariants} variants.`;
    const current = selectPlannedWorker(run, task).agent;
    const next =
      [...agents.slice(agents.indexOf(current) + 1), ...agents].find(
        (name) => !used.includes(name),
      ) ?? current;
    const edited = setVariants(
      plan,
      task.id,
      (by === 1 ? [...used, next] : used.toSpliced(variants.indexOf(task) || -1, 1)).map((name) =>
        name === worker ? '' : name,
      ),
    );
    return {
      plan: edited,
      notice:
        count === 1
          ? `${root} has no variants.`
          : `${root} has ${count} variants${by === 1 ? `, the new one by ${next}` : ''}: you pick one.`,
    };
  });
}

type TaskToEdit = {
  readonly run: Run;
  readonly plan: Plan;
  readonly task: PlannedTask;
  /** The agents that are here, the run's own first. */
  readonly agents: readonly string[];
};

/** Changes the plan at the task under the cursor, or says why not. */
function editTask(
  model: Model,
  state: State,
  now: number,
  edit: (of: TaskToEdit) => {readonly plan: Plan; readonly notice: string} | string,
): Result {
  const reject = (text: string): Result => noChange(withNotice(model, text, now));
  const shown = selectShownPlan(model, state);
  const stage = shown?.run.stage;
  if (shown === undefined || stage?.at !== 'reviewing')
    return reject('Agents and variants are chosen while a plan waits for your approval.');
  const {plan} = stage.proposal;
  const task = selectPlanTask(model, state);
  if (task === undefined) return reject('Move to a task first.');
  const {run} = shown;
  const agents = [...new Set([run.request.worker, ...selectAgents(model, state)])];
  const edited = edit({run, plan, task, agents});
  return typeof edited === 'string'
    ? reject(edited)
    : withCommands(withNotice(model, edited.notice, now), {
        type: 'edit-plan',
        run: run.id,
        plan: edited.plan,
        hash: planHash(edited.plan),
      });
}
