import {runIdIn, type Purpose, type Session} from '../../domain/index.ts';
import {checkoutCandidate, treeOf} from '../../workspace/index.ts';
import {runHook} from '../run-hook.ts';
import type {Workshop} from '../workshop.ts';
import {agentLaunch, type AgentLaunch} from './agent-launch.ts';
import {rememberOutside} from './outside.ts';
import {sweepConfinements} from './sweep-confinements.ts';
import {hookEnvironment, inRun} from './run-environment.ts';
import {sandboxLaunch} from './sandbox-launch.ts';
import {persistentLaunch} from './shell-launch.ts';
import {checkLaunch, placeOf, serviceLaunch, shellLaunch, type Launch} from './task-launch.ts';

/** What a session that works for a run is to run. Read when it is started, and never again: the keeper gets it in writing. */
export async function describeLaunch(workshop: Workshop, session: Session): Promise<Launch> {
  sweepConfinements(workshop);
  const {run} = placeOf(workshop, session);
  const own = inRun(workshop, run);
  if (session.purpose.for === 'attempt') await askHook(workshop, session, session.purpose);
  if (run.environment !== undefined)
    workshop.store.writeNote(session.id, 'environment', {hash: run.environment.hash});
  const {
    stateDirectories = [],
    settings = {files: [], directories: []},
    hosts = [],
    inPlace = [],
    ...launch
  } = await plainLaunch(own, session);
  const confined = await sandboxLaunch(own, session, launch, {
    stateDirectories,
    settings,
    hosts,
    inPlace,
  });
  // Whoever is confined can change nothing outside: what changes there is the person's own doing.
  if (session.purpose.for === 'attempt' && confined === launch)
    await rememberOutside(workshop, session.purpose.task, session.purpose.attempt);
  return confined;
}

async function plainLaunch(workshop: Workshop, session: Session): Promise<AgentLaunch> {
  const {purpose} = session;
  switch (purpose.for) {
    case 'setup':
    case 'worktree-setup':
      return shellLaunch(workshop, session, workshop.state().project.setup ?? 'true');
    case 'baseline':
      return shellLaunch(workshop, session, purpose.command);
    case 'check':
      return checkLaunch(workshop, session, purpose);
    case 'attempt':
      return agentLaunch(workshop, session, purpose);
    case 'plan':
      await clearPlace(workshop, session);
      return agentLaunch(workshop, session, purpose);
    case 'shell':
      return persistentLaunch(workshop, session, purpose);
    case 'takeover':
      return agentLaunch(workshop, session, purpose);
    case 'service':
      return serviceLaunch(workshop, session, purpose);
    default:
      throw new Error(`${session.id} works for no run`);
  }
}

/** What a planner before has written is named in the journal; the next one begins where nothing was written, or it would be blamed for it. */
async function clearPlace(workshop: Workshop, session: Session): Promise<void> {
  const {path: directory, commit, tree} = placeOf(workshop, session).worktree;
  const workspace = workshop.workspace();
  if ((await treeOf(workspace, directory)) !== tree)
    await checkoutCandidate(workspace, {directory, commit});
}

/** A person's own program may say no before an agent starts. */
async function askHook(
  workshop: Workshop,
  session: Session,
  {task, attempt}: Extract<Purpose, {readonly for: 'attempt'}>,
): Promise<void> {
  const {worktree} = placeOf(workshop, session);
  const end = await runHook(
    'before-work',
    {task, attempt, session: session.id, worktree: worktree.path},
    {...workshop, env: hookEnvironment(workshop, runIdIn(task))},
  );
  if (end !== undefined && !end.isOk) throw new Error(`the hook before-work says no: ${end.words}`);
}
