import {planHash, setTaskAgent} from '../../plan/index.ts';
import {selectPlannedWorker, type State} from '../../domain/index.ts';
import {selectPlanScreen} from '../select/plan-screen.ts';
import {noChange, type Result, withCommands, withNotice} from './action.ts';
import {selectAgents} from './agent-choice.ts';
import type {Model} from './model.ts';

/** Gives the task under the cursor of the plan the next agent that is here. */
export function nextTaskAgent(model: Model, state: State, now: number): Result {
  const reject = (text: string): Result => noChange(withNotice(model, text, now));
  const plan = selectPlanScreen(model, state);
  const stage = plan?.run.stage;
  if (plan === undefined || stage?.at !== 'reviewing')
    return reject('Agents are chosen while a plan waits for your approval.');
  const entry = plan.entries[plan.cursor];
  const task =
    entry?.kind === 'task' ? stage.proposal.plan.tasks[entry.task.number - 1] : undefined;
  if (task === undefined) return reject('Move to a task first.');
  const {worker} = plan.run.request;
  const names = [...new Set([worker, ...selectAgents(model, state)])];
  if (names.length === 1) return reject(`There is no other agent here than ${worker}.`);
  const current = selectPlannedWorker(plan.run, task).agent;
  const next = names[(names.indexOf(current) + 1) % names.length] ?? worker;
  // The model was one of the agent before.
  const edited = setTaskAgent(stage.proposal.plan, task.id, {
    agent: next === worker ? '' : next,
    model: '',
  });
  return withCommands(withNotice(model, `${next} works on ${task.id}.`, now), {
    type: 'edit-plan',
    run: plan.run.id,
    plan: edited,
    hash: planHash(edited),
  });
}
