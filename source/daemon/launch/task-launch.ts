import {existsSync} from 'node:fs';
import {agentEnvironmentOf, portRangeOf} from '../../documents/index.ts';
import {checksOf, runIdIn, runOf, worktreeOf, worktreeOwnerOf, type Purpose, type Run, type Session, type Worktree, type WorktreeOwner} from '../../domain/index.ts';
import type {Workshop} from '../workshop.ts';
import {environmentInWorktree} from './environment-in-worktree.ts';

/** What a session runs, where, and with what. */
export type Launch = {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
};

/** A command of the project, in the worktree of its task. The shell stays, so that a program that dies of a signal is a status and not the end of the session. */
export function shellLaunch(workshop: Workshop, session: Session, command: string): Launch {
  const {run, worktree} = placeOf(workshop, session);
  return {argv: ['/bin/sh', '-c', `${command}\nexit $?`], cwd: worktree.path, env: environmentOf(workshop, run, worktree)};
}

export function checkLaunch(workshop: Workshop, session: Session, purpose: Extract<Purpose, {readonly for: 'check'}>): Launch {
  const {run} = placeOf(workshop, session);
  const check = checksOf(run).find(({name}) => name === purpose.check);
  if (check === undefined) throw new Error(`the plan of ${run.id} has no check ${purpose.check}`);
  return shellLaunch(workshop, session, check.command);
}

/** The run and the worktree that a session works in. */
export function placeOf({state}: Pick<Workshop, 'state'>, session: Session): {readonly run: Run; readonly worktree: Worktree} {
  const owner = worktreeOwnerOf(session);
  const run = owner === undefined ? undefined : runOf(state(), runIdIn(owner));
  const worktree = owner === undefined || run === undefined ? undefined : worktreeOf(run, owner);
  if (run === undefined || worktree === undefined) throw new Error(`${session.id} has no worktree to run in`);
  return {run, worktree};
}

/** By allow-list, as it holds in this worktree, with the ports that are its own. */
export function environmentOf({state, env, root}: Pick<Workshop, 'state' | 'env' | 'root'>, run: Run, {owner, path: worktree}: Worktree, needs: readonly string[] = []): Record<string, string> {
  const {project} = state();
  const checkouts = [...(run.request.checkout === undefined ? [] : [run.request.checkout]), root];
  const {from, perTask} = portRangeOf(project);
  const first = from + placeInPorts(run, owner) * perTask;
  return {
    ...environmentInWorktree(agentEnvironmentOf(env, {allow: project.environment ?? [], needs}), {checkouts, worktree, isThere: existsSync}),
    ORCHESTRA_RUN: run.id,
    ORCHESTRA_OWNER: owner,
    ...(first + perTask > 65_536 ? {} : {PORT: String(first), ORCHESTRA_PORT_FIRST: String(first), ORCHESTRA_PORT_LAST: String(first + perTask - 1)}),
  };
}

/** Blocks follow each other over runs and tasks, and come round again: what is long over needs none. */
function placeInPorts(run: Run, owner: WorktreeOwner): number {
  const task = run.tasks.findIndex(({id}) => id === owner);
  return ((Number(run.id.slice(1)) - 1) * tasksPerRun + (task === -1 ? 0 : task + 1)) % (blocks * tasksPerRun);
}

const tasksPerRun = 20;
const blocks = 20;
