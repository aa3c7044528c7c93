import {
  describePlanFailure,
  limitsOf,
  plannerFollowUpOf,
  plannerPromptOf,
  planTextOf,
  type FollowUp,
  type Prompt,
} from '../../documents/index.ts';
import type {Event, Run, Session, Worktree} from '../../domain/index.ts';
import type {Workshop} from '../workshop.ts';
import {contextOf} from './context.ts';

type Asked = {
  readonly session: Session;
  /** It goes on with its conversation, and is told only what is new. */ readonly isResumed: boolean;
};

export async function plannerPrompt(
  workshop: Workshop,
  run: Run,
  worktree: Worktree,
  {session, isResumed}: Asked,
): Promise<Prompt> {
  const {stage, request} = run;
  if (stage.at !== 'planning') throw new Error(`${run.id} is not being planned`);
  const round = run.rounds.at(-1);
  const context = await contextOf(workshop, run, worktree);
  const {project, services} = workshop.state();
  const events = workshop.eventsOf(run.id);
  const input = {
    ...context,
    rules: stage.ground.rules,
    objective: request.objective,
    services: services.map(({spec}) => spec.name),
    tools: (project.tools ?? []).map(({name}) => name),
    ...(round?.asking === 2 ? {problems: round.problems} : {}),
    ...(stage.because === undefined ? {} : {because: stage.because, ...planBefore(events)}),
    budget: limitsOf(project).contextTokens,
  };
  if (!isResumed) return plannerPromptOf(input);
  return plannerFollowUpOf({
    ...input,
    ...(await followUpOf(workshop, run, session, events)),
    isInterrupted: (round?.interruptions ?? 0) > 0,
  });
}

/** The plan that the person's comments are about, line by line as it was shown. */
function planBefore(events: readonly Event[]): {readonly before?: string} {
  const plan = events
    .flatMap((event) =>
      event.type === 'plan-received' || event.type === 'plan-edited' ? [event.plan] : [],
    )
    .at(-1);
  return plan === undefined ? {} : {before: planTextOf(plan)};
}

/** What has happened since the planner was at it last. */
async function followUpOf(
  workshop: Workshop,
  {id}: Run,
  {id: session}: Session,
  events: readonly Event[],
): Promise<Omit<FollowUp, 'isInterrupted'>> {
  const last = events.findLastIndex(
    (event) =>
      event.type === 'session-asked' &&
      event.purpose.for === 'plan' &&
      event.purpose.run === id &&
      event.session !== session,
  );
  const since = events.slice(last + 1);
  const [from, to] = [baseIn(events.slice(0, last + 1)), baseIn(events)];
  const failed = since.find((event) => event.type === 'planning-failed');
  return {
    hasNewRules: since.some(({type}) => type === 'rules-changed'),
    isEdited: since.some(({type}) => type === 'plan-edited'),
    ...(from === undefined || to === undefined || from === to
      ? {}
      : {moved: {from, to, files: await filesBetween(workshop, from, to)}}),
    ...(failed === undefined ? {} : {failure: describePlanFailure(failed.why)}),
  };
}

function baseIn(events: readonly Event[]): string | undefined {
  return events
    .flatMap((event) =>
      event.type === 'run-surveyed'
        ? [event.ground.base]
        : event.type === 'base-moved'
          ? [event.base]
          : [],
    )
    .at(-1);
}

async function filesBetween(
  workshop: Workshop,
  from: string,
  to: string,
): Promise<readonly string[]> {
  const workspace = workshop.workspace();
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
