import {formatJson} from '../../reports/index.ts';
import {type PlannedTask, rootOfVariant, runIdIn, selectPlannedWorker} from '../../domain/index.ts';
import {parsePlan, planHash, setTaskAgent, setVariants} from '../../plan/index.ts';
import {getPlanContext} from '../../project-config/index.ts';
import type {CliContext, ExitCode} from '../cli-context.ts';
import {UsageError} from '../repo-paths.ts';
import {withLive} from '../with-daemon.ts';
import {findRun, parseTaskId} from './find-subject.ts';
import {proposeEdit} from './plan.ts';
import {findAgentsOnPath} from './task-agents.ts';
import {parseTries} from './tries.ts';

/** `false`: the option that takes it back. */
export type TaskAgentOptions = {
  readonly agent?: string | false;
  readonly model?: string | false;
  readonly tries?: string | false;
  readonly agents?: string;
  readonly json?: boolean;
};

/** Chooses who works on a task of a plan that waits for approval. */
export async function planSet(
  text: string,
  {agent, model, tries, agents, json}: TaskAgentOptions,
  cli: CliContext,
): Promise<ExitCode> {
  const variants = parseVariants(tries, agents);
  if (agent === undefined && model === undefined && variants === undefined)
    throw new UsageError(
      'expected --agent, --model or --tries (or --no-agent, --no-model, --no-tries), got none',
    );
  if (variants !== undefined && (agent !== undefined || model !== undefined))
    throw new UsageError(
      'expected --tries or --agent and --model, got both. Set the variants first, then the agent ' +
        'or model of each',
    );
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
    const changed =
      variants === undefined
        ? setTaskAgent(plan, planned, {
            ...(agent === undefined ? {} : {agent: agent === false ? '' : agent}),
            ...(model === undefined ? {} : {model: model === false ? '' : model}),
          })
        : setVariants(plan, planned, variants);
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
    const root = rootOfVariant({id: planned, ...task});
    const made = value.tasks.filter((one) => rootOfVariant(one) === root);
    const workers = made.map((one) => ({
      task: `${run.id}.${one.id}`,
      ...selectPlannedWorker(run, one),
    }));
    const worker = selectPlannedWorker(run, task);
    cli.out(
      json === true
        ? formatJson({
            run: run.id,
            task: id,
            ...worker,
            ...(made.length > 1 ? {variants: workers} : {}),
            hash,
          })
        : (variants === undefined ? [{task: id, ...worker}] : workers).map(formatWorker).join('') +
            `To approve the plan: orchestra plan approve ${run.id}\n`,
    );
    return 0;
  });
}

/** One agent alone takes the variants back. */
function parseVariants(
  tries: string | false | undefined,
  agents: string | undefined,
): readonly string[] | undefined {
  if (tries !== false)
    return parseTries({
      ...(tries === undefined ? {} : {tries}),
      ...(agents === undefined ? {} : {agents}),
    });
  if (agents !== undefined)
    throw new UsageError('expected --no-tries or --agents, got both. Leave out one');
  return [''];
}

function formatWorker({
  task,
  agent,
  model,
}: {
  readonly task: string;
  readonly agent: string;
  readonly model?: string;
}): string {
  return `${task}: ${agent}${model === undefined ? '' : ` with ${model}`}. `;
}
