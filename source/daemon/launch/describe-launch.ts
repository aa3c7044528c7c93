import type {Purpose, Session} from '../../domain/index.ts';
import {runHook} from '../run-hook.ts';
import type {Workshop} from '../workshop.ts';
import {agentLaunch} from './agent-launch.ts';
import {rememberOutside} from './outside.ts';
import {sandboxLaunch} from './sandbox-launch.ts';
import {checkLaunch, placeOf, shellLaunch, type Launch} from './task-launch.ts';

/** What a session is to run. Read when it is started, and never again: the keeper gets it in writing. */
export async function describeLaunch(workshop: Workshop, session: Session): Promise<Launch> {
  const {stateDirectories = [], ...launch} = await plainLaunch(workshop, session);
  return sandboxLaunch(workshop, session, launch, stateDirectories);
}

async function plainLaunch(workshop: Workshop, session: Session): Promise<Launch & {readonly stateDirectories?: readonly string[]}> {
  const {purpose} = session;
  switch (purpose.for) {
    case 'person':
      return {argv: purpose.command, cwd: purpose.directory, env: workshop.surroundingsOf(session.id).env};
    case 'service':
      return serviceLaunch(workshop, session, purpose.service);
    case 'setup':
      return shellLaunch(workshop, session, workshop.state().project.setup ?? 'true');
    case 'check':
      return checkLaunch(workshop, session, purpose);
    case 'attempt':
      await askHook(workshop, session, purpose);
      await rememberOutside(workshop, purpose.task, purpose.attempt);
      return agentLaunch(workshop, session, purpose);
    case 'plan':
    case 'takeover':
      return agentLaunch(workshop, session, purpose);
  }
}

/** A person's own program may say no before an agent starts. */
async function askHook(workshop: Workshop, session: Session, {task, attempt}: Extract<Purpose, {readonly for: 'attempt'}>): Promise<void> {
  const {worktree} = placeOf(workshop, session);
  const end = await runHook('before-work', {task, attempt, session: session.id, worktree: worktree.path}, workshop);
  if (end !== undefined && !end.isOk) throw new Error(`the hook before-work says no: ${end.words}`);
}

function serviceLaunch({state, root, surroundingsOf}: Workshop, {id}: Session, name: string): Launch {
  const service = state().services.find(({spec}) => spec.name === name);
  if (service === undefined) throw new Error(`there is no service ${name}`);
  return {argv: ['/bin/sh', '-c', service.spec.command], cwd: root, env: surroundingsOf(id).env};
}
