import {hasPlanBlock, parsePlanFromOutput, planHash} from '../../plan/index.ts';
import {redactTexts} from '../../reports/index.ts';
import {redactValues} from '../../secrets/index.ts';
import {
  isInteractive,
  isLive,
  type Observation,
  type Plan,
  type Run,
  selectRun,
  selectSession,
  selectWorktree,
  type Session,
} from '../../domain/index.ts';
import type {AgentOutcome} from '../../agents/index.ts';
import {changedSince, hashTree} from '../../git/index.ts';
import type {EffectHandler} from '../engine/conductor.ts';
import {selectPlanContext} from '../launch/agents-here.ts';
import {readHandIn} from '../tools/reporting-tools.ts';
import type {
  DaemonClock,
  DaemonDirectory,
  DaemonLog,
  KernelAccess,
  RepositoryAccess,
  RunVariables,
  SecretValues,
  SessionFiles,
  StateReader,
  UserAccount,
} from '../daemon-context.ts';
import {endLeftovers} from './leftovers.ts';
import {reportOutcome, readTurnOutcome} from './read-outcome.ts';
import {reportTranscript} from './read-transcript.ts';

type PlanContext = StateReader &
  SessionFiles &
  RepositoryAccess &
  DaemonDirectory &
  SecretValues &
  KernelAccess &
  DaemonLog &
  DaemonClock &
  RunVariables &
  Pick<UserAccount, 'home'>;

/**
 * Reads the result of a planner: a plan if its worktree is unchanged, else what is wrong. Of a
 * planner in its own interface it reads one turn, which may be a plan or a part of a conversation.
 */
export function readPlan(context: PlanContext): EffectHandler {
  return async (effect, report) => {
    if (effect.do !== 'read-plan') return;
    const {run: id, session} = effect;
    const run = selectRun(context.state(), id);
    const planner = selectSession(context.state(), session);
    if (run === undefined || planner?.purpose.for !== 'plan')
      throw new Error(`${id} has no planner`);
    if (!isLive(planner)) await endLeftovers(context, planner);
    const compared = await compareTree(context, run);
    if ('wrote' in compared) {
      await report(compared.wrote);
      return;
    }

    const reading = {...compared, run, round: planner.purpose.round, planner};
    await report(
      isInteractive(planner)
        ? await readTurn(context, reading, report)
        : await readAnswer(context, reading, report),
    );
  };
}

/** The tree of the planner's worktree if it is unchanged, else what the planner wrote. */
export async function compareTree(
  context: RepositoryAccess,
  run: Run,
): Promise<
  {readonly tree: string} | {readonly wrote: Extract<Observation, {readonly type: 'planner-wrote'}>}
> {
  const worktree = selectWorktree(run, `${run.id}.plan`);
  if (worktree === undefined) throw new Error(`${run.id} has no planner`);
  const workspace = context.workspace();
  const tree = await hashTree(workspace, worktree.path);
  if (tree === worktree.tree) return {tree};
  return {
    wrote: {
      type: 'planner-wrote',
      run: run.id,
      round: run.rounds.length,
      paths: await changedSince(workspace, worktree.path, worktree.tree),
    },
  };
}

type Reading = {
  readonly run: Run;
  readonly round: number;
  readonly planner: Session;
  readonly tree: string;
};

async function readAnswer(
  context: PlanContext,
  {run, round, planner, tree}: Reading,
  report: Parameters<EffectHandler>[1],
): Promise<Observation> {
  const {outcome, output} = await reportOutcome(context, planner, report);
  if (outcome.at !== 'finished') return toFailure(outcome, {run, round, planner});
  // A plan that was submitted through the tool is already checked and takes precedence over
  // output.
  const {plan} = readHandIn(context, planner.id);
  if (plan !== undefined) return toProposal(context, plan, {run, round, tree});
  const {value, problems} = parseOutput(context, run, output);
  return value === undefined
    ? {type: 'plan-invalid', run: run.id, round, problems, ...selectLastText(outcome.words)}
    : toProposal(context, value, {run, round, tree});
}

/**
 * A turn without a plan is an answer to the person. Beside a plan that the person reads, only
 * another plan changes anything.
 */
async function readTurn(
  context: PlanContext,
  {run, round, planner, tree}: Reading,
  report: Parameters<EffectHandler>[1],
): Promise<Observation> {
  const record = await reportTranscript(context, planner, report);
  const handIn = readHandIn(context, planner.id);
  const {turn, handIns = 0} = planner;
  const from = {session: planner.id, turn: turn?.number ?? 0, handIns: handIn.count};
  const isReviewed = run.stage.at === 'reviewing';
  const answered: Observation = {type: 'planner-waiting', run: run.id, round, from};
  const {outcome} = readTurnOutcome(context, planner, record);
  // In an open session an interruption is the person's, who wants to say something.
  const isHalted = outcome.at === 'interrupted' && isLive(planner);
  if (outcome.at !== 'finished')
    return isReviewed || isHalted ? answered : toFailure(outcome, {run, round, planner});
  const message = turn?.words ?? record.words ?? '';
  const isHanded = (handIn.number ?? 0) > handIns;
  const found =
    isHanded || !hasPlanBlock(message)
      ? {value: isHanded ? handIn.plan : undefined, problems: handIn.problems ?? []}
      : parseOutput(context, run, message);
  if (found.value !== undefined) {
    const proposal = toProposal(context, found.value, {run, round, tree});
    if (run.stage.at !== 'reviewing') return {...proposal, from};
    const replaces = run.stage.proposal.hash;
    return proposal.hash === replaces ? answered : {...proposal, from, replaces};
  }

  const isInvalid = handIn.count > handIns || hasPlanBlock(message);
  if (isReviewed || (!isInvalid && isLive(planner))) return answered;
  return {
    type: 'plan-invalid',
    run: run.id,
    round,
    problems: isInvalid ? found.problems : ['The planner ended without handing in a plan.'],
    ...selectLastText(message),
    from,
  };
}

function parseOutput(
  context: PlanContext,
  run: Run,
  output: string,
): {readonly value: Plan | undefined; readonly problems: readonly string[]} {
  const {value, problems} = parsePlanFromOutput(output, selectPlanContext(context, run));
  return {
    value,
    problems: problems
      .filter(({level}) => level === 'error')
      .map(({line, text}) => `line ${line}: ${text}`),
  };
}

/** Redacts known values only: a person approves this text, so it is not changed otherwise. */
function toProposal(
  context: SecretValues,
  found: Plan,
  {run, round, tree}: Pick<Reading, 'run' | 'round' | 'tree'>,
): Extract<Observation, {readonly type: 'plan-received'}> {
  const secrets = context.secrets();
  const plan = redactTexts(found, (text) => redactValues(text, secrets));
  return {type: 'plan-received', run: run.id, round, plan, hash: planHash(plan), tree};
}

function toFailure(
  {at, words}: AgentOutcome,
  {run: {id: run}, round, planner: {id: session}}: Pick<Reading, 'run' | 'round' | 'planner'>,
): Observation {
  switch (at) {
    case 'conversation-lost':
      return {type: 'conversation-lost', session, words};
    case 'unavailable':
      return {type: 'agent-unavailable', words};
    case 'interrupted':
      return {type: 'planning-interrupted', run, round, words};
    default:
      return {type: 'planner-failed', run, round, words};
  }
}

/** The end of the planner's message, which usually says why there is no plan. */
function selectLastText(message: string): {readonly words?: string} {
  const text = message.trim();
  return text === ''
    ? {}
    : {words: text.length <= maxCharacters ? text : `…${text.slice(-maxCharacters)}`};
}

const maxCharacters = 600;
