import type {Usage} from '../../domain/index.ts';
import type {AgentOutcome} from '../driver.ts';
import {findLostConversation} from '../agents.ts';
import {mentionsKill, signalInExit} from '../parse-outcome.ts';
import {selectUsage, type StreamState} from './fold-stream.ts';
import {classifyProblem, parseResetTime} from './service-errors.ts';
import type {AgentProblem} from './agent-stream.ts';

export type StreamEnd = {
  readonly agent: string;
  /** How to log in, as a sentence. */
  readonly account: string;
  readonly code: number | null;
  /** The signal that was passed to it, or that ended it. */
  readonly signal?: string;
  /** The last line on standard error. */
  readonly lastText?: string;
  /** Standard error had a line after the stream had started. Earlier lines are startup notices. */
  readonly hasTrailingText?: boolean;
  readonly before?: Usage;
  readonly now: number;
};

/** How long to wait before calling a failing service again; the agent has already retried. */
export const overloadPause = 5 * 60_000;

/**
 * The outcome of a start, from its stream and exit status. Exit code 0 without an answer is no
 * success.
 */
export function outcomeOfStream(state: StreamState, end: StreamEnd): AgentOutcome {
  const {agent, code, signal, lastText, now} = end;
  const usage = selectUsage(state, end.before);
  const common = {
    ...(usage !== undefined && {usage}),
    ...(state.conversation !== undefined && {conversation: state.conversation}),
  };
  const by = signal ?? signalInExit(code);
  // A signal does not count if the agent finished in spite of it.
  if (by !== undefined && !(code === 0 && state.isDone))
    return {at: 'interrupted', words: `${agent} was stopped by ${by}.`, ...common};
  const lost = findLost(state, end, usage);
  // The conversation id is left out: some agents repeat the id that they reject.
  if (lost !== undefined)
    return {
      at: 'conversation-lost',
      words: `${agent} has lost its conversation: ${lost}`,
      ...(usage !== undefined && {usage}),
    };
  if (state.problem !== undefined) return {...outcomeOfProblem(state.problem, end, now), ...common};
  if (code === 0 && state.isDone)
    return {
      at: 'finished',
      words: answerEnd(state.answer),
      ...common,
      ...(state.denied.length > 0 && {denied: state.denied}),
    };
  const why = lastText === undefined ? '' : ` Its last output: ${lastText}`;
  // Without a single record the agent never called a model; its last line may still say why.
  if (state.conversation === undefined && lastText !== undefined && mentionsAccount(lastText))
    return {
      at: 'unavailable',
      words: `${agent} has no account here: ${lastText} ${end.account}`,
      ...common,
    };
  if (isCutOff(state, end))
    return {
      at: 'interrupted',
      words: `${agent} ended in the middle of its stream.${why}`,
      ...common,
    };
  if (code === 0)
    return {at: 'failed', words: `${agent} ended without finishing its answer.${why}`, ...common};
  return {
    at: 'failed',
    words: `${agent} exited with code ${String(code)} before it finished.${why}`,
    ...common,
  };
}

/**
 * The stream started, has no end, and there is no reason on standard error. An agent that ends by
 * itself reports it. This happens when the working process is killed below a wrapper that passes on
 * no signal, sometimes even with exit code 0.
 */
function isCutOff(
  {conversation, hasBegun, isDone}: StreamState,
  {lastText, hasTrailingText}: StreamEnd,
): boolean {
  if (isDone || (conversation === undefined && !hasBegun)) return false;
  return hasTrailingText !== true || (lastText !== undefined && mentionsKill(lastText));
}

/**
 * The message about a lost conversation. Only before the agent called its service: then it has used
 * no tokens.
 */
function findLost(
  {hasBegun, isDone, problem}: StreamState,
  {agent, code, lastText}: StreamEnd,
  usage: Usage | undefined,
): string | undefined {
  if (
    code === 0 ||
    code === null ||
    hasBegun ||
    isDone ||
    (usage !== undefined && usage.input + usage.output > 0)
  )
    return undefined;
  if (problem !== undefined)
    return problem.kind === 'model-error' ? findLostConversation(agent, problem.said) : undefined;
  return lastText === undefined ? undefined : findLostConversation(agent, lastText);
}

/** The outcome of a turn that ended with this message of the agent or its service. */
export function outcomeOfError(
  text: string,
  end: Pick<StreamEnd, 'agent' | 'account'>,
  now: number,
): AgentOutcome {
  return outcomeOfProblem(classifyProblem(text), end, now);
}

function outcomeOfProblem(
  problem: AgentProblem,
  {agent, account}: Pick<StreamEnd, 'agent' | 'account'>,
  now: number,
): AgentOutcome {
  const {kind, said} = problem;
  const until = problem.until ?? parseResetTime(said, now);
  const formatText = (why: string): string =>
    `${agent} ${why}: ${said === '' ? 'it gave no reason' : said.slice(0, 1000)}`;
  switch (kind) {
    case 'no-account':
      return {at: 'unavailable', words: `${formatText('has no account here')} ${account}`};
    case 'limit':
      return {
        at: 'unavailable',
        words: formatText('has reached a limit'),
        ...(until !== undefined && {until}),
      };
    case 'overload':
      return {
        at: 'unavailable',
        words: formatText('cannot reach its service, or it is too busy'),
        until: until ?? now + overloadPause,
      };
    case 'no-model':
      return {at: 'unavailable', words: formatText('has no access to that model')};
    case 'too-long':
      return {
        at: 'failed',
        words: formatText('has a conversation that exceeds the context of the model'),
      };
    case 'aborted':
      return {at: 'interrupted', words: formatText('was interrupted')};
    case 'model-error':
      return {at: 'failed', words: formatText('got an error from its service')};
  }
}

function mentionsAccount(text: string): boolean {
  return /log ?in|api key|auth/i.test(text);
}

/** The end of the answer, which a person reads first. */
function answerEnd(answer: string): string {
  return answer.trim().slice(-maxCharacters);
}

const maxCharacters = 4000;
