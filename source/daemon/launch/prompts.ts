import {errorText} from '../../shared/index.ts';
import {describePlanFailure} from '../../reports/index.ts';
import {getLimits} from '../../project-config/index.ts';
import {
  composePlannerFollowUp,
  composePlannerPrompt,
  type FollowUp,
  type Prompt,
} from '../../prompts/index.ts';
import {formatPlanText} from '../../plan/index.ts';
import {
  type Event,
  isInteractive,
  type Run,
  type RunId,
  runIdOfSession,
  selectRun,
  selectSession,
  type Session,
  taskIdOfSession,
  type Worktree,
} from '../../domain/index.ts';
import type {
  DaemonLog,
  JournalReader,
  PromptSources,
  RepositoryAccess,
  RunVariables,
  SessionFiles,
  StateReader,
} from '../daemon-context.ts';
import {hashGiven, readGiven, writeGiven} from './given.ts';
import {selectNamableAgents} from './agents-here.ts';
import {readPromptContext} from './prompt-context.ts';
import {changedSince, hashTree} from '../../git/index.ts';

type PlannerSession = {
  readonly session: Session;
  /** The conversation that it continues, and so gets only what is new. */
  readonly conversation: string | undefined;
  /** The agent passes the rules as a system prompt at every start. */
  readonly hasRulesApart: boolean;
};

export async function plannerPrompt(
  daemon: PromptSources & JournalReader & RunVariables,
  run: Run,
  worktree: Worktree,
  {session, conversation, hasRulesApart}: PlannerSession,
): Promise<Prompt> {
  const {stage, request} = run;
  if (stage.at !== 'planning' && stage.at !== 'reviewing')
    throw new Error(`${run.id} is not being planned`);
  const round = run.rounds.at(-1);
  const context = await readPromptContext(daemon, run, worktree);
  const {project, services} = daemon.state();
  const events = daemon.eventsOf(run.id);
  const input = {
    ...context,
    rules: stage.ground.rules,
    objective: request.objective,
    services: services.map(({spec}) => spec.name),
    tools: (project.tools ?? []).map(({name}) => name),
    agents: selectNamableAgents(daemon, run),
    ...(round?.asking === 2 ? {problems: round.problems} : {}),
    ...(stage.at === 'reviewing' || stage.because === undefined
      ? {}
      : {because: stage.because, ...planBefore(events)}),
    ...(isInteractive(session) ? {isInteractive: true} : {}),
    budget: getLimits(project).contextTokens,
  };
  const isInterrupted = (round?.interruptions ?? 0) > 0;
  const given = conversation === undefined ? undefined : readGiven(daemon, session, conversation);
  const {rules} = stage.ground;
  const now = {rules: hashGiven(rules), task: hashGiven(request.objective), facts: {}, pieces: []};
  // A planner that resumes its conversation for the person gets no prompt.
  const hasPrompt = session.purpose.for !== 'plan' || session.purpose.waits !== true;
  if (hasPrompt || given !== undefined) writeGiven(daemon, session, now, given && conversation);
  if (given === undefined)
    return composePlannerPrompt({
      ...input,
      isInterrupted: isInterrupted && conversation !== undefined,
    });
  return composePlannerFollowUp({
    givesRules: hasRulesApart,
    ...input,
    ...(await composeFollowUp(daemon, run, events)),
    isInterrupted,
  });
}

/** The text of the last plan, with the line numbers that the person's comments refer to. */
function planBefore(events: readonly Event[]): {readonly before?: string} {
  const plan = events
    .flatMap((event) =>
      event.type === 'plan-received' || event.type === 'plan-edited' ? [event.plan] : [],
    )
    .at(-1);
  return plan === undefined ? {} : {before: formatPlanText(plan)};
}

/** What has happened since the planner was asked before. */
async function composeFollowUp(
  context: Pick<RepositoryAccess, 'workspace'>,
  {id}: Run,
  events: readonly Event[],
): Promise<Omit<FollowUp, 'isInterrupted'>> {
  // This request is the latest.
  const last =
    events.flatMap((event, index) => (asksPlanner(event, id) ? [index] : [])).at(-2) ?? -1;
  const since = events.slice(last + 1);
  const [from, to] = [baseIn(events.slice(0, last + 1)), baseIn(events)];
  const failed = since.find((event) => event.type === 'planning-failed');
  return {
    hasNewRules: since.some(({type}) => type === 'rules-changed'),
    isEdited: since.some(({type}) => type === 'plan-edited'),
    ...(from === undefined || to === undefined || from === to
      ? {}
      : {moved: {from, to, files: await filesBetween(context, from, to)}}),
    ...(failed === undefined ? {} : {failure: describePlanFailure(failed.why)}),
  };
}

function asksPlanner(event: Event, run: RunId): boolean {
  if (event.type === 'planner-continued') return event.run === run;
  return (
    event.type === 'session-asked' &&
    event.purpose.for === 'plan' &&
    event.purpose.run === run &&
    event.purpose.waits !== true
  );
}

function baseIn(events: readonly Event[]): string | undefined {
  return events
    .flatMap((event) => {
      if (event.type === 'run-surveyed') return [event.ground.base];
      return event.type === 'base-moved' ? [event.base] : [];
    })
    .at(-1);
}

async function filesBetween(
  context: Pick<RepositoryAccess, 'workspace'>,
  from: string,
  to: string,
): Promise<readonly string[]> {
  const workspace = context.workspace();
  try {
    const names = await workspace.git(
      workspace.root,
      ['diff-tree', '-r', '-z', '--name-only', '--no-renames', from, to],
      {isRead: true},
    );
    return names.split('\0').filter((name) => name !== '');
  } catch {
    return [];
  }
}

/**
 * Records the worktree's tree when a person takes a task over, so that the next agent learns what
 * the person changed.
 */
export async function noteTakeover(
  context: SessionFiles & Pick<RepositoryAccess, 'workspace'> & DaemonLog,
  {id}: Session,
  {path}: Worktree,
): Promise<void> {
  try {
    context.store.writeNote(id, 'takeover', {tree: await hashTree(context.workspace(), path)});
  } catch (error) {
    // Not an error for the person; the next agent then reads the whole change.
    context.log(`${id}: the content of its worktree could not be recorded: ${errorText(error)}`);
  }
}

/**
 * Paths that changed since a person took the task over after the last attempt. Undefined if that is
 * unknown.
 */
export async function findChangesByPerson(
  context: StateReader & SessionFiles & Pick<RepositoryAccess, 'workspace'>,
  session: Session,
  {path}: Worktree,
): Promise<readonly string[] | undefined> {
  const state = context.state();
  const run = runIdOfSession(session);
  const ids = (run === undefined ? undefined : selectRun(state, run))?.sessions ?? [];
  const earlier = ids
    .slice(0, ids.indexOf(session.id))
    .flatMap((id) => selectSession(state, id) ?? [])
    .filter((other) => taskIdOfSession(other) === taskIdOfSession(session));
  const since = earlier
    .slice(earlier.findLastIndex(({purpose}) => purpose.for === 'attempt') + 1)
    .find(({purpose}) => purpose.for === 'takeover');
  const {tree} = (
    since === undefined ? {} : (context.store.noteOf(since.id, 'takeover') ?? {})
  ) as {readonly tree?: unknown};
  if (typeof tree !== 'string' || !/^[0-9a-f]{40,64}$/.test(tree)) return undefined;
  try {
    return await changedSince(context.workspace(), path, tree);
  } catch {
    return undefined;
  }
}
