import {existsSync} from 'node:fs';
import path from 'node:path';
import {minuteOf} from '../../base/index.ts';
import type {LiveState} from '../../client/index.ts';
import {formatJson, limitsOf, modelName, modelProblem} from '../../documents/index.ts';
import type {Event, RunBudget, RunId, RunRequest, State, Wish} from '../../domain/index.ts';
import {Impossible, type Here} from '../here.ts';
import type {ExitCode, Surroundings} from '../surroundings.ts';
import {createFirstApproval} from './approve-first.ts';
import {chooseAgents} from './choose-agents.ts';
import {followOn} from './follow-on.ts';
import {followRun} from './follow-run.ts';
import {isAboutRun} from './is-about-run.ts';
import {shellEnvironment} from './shell-environment.ts';
import {checkSkill} from './skills.ts';
import {createStory} from './story.ts';
import {withLive} from './with-live.ts';

export type RunOptions = {
  readonly agent?: string;
  readonly planner?: string;
  readonly model?: string;
  readonly plannerModel?: string;
  readonly playbook?: string;
  readonly skill?: string;
  readonly approve?: boolean;
  readonly detach?: boolean;
  readonly queued?: boolean;
  readonly tokens?: string;
  readonly json?: boolean;
};

/** From an objective to a run's branch that is ready to be accepted; or to where a person is needed (exit 3). */
export async function run(
  objective: string,
  options: RunOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  if (options.approve === true && options.detach === true)
    throw new Impossible(
      'expected --approve or --detach, got both: who leaves is not there to approve. Leave out one; `orchestra plan approve` comes later as well',
    );
  let id: RunId | undefined;
  const story = createStory(surroundings, () => id);
  const hear = options.json === true ? createLines(surroundings, () => id) : story.hear;
  const following = {
    ...(options.json === true ? {json: true} : {}),
    ...(options.approve === true ? {approval: createFirstApproval()} : {}),
  };
  try {
    return await withLive(
      surroundings,
      async (live, here) => {
        id = await startRun(live, here, objective, options, surroundings);
        if (options.detach === true || options.queued === true) {
          surroundings.out(options.json === true ? formatJson({run: id}) : `${id}\n`);
          return 0;
        }

        story.say(options.json === true ? '' : `${id}: ${objective.trim()}\n`);
        return await followRun(live, id, following, surroundings, story);
      },
      hear,
      () => followOn(id, following, surroundings, story, hear),
    );
  } finally {
    story.end();
  }
}

/** Each event of the run as a line of JSON; the first come before anybody knows what the run is called. */
function createLines(
  {out}: Surroundings,
  run: () => RunId | undefined,
): (event: Event, state: State) => void {
  let early: readonly Event[] = [];
  return (event, state) => {
    const id = run();
    early = [...early, event];
    if (id === undefined) return;
    for (const one of early) if (isAboutRun(one, state, id)) out(`${JSON.stringify(one)}\n`);
    early = [];
  };
}

async function startRun(
  live: LiveState,
  here: Here,
  objective: string,
  options: RunOptions,
  surroundings: Surroundings,
): Promise<RunId> {
  const {project} = live.state();
  const playbook =
    options.playbook === undefined ? undefined : path.resolve(surroundings.cwd, options.playbook);
  if (playbook !== undefined && !existsSync(playbook))
    throw new Impossible(`there is no playbook ${playbook}`);
  if (options.skill !== undefined) checkSkill(options.skill, here.root);
  const request: RunRequest = {
    objective: objective.trim(),
    ...chooseAgents(
      {...options, ...(playbook === undefined ? {} : {playbook})},
      project,
      surroundings,
      here.root,
    ),
    ...(playbook === undefined ? {} : {playbook}),
    ...(options.model === undefined ? {} : {model: checkModel(options.model)}),
    ...(options.plannerModel === undefined ? {} : {plannerModel: checkModel(options.plannerModel)}),
    ...(options.skill === undefined ? {} : {skill: options.skill}),
    ...(here.root === mainOf(here) ? {} : {checkout: here.root}),
    queued: options.queued === true,
  };
  const {worker, planner, model, plannerModel} = request;
  const problem =
    modelProblem(worker, model, project) ??
    modelProblem(planner, plannerModel ?? (planner === worker ? model : undefined), project);
  if (problem !== undefined) throw new Impossible(problem);
  const {events} = (await live.ask({
    about: 'wish',
    wish: {
      type: 'start-run',
      request,
      budget: budgetOf(project, options, surroundings),
    } satisfies Wish,
    env: shellEnvironment(project, request, surroundings),
  })) as {readonly events: readonly Event[]};
  const created = events.find((event) => event.type === 'run-created');
  if (created === undefined) throw new Error('the daemon took the objective but named no run');
  return created.run;
}

/** It becomes an argument of the agent's program. */
function checkModel(name: string): string {
  if (modelName.isMeant(name)) return name;
  throw new Impossible(`expected ${modelName.expectation}, got ${JSON.stringify(name)}`);
}

/** The checkout that the daemon calls its own. */
function mainOf({root, commonDirectory}: Here): string {
  return path.basename(commonDirectory) === '.git' ? path.dirname(commonDirectory) : root;
}

function budgetOf(
  project: Parameters<typeof limitsOf>[0],
  {tokens}: RunOptions,
  {env}: Surroundings,
): RunBudget {
  const limits = limitsOf(project);
  const most = tokens === undefined ? limits.runTokens : Number(tokens);
  if (most !== undefined && !(most > 0))
    throw new Impossible(`expected a number of tokens, got ${JSON.stringify(tokens)}`);
  return {
    attemptWallClock: limits.attemptMinutes * minuteOf(env),
    ...(limits.attemptTokens === undefined ? {} : {attemptTokens: limits.attemptTokens}),
    ...(most === undefined ? {} : {tokens: most}),
  };
}
