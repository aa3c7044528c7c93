import path from 'node:path';
import {
  type AgentOutcome,
  emptyStream,
  findLostConversation,
  foldStream,
  parseOutcomeFile,
  parseStream,
  selectUsage,
} from '../../agents/index.ts';
import {toPlainOutput} from '../../shared/index.ts';
import {
  type Observation,
  runIdIn,
  selectConversation,
  selectRun,
  selectSession,
  selectSessionAgent,
  type Session,
  type SessionId,
} from '../../domain/index.ts';
import type {EffectHandler} from '../engine/conductor.ts';
import type {
  DaemonDirectory,
  DaemonLog,
  KernelAccess,
  SecretValues,
  SessionFiles,
  StateReader,
} from '../daemon-context.ts';
import {readOutput} from '../sessions/session-screen.ts';
import {tryReadText} from '../../files/index.ts';
import {selectSessionDriver} from '../launch/agent-launch.ts';
import {getExchange, readOutcomeText} from '../launch/exchange.ts';
import {parseReport} from '../../prompts/index.ts';
import {endLeftovers} from './leftovers.ts';

/** More than an agent prints that ends before it draws a screen. */
const maxLostOutputBytes = 64 * 1024;

/**
 * For a takeover whose agent only printed that its conversation does not exist. Reported before the
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
    session?.purpose.for !== 'takeover' ||
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
  context: StateReader & SessionFiles & DaemonDirectory,
  id: SessionId,
  report: Parameters<EffectHandler>[1],
): Promise<void> {
  const session = selectSession(context.state(), id);
  const purpose = session?.purpose;
  if (session === undefined || (purpose?.for !== 'attempt' && purpose?.for !== 'plan')) return;
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
  context: StateReader & SessionFiles & DaemonDirectory & SecretValues & KernelAccess & DaemonLog,
): EffectHandler {
  return async (effect, report) => {
    if (effect.do !== 'read-outcome') return;
    const {task, attempt, session} = effect;
    const run = selectRun(context.state(), runIdIn(task));
    const worked = selectSession(context.state(), session);
    if (run === undefined || worked === undefined)
      throw new Error(`${task} has no session ${session}`);
    await endLeftovers(context, worked);
    const {outcome, output} = await reportOutcome(context, worked, report);
    const {gaveUp} = parseReport(output, context.secrets()).value;
    await report(
      gaveUp !== undefined && outcome.at === 'finished'
        ? {type: 'agent-gave-up', task, attempt, words: gaveUp}
        : toOutcomeObservation(outcome, {task, attempt}, session),
    );
  };
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
