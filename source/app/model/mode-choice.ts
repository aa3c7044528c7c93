import {type ModeChoice, selectMode} from '../../project-config/index.ts';
import type {RunRequest, State, WorkerMode} from '../../domain/index.ts';
import {isRecord} from '../../shared/index.ts';
import {noChange, type Result, withNotice} from './action.ts';
import {selectAgent, selectPlanner} from './agent-choice.ts';
import type {Model, ModelRole, RoleModes} from './model.ts';

type ModeModel = Pick<Model, 'repository' | 'modes'>;

/** How an agent would run, and why; undefined while nothing is known about interfaces. */
export function selectAgentMode(
  {repository: {interfaces}, modes}: ModeModel,
  {
    role,
    agent,
    asked,
    isQueued = false,
  }: {
    readonly role: ModelRole;
    readonly agent: string;
    readonly asked?: WorkerMode;
    readonly isQueued?: boolean;
  },
  {project}: State,
): ModeChoice | {readonly rejected: string} | undefined {
  if (interfaces === undefined) return undefined;
  return selectMode({
    role,
    agent,
    asked,
    remembered: modes[role],
    project,
    interfaces: interfaces.builtIn,
    place: {from: 'app', hasTerminal: true, isCi: interfaces.isCi, isQueued},
  });
}

/** Whether the agent has an interface of its own. */
export function canChooseMode(model: ModeModel, agent: string, state: State): boolean {
  const choice = selectAgentMode(model, {role: 'worker', agent, asked: 'interactive'}, state);
  return choice !== undefined && !('rejected' in choice);
}

/**
 * Chooses the other mode for a role. A choice that equals what holds without one is forgotten, so
 * that a later change of the project file counts.
 */
export function changeMode(model: Model, role: ModelRole, state: State, now: number): Result {
  const agent = role === 'worker' ? selectAgent(model, state) : selectPlanner(model, state);
  if (agent === undefined || model.playbook !== '') return noChange(model);
  const asked = selectAgentMode(model, {role, agent, asked: 'interactive'}, state);
  if (asked === undefined) return noChange(model);
  if ('rejected' in asked) return noChange(withNotice(model, `${asked.rejected}.`, now, 'bad'));
  const current = selectAgentMode(model, {role, agent}, state);
  const isInteractive =
    current !== undefined && !('rejected' in current) && current.mode === 'interactive';
  const mode = isInteractive ? 'headless' : 'interactive';
  const others: RoleModes = Object.fromEntries(
    Object.entries(model.modes).filter(([name]) => name !== role),
  );
  const usual = selectAgentMode({...model, modes: others}, {role, agent}, state);
  const isUsual = usual !== undefined && !('rejected' in usual) && usual.mode === mode;
  return noChange({...model, modes: isUsual ? others : {...others, [role]: mode}});
}

/** The fields of the request; a default that is headless is left out. */
export function selectRequestModes(
  model: ModeModel,
  {
    worker,
    planner,
    isQueued,
  }: {readonly worker: string; readonly planner: string; readonly isQueued: boolean},
  state: State,
): Pick<RunRequest, 'workers' | 'planners'> | {readonly rejected: string} {
  const work = selectAgentMode(model, {role: 'worker', agent: worker, isQueued}, state);
  const plan = selectAgentMode(model, {role: 'planner', agent: planner, isQueued}, state);
  for (const choice of [work, plan])
    if (choice !== undefined && 'rejected' in choice) return choice;
  const [workers, planners] = [toField(work), toField(plan)];
  return {
    ...(workers === undefined ? {} : {workers}),
    ...(planners === undefined ? {} : {planners}),
  };
}

function toField(choice: ReturnType<typeof selectAgentMode>): WorkerMode | undefined {
  if (choice === undefined || 'rejected' in choice) return undefined;
  return choice.isDefault && choice.mode === 'headless' ? undefined : choice.mode;
}

/** From the saved UI state, which may be damaged or of another version. */
export function parseSavedModes(value: unknown): RoleModes {
  const from = isRecord(value) ? value : {};
  return Object.fromEntries(
    (['worker', 'planner'] as const).flatMap((role) => {
      const mode = from[role];
      return mode === 'interactive' || mode === 'headless' ? [[role, mode] as const] : [];
    }),
  );
}
