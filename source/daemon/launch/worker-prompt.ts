import {getLimits} from '../../project-config/index.ts';
import {
  composeWorkerFollowUp,
  composeWorkerPrompt,
  type Prompt,
  type WorkerPromptInput,
} from '../../prompts/index.ts';
import {
  type Attempt,
  type Check,
  type Run,
  selectChecks,
  selectChoice,
  selectPromptMessages,
  selectVariants,
  type Session,
  type Task,
  type Worktree,
} from '../../domain/index.ts';
import {captureChange} from '../../git/index.ts';
import type {DaemonDirectory, DaemonLog, PromptSources} from '../daemon-context.ts';
import {copyCheckLog} from './check-log.ts';
import {findChangesByPerson} from './prompts.ts';
import {type Given, hashFacts, hashGiven, readGiven, writeGiven} from './given.ts';
import {type PromptContext, readPromptContext} from './prompt-context.ts';

type WorkerPromptContext = PromptSources & DaemonDirectory & DaemonLog;

export type WorkerSession = {
  readonly session: Session;
  readonly task: Task;
  readonly attempt: Attempt;
  /** The conversation that the agent really continues. */
  readonly conversation: string | undefined;
  /** The agent passes the rules as a system prompt at every start. */
  readonly hasRulesApart: boolean;
};

/**
 * Everything that a worker needs, or only what is new if its conversation has been given the rest.
 */
export async function workerPrompt(
  daemon: WorkerPromptContext,
  run: Run,
  worktree: Worktree,
  worker: WorkerSession,
): Promise<Prompt> {
  const {session, conversation, hasRulesApart, attempt, task} = worker;
  const known = conversation === undefined ? undefined : readGiven(daemon, session, conversation);
  const given = known?.task === hashTask(run, task) ? known : undefined;
  const context = await readPromptContext(daemon, run, worktree, task.planned, {
    own: selectVariants(run, task).map(({id, planned: {title}}) => ({task: id, title})),
    given: given?.pieces ?? [],
  });
  const input = await gatherInput(daemon, run, worktree, worker, context);
  const now = toGiven(input, context, hashTask(run, task));
  const prompt =
    given === undefined
      ? composeWorkerPrompt(input)
      : composeWorkerFollowUp({
          ...withoutGiven(input, given),
          messages: selectPromptMessages(task, session).map(({text}) => text),
          givesRules: hasRulesApart || given.rules !== now.rules,
          hasNewRules: given.rules !== now.rules,
        });
  if (session.purpose.for === 'attempt')
    writeGiven(daemon, session, withoutCut(now, prompt), given && conversation);
  return prompt;

  /** The failure, the hint and the note are told once in each attempt. */
  function withoutGiven(all: WorkerPromptInput, {facts, pieces}: Given): WorkerPromptInput {
    const isNew = (value: unknown): boolean => !pieces.includes(hashGiven(value));
    const {repairs, hint, handedBack, unavailable, ...rest} = attempt;
    const {skill, ...others} = all;
    const hashes = hashFacts(all.facts);
    return {
      ...others,
      attempt: {
        ...rest,
        ...(repairs !== undefined && isNew([attempt.number, repairs]) && {repairs}),
        ...(hint !== undefined && isNew([attempt.number, hint]) && {hint}),
        ...(handedBack !== undefined && isNew([attempt.number, handedBack]) && {handedBack}),
        ...(unavailable !== undefined && isNew(['unavailable', unavailable]) && {unavailable}),
      },
      notes: all.notes.filter((note) => isNew(['note', note])),
      facts: all.facts.filter(
        ({name}) => hashes[name] !== undefined && hashes[name] !== facts[name],
      ),
      ...(skill !== undefined && isNew(['skill', skill.body]) && {skill}),
    };
  }
}

async function gatherInput(
  daemon: WorkerPromptContext,
  run: Run,
  worktree: Worktree,
  {session, task, attempt}: WorkerSession,
  context: PromptContext,
): Promise<WorkerPromptInput> {
  const {stage} = run;
  if (stage.at !== 'working') throw new Error(`${run.id} has no approved plan`);
  const {project, notes} = daemon.state();
  const {handedBack} = attempt;
  const isFresh =
    attempt.number === 1 &&
    attempt.interruptions === 0 &&
    attempt.unavailable === undefined &&
    handedBack === undefined;
  const byPerson =
    handedBack === undefined ? undefined : await findChangesByPerson(daemon, session, worktree);
  const changed = isFresh
    ? []
    : (await captureChange(daemon.workspace(), {directory: worktree.path, base: worktree.commit}))
        .change.files;
  const checkLog = copyCheckLog(daemon, task, attempt, session);
  return {
    ...context,
    rules: stage.ground.rules,
    objective: run.request.objective,
    task: task.planned,
    invariants: stage.proposal.plan.invariants,
    checks: selectRunChecks(run),
    attempt,
    changed,
    ...(byPerson === undefined ? {} : {byPerson}),
    ...(checkLog === undefined ? {} : {checkLog}),
    notes: notes.filter(({on}) => on === run.id || on === task.id).map(({text}) => text),
    // A new conversation gets those of an earlier one, too.
    messages: (task.messages ?? [])
      .filter(({fate}) => fate === 'queued' || fate === 'delivered')
      .map(({text}) => text),
    budget: getLimits(project).contextTokens,
  };
}

/** What a worker works on. If it changes, a conversation gets everything again. */
function hashTask(run: Run, {planned}: Task): string {
  const {stage, request} = run;
  const invariants = stage.at === 'working' ? stage.proposal.plan.invariants : [];
  return hashGiven([request.objective, planned, invariants, selectRunChecks(run)]);
}

function selectRunChecks(run: Run): Check[] {
  return selectChecks(run).filter((check) => selectChoice(run, check) !== 'ignore');
}

function toGiven(
  {rules, attempt, notes, facts, skill}: WorkerPromptInput,
  {summaryIds}: PromptContext,
  task: string,
): Given {
  const {number, repairs, hint, handedBack, unavailable} = attempt;
  return {
    rules: hashGiven(rules),
    task,
    facts: hashFacts(facts),
    pieces: [
      ...summaryIds,
      ...notes.map((note) => hashGiven(['note', note])),
      ...[repairs, hint, handedBack].flatMap((one) =>
        one === undefined ? [] : [hashGiven([number, one])],
      ),
      ...(unavailable === undefined ? [] : [hashGiven(['unavailable', unavailable])]),
      ...(skill === undefined ? [] : [hashGiven(['skill', skill.body])]),
    ],
  };
}

/** What was cut from a prompt was not given. */
function withoutCut(given: Given, {parts}: Prompt): Given {
  const isCut = (part: string): boolean => parts.some(({name, isCut: cut}) => name === part && cut);
  return {
    ...given,
    facts: isCut('facts') ? {} : given.facts,
    pieces: isCut('summaries') || isCut('skill') ? [] : given.pieces,
  };
}
