import {formatJson} from '../../reports/index.ts';
import {type PlannedTask, runIdIn, selectPlannedWorker} from '../../domain/index.ts';
import {parsePlan, planHash, setTaskAgent} from '../../plan/index.ts';
import {getPlanContext} from '../../project-config/index.ts';
import type {CliContext, ExitCode} from '../cli-context.ts';
import {UsageError} from '../repo-paths.ts';
import {withLive} from '../with-daemon.ts';
import {findRun, parseTaskId} from './find-subject.ts';
import {proposeEdit} from './plan.ts';
import {findAgentsOnPath} from './task-agents.ts';

/** `false`: the option that takes it back. */
export type TaskAgentOptions = {
  readonly agent?: string | false;
  readonly model?: string | false;
  readonly json?: boolean;
};

/** Chooses who works on a task of a plan that waits for approval. */
export async function planSet(
  text: string,
  {agent, model, json}: TaskAgentOptions,
  cli: CliContext,
): Promise<ExitCode> {
  if (agent === undefined && model === undefined)
    throw new UsageError('expected --agent or --model (or --no-agent, --no-model), got neither');
  const id = parseTaskId(text);
  return withLive(cli, async (live) => {
    const {project} = live.state();
    const run = findRun(live.state(), runIdIn(id));
    if (run.stage.at !== 'reviewing')
      throw new UsageError(
        `${run.id} has no plan that waits for your approval; it is ${run.stage.at}`,
      );
    const {plan} = run.stage.proposal;
    const planned = id.slice(run.id.length + 1);
    if (!plan.tasks.some((task) => task.id === planned))
      throw new UsageError(
        `the plan of ${run.id} has no task ${planned}; it has ${plan.tasks.map((task) => task.id).join(', ')}`,
      );
    const changed = setTaskAgent(plan, planned, {
      ...(agent === undefined ? {} : {agent: agent === false ? '' : agent}),
      ...(model === undefined ? {} : {model: model === false ? '' : model}),
    });
    const {value, problems} = parsePlan(
      JSON.stringify(changed),
      getPlanContext(project, run.request, findAgentsOnPath(project, cli)),
    );
    if (value === undefined)
      throw new UsageError(
        problems.find(({level}) => level === 'error')?.text ?? 'that is not a plan',
      );
    const hash = planHash(value);
    if (hash !== run.stage.proposal.hash) await proposeEdit(live, run, value);
    const task = value.tasks.find((one) => one.id === planned) ?? ({} as Partial<PlannedTask>);
    const worker = selectPlannedWorker(run, task);
    cli.out(
      json === true
        ? formatJson({run: run.id, task: id, ...worker, hash})
        : `${id}: ${worker.agent}${worker.model === undefined ? '' : ` with ${worker.model}`}. ` +
            `To approve the plan: orchestra plan approve ${run.id}\n`,
    );
    return 0;
  });
}
