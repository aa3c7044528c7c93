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
  type TranscriptSummary,
} from '../../agents/index.ts';
import {toPlainOutput} from '../../shared/index.ts';
import {
  isInteractive,
  isLive,
  type Observation,
  runIdIn,
  selectAttempt,
  selectConversation,
  selectRun,
  selectSession,
  selectSessionAgent,
  selectTask,
  type Session,
  type SessionId,
  type State,
  type TaskId,
} from '../../domain/index.ts';
import type {EffectHandler} from '../engine/conductor.ts';
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
import {readSignalLines} from '../sessions/agent-signals.ts';
import {readOutput} from '../sessions/session-screen.ts';
import {tryReadText} from '../../files/index.ts';
import {selectFallbacksHere} from '../launch/agents-here.ts';
import {selectSessionDriver} from '../launch/agent-launch.ts';
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
  const chosen = session === undefined ? undefined : selectSessionAgent(state, session);
  if (
    session === undefined ||
    (session.purpose.for !== 'takeover' && !isInteractive(session)) ||
    chosen === undefined ||
    session.lostConversation === true ||
    selectConversation(state, session) === undefined
  )
    return;
  const text = findLostConversation(
    chosen.agent,
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
    const conversation = session.conversation ?? readSignalledConversation(context, session);
    if (conversation === undefined) return;
    if (conversation !== session.conversation)
      await report({type: 'conversation-known', session: id, conversation}, false);
    await reportTranscript(context, {...session, conversation}, report);
    return;
  }

  const text = readOutcomeText(getExchange(context, id));
  const {usage, conversation} =
    (text === undefined ? undefined : parseOutcomeFile(text)) ?? readSavedStream(context, id) ?? {};
  if (usage !== undefined) await report({type: 'usage-counted', session: id, usage}, false);
  if (conversation !== undefined)
    await report({type: 'conversation-known', session: id, conversation}, false);
}

/** It may have been killed before its first signals were handled. */
function readSignalledConversation(
  context: StateReader & SessionFiles & DaemonDirectory,
  session: Session,
): string | undefined {
  const {interactive} = selectSessionDriver(context, session).driver;
  return readSignalLines(context, session.id)
    .map((line) => interactive?.parseSignal(line)?.conversation)
    .find((conversation) => conversation !== undefined);
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
  if (session === undefined) return undefined;
  const {directory, below} = getExchange(context, id);
  try {
    const {stream} = selectSessionDriver(context, session).driver;
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
    RunVariables &
    Pick<RepositoryAccess, 'root'> &
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
    const {outcome, output} = isInteractive(worked)
      ? readTurnOutcome(
          context,
          worked,
          await reportTranscript(context, worked, report),
          isCheckAsked(context.state(), task),
        )
      : await reportOutcome(context, worked, report);
    const {gaveUp} = parseReport(output, context.secrets()).value;
    await report(
      gaveUp !== undefined && outcome.at === 'finished'
        ? {type: 'agent-gave-up', task, attempt, words: gaveUp}
        : toOutcomeObservation(outcome, {task, attempt}, session, () =>
            selectFallbacksHere(context, run),
          ),
    );
  };
}

function isCheckAsked(state: State, id: TaskId): boolean {
  const task = selectTask(state, id);
  return task !== undefined && selectAttempt(task)?.isCheckAsked === true;
}

/**
 * How the last turn of an agent in its own interface ended. Its screen is no output, so only its
 * own message counts, and what it printed where it ended with an error. Some agents report the
 * message or the reason only in their own record.
 */
export function readTurnOutcome(
  context: StateReader & SessionFiles & DaemonClock,
  worked: Session,
  summary: TranscriptSummary,
  isAsked = false,
): {readonly outcome: AgentOutcome; readonly output: string} {
  const {id, life, turn} = worked;
  const {words = summary.words ?? ''} = turn ?? {};
  // A person asked to check what there is, however the agent ended.
  if (isAsked) return {outcome: {at: 'finished', words}, output: ''};
  const error = summary.error ?? turn?.error;
  const hasFailed = error !== undefined || (life.at === 'exited' && life.code !== 0);
  if (!hasFailed) return {outcome: {at: 'finished', words}, output: words};
  const {driver} = selectSessionDriver(context, worked);
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
  worked: Session,
  report: Parameters<EffectHandler>[1],
): Promise<{readonly outcome: AgentOutcome; readonly output: string}> {
  const {id: session, life, purpose} = worked;
  const isPlan = purpose.for === 'plan';
  const output = toPlainOutput(
    readOutput(context, session, isPlan ? maxPlanBytes : maxPrintedBytes),
  );
  const text = readOutcomeText(getExchange(context, session));
  const outcome = selectSessionDriver(context, worked).driver.readOutcome({
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
  fallbacks: () => ReturnType<typeof selectFallbacksHere>,
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
        ? {type: 'agent-unavailable', words, ...fallbacks()}
        : {type: 'attempt-paused', ...of, until: outcome.until, words, ...fallbacks()};
  }
}
