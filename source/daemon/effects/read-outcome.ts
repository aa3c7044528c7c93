import path from 'node:path';
import {
  type AgentOutcome,
  emptyStream,
  findLostConversation,
  outcomeOfError,
  foldStream,
  parseOutcomeFile,
  parseStream,
  selectUsage,
} from '../../agents/index.ts';
import {toPlainOutput} from '../../shared/index.ts';
import {
  isInteractive,
  isLive,
  type Observation,
  type Run,
  runIdIn,
  runIdOfSession,
  selectConversation,
  selectRun,
  selectSession,
  type Session,
  type SessionId,
} from '../../domain/index.ts';
import type {EffectHandler} from '../engine/conductor.ts';
import type {
  DaemonClock,
  DaemonDirectory,
  DaemonLog,
  KernelAccess,
  RunVariables,
  SecretValues,
  SessionFiles,
  StateReader,
  UserAccount,
} from '../daemon-context.ts';
import {readOutput} from '../sessions/session-screen.ts';
import {tryReadText} from '../../files/index.ts';
import {selectDriver} from '../launch/agent-launch.ts';
import {getExchange, readOutcomeText} from '../launch/exchange.ts';
import {parseReport} from '../../prompts/index.ts';
import {reportTranscript} from './read-transcript.ts';
import {endLeftovers} from './leftovers.ts';

/** More than an agent prints that ends before it draws a screen. */
const maxLostOutputBytes = 64 * 1024;

/**
 * For an agent in its own interface that only printed that its conversation does not exist. Reported before the
 * session's end, so that a new one follows at once.
 */
export async function reportLostConversation(
  context: StateReader & SessionFiles,
  id: SessionId,
  report: Parameters<EffectHandler>[1],
): Promise<void> {
  const state = context.state();
  const session = selectSession(state, id);
  const runId = session === undefined ? undefined : runIdOfSession(session);
  const run = runId === undefined ? undefined : selectRun(state, runId);
  if (
    session === undefined ||
    (session.purpose.for !== 'takeover' && !isInteractive(session)) ||
    run === undefined ||
    session.lostConversation === true ||
    selectConversation(state, session) === undefined
  )
    return;
  const text = findLostConversation(
    run.request.worker,
    toPlainOutput(readOutput(context, id, maxLostOutputBytes)),
  );
  if (text !== undefined) await report({type: 'conversation-lost', session: id, words: text});
}

/**
 * Reports the conversation and the token usage of an agent that was killed, so that the next one
 * can continue the conversation. Its outcome is ignored: the agent that continues reports its own.
 */
export async function reportRemains(
  context: StateReader &
    SessionFiles &
    DaemonDirectory &
    Pick<RunVariables, 'env'> &
    Pick<UserAccount, 'home'>,
  id: SessionId,
  report: Parameters<EffectHandler>[1],
): Promise<void> {
  const session = selectSession(context.state(), id);
  const purpose = session?.purpose;
  if (session === undefined || (purpose?.for !== 'attempt' && purpose?.for !== 'plan')) return;
  if (isInteractive(session)) {
    const run = selectRun(context.state(), runIdOfSession(session) ?? 'r0');
    if (run !== undefined) await reportTranscript(context, run, session, report);
    return;
  }

  const text = readOutcomeText(getExchange(context, id));
  const {usage, conversation} =
    (text === undefined ? undefined : parseOutcomeFile(text)) ?? readSavedStream(context, id) ?? {};
  if (usage !== undefined) await report({type: 'usage-counted', session: id, usage}, false);
  if (conversation !== undefined)
    await report({type: 'conversation-known', session: id, conversation}, false);
}

const maxStreamBytes = 16 * 1024 * 1024;

/**
 * Usage and conversation from the raw stream, if the agent was killed before it wrote an outcome.
 */
function readSavedStream(
  context: StateReader & SessionFiles & DaemonDirectory,
  id: SessionId,
): Pick<AgentOutcome, 'usage' | 'conversation'> | undefined {
  const session = selectSession(context.state(), id);
  const runId = session === undefined ? undefined : runIdOfSession(session);
  const run = runId === undefined ? undefined : selectRun(context.state(), runId);
  if (session === undefined || run === undefined) return undefined;
  const {directory, below} = getExchange(context, id);
  try {
    const {stream} = selectDriver(context, run, {
      for: session.purpose.for === 'plan' ? 'plan' : 'attempt',
    });
    // A stream that counts on from an earlier start cannot be read without that start.
    const saved =
      stream === undefined || stream.earlier !== undefined
        ? undefined
        : tryReadText(path.join(directory, 'stream.jsonl'), {maxBytes: maxStreamBytes, below});
    if (stream === undefined || saved === undefined) return undefined;
    const state = parseStream(stream, saved.split('\n')).reduce(foldStream, emptyStream);
    const usage = selectUsage(state);
    return {
      ...(usage !== undefined && {usage}),
      ...(state.conversation !== undefined && {conversation: state.conversation}),
    };
  } catch {
    return undefined;
  }
}

const maxPrintedBytes = 1024 * 1024;
/** A plan is short, so earlier output need not be read. */
const maxPlanBytes = 2 * 1024 * 1024;

/** Reads how an agent says its attempt ended. Only its worktree proves it. */
export function readOutcome(
  context: StateReader &
    SessionFiles &
    DaemonDirectory &
    SecretValues &
    KernelAccess &
    DaemonLog &
    DaemonClock &
    Pick<RunVariables, 'env'> &
    Pick<UserAccount, 'home'>,
): EffectHandler {
  return async (effect, report) => {
    if (effect.do !== 'read-outcome') return;
    const {task, attempt, session} = effect;
    const run = selectRun(context.state(), runIdIn(task));
    const worked = selectSession(context.state(), session);
    if (run === undefined || worked === undefined)
      throw new Error(`${task} has no session ${session}`);
    const isOpen = isLive(worked);
    if (!isOpen) await endLeftovers(context, worked);
    if (isInteractive(worked)) await reportTranscript(context, run, worked, report);
    const {outcome, output} = isInteractive(worked)
      ? readTurnOutcome(context, run, worked)
      : await reportOutcome(context, run, worked, report);
    const {gaveUp} = parseReport(output, context.secrets()).value;
    await report(
      gaveUp !== undefined && outcome.at === 'finished'
        ? {type: 'agent-gave-up', task, attempt, words: gaveUp}
        : toOutcomeObservation(outcome, {task, attempt}, session),
    );
  };
}

/**
 * How the last turn of an agent in its own interface ended. Its screen is no output, so only its
 * own message counts, and what it printed where it ended with an error.
 */
function readTurnOutcome(
  context: StateReader & SessionFiles & DaemonClock,
  run: Run,
  {id, life, turn}: Session,
): {readonly outcome: AgentOutcome; readonly output: string} {
  const {words = '', error} = turn ?? {};
  const hasFailed = error !== undefined || (life.at === 'exited' && life.code !== 0);
  if (!hasFailed) return {outcome: {at: 'finished', words}, output: words};
  const driver = selectDriver(context, run, {for: 'attempt'});
  if (error !== undefined) {
    const end = {agent: driver.name, account: driver.account ?? ''};
    return {outcome: outcomeOfError(error, end, context.now()), output: error};
  }

  const output = toPlainOutput(readOutput(context, id, maxLostOutputBytes));
  const code = life.at === 'exited' ? life.code : null;
  return {outcome: driver.readOutcome({code, output}), output};
}

/**
 * How the agent of a session says that it ended, and what it printed. Reports the tokens that it
 * used and its conversation.
 */
export async function reportOutcome(
  context: StateReader & SessionFiles & DaemonDirectory,
  run: Run,
  {id: session, life, purpose}: Session,
  report: Parameters<EffectHandler>[1],
): Promise<{readonly outcome: AgentOutcome; readonly output: string}> {
  const isPlan = purpose.for === 'plan';
  const output = toPlainOutput(
    readOutput(context, session, isPlan ? maxPlanBytes : maxPrintedBytes),
  );
  const text = readOutcomeText(getExchange(context, session));
  const outcome = selectDriver(context, run, {for: isPlan ? 'plan' : 'attempt'}).readOutcome({
    code: life.at === 'exited' ? life.code : null,
    output,
    ...(text === undefined ? {} : {outcome: text}),
  });
  const {usage, conversation} = outcome;
  if (usage !== undefined) await report({type: 'usage-counted', session, usage}, false);
  if (conversation !== undefined)
    await report({type: 'conversation-known', session, conversation}, false);
  return {outcome, output};
}

function toOutcomeObservation(
  outcome: AgentOutcome,
  of: {readonly task: `r${number}.t${number}`; readonly attempt: number},
  session: SessionId,
): Observation {
  const {words} = outcome;
  switch (outcome.at) {
    case 'finished':
      return {
        type: 'agent-finished',
        ...of,
        words,
        ...(outcome.denied === undefined ? {} : {denied: outcome.denied}),
      };
    case 'gave-up':
      return {type: 'agent-gave-up', ...of, words};
    case 'failed':
      return {type: 'agent-failed', ...of, words};
    case 'interrupted':
      return {type: 'attempt-interrupted', ...of, session, words};
    case 'conversation-lost':
      return {type: 'conversation-lost', session, words};
    case 'unavailable':
      return outcome.until === undefined
        ? {type: 'agent-unavailable', words}
        : {type: 'attempt-paused', ...of, until: outcome.until, words};
  }
}
