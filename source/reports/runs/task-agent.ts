import {
  type Run,
  selectOwnWorker,
  selectSessionAgent,
  selectTaskSessions,
  selectWorker,
  selectWorkerMode,
  type State,
  type Task,
} from '../../domain/index.ts';
import {toSafeLine} from '../terminal-text.ts';

/** Who works on a task, as plain data. */
export type TaskAgentStatus = {
  readonly agent: string;
  readonly model?: string;
  /** `codex with gpt-9`, only where it differs from the run's agent or model. */
  readonly by?: string;
  /** Why it works headless although the run asks for interactive workers. */
  readonly headless?: string;
};

export function selectTaskAgent(state: State, run: Run, task: Task): TaskAgentStatus {
  const {agent, model} = selectWorker(state, run, task);
  const own = selectOwnWorker(state, run, task);
  const {why} = selectWorkerMode(state, run, task);
  return {
    agent: toSafeLine(agent),
    ...(model === undefined ? {} : {model: toSafeLine(model)}),
    ...(own === undefined ? {} : {by: formatAgent(own)}),
    ...(why === undefined ? {} : {headless: toSafeLine(why)}),
  };
}

export function formatAgent({
  agent,
  model,
}: {
  readonly agent: string;
  readonly model?: string;
}): string {
  return toSafeLine(`${agent}${model === undefined ? '' : ` with ${model}`}`);
}

/** Every agent that worked on a task, in order, each once. Empty if only the run's agent did. */
export function listTaskAgents(state: State, run: Run, task: Task): readonly string[] {
  const chosen = selectTaskSessions(state, task.id)
    .filter(({purpose}) => purpose.for === 'attempt')
    .flatMap((session) => selectSessionAgent(state, session) ?? []);
  const isOwn = selectOwnWorker(state, run, task) !== undefined;
  return isOwn || chosen.some(({agent}) => agent !== run.request.worker)
    ? [...new Set(chosen.map(formatAgent))]
    : [];
}
