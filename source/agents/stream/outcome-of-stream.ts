import type {Usage} from '../../domain/index.ts';
import type {AgentOutcome} from '../driver.ts';
import {lostConversationIn} from '../lost-conversation-in.ts';
import {signalInExit, tellsOfKill} from '../signal-in-exit.ts';
import {type StreamState, usageOf} from './fold-stream.ts';
import {resetTimeIn} from './reset-time-in.ts';
import type {Problem} from './stream-event.ts';

export type StreamEnd = {
  readonly agent: string;
  /** What a person does who has no account yet. */
  readonly account: string;
  readonly code: number | null;
  /** Who asked it to stop, or what ended it. */
  readonly signal?: string;
  /** The last it said outside of its stream. */
  readonly lastWords?: string;
  /** It said them after its stream had begun: what is said before that are notices of a start. */
  readonly hasLateWords?: boolean;
  readonly before?: Usage;
  readonly now: number;
};

/** A service that fails is asked again after so long: its agent has tried by itself before. */
export const overloadPause = 5 * 60_000;

/** What came of a start, as far as its stream and its exit status tell. Exit code 0 without an answer is no success. */
export function outcomeOfStream(state: StreamState, end: StreamEnd): AgentOutcome {
  const {agent, code, signal, lastWords, now} = end;
  const usage = usageOf(state, end.before);
  const heard = {
    ...(usage !== undefined && {usage}),
    ...(state.conversation !== undefined && {conversation: state.conversation}),
  };
  const by = signal ?? signalInExit(code);
  // One that it lived through is none.
  if (by !== undefined && !(code === 0 && state.isDone))
    return {at: 'interrupted', words: `${agent} was stopped by ${by}.`, ...heard};
  const lost = lostIn(state, end, usage);
  // Its name is none to go on with: some repeat it as they refuse it.
  if (lost !== undefined)
    return {
      at: 'conversation-lost',
      words: `${agent} has not kept its conversation: ${lost}`,
      ...(usage !== undefined && {usage}),
    };
  if (state.problem !== undefined) return {...outcomeOfProblem(state.problem, end, now), ...heard};
  if (code === 0 && state.isDone)
    return {
      at: 'finished',
      words: wordsOf(state.answer),
      ...heard,
      ...(state.denied.length > 0 && {denied: state.denied}),
    };
  const why = lastWords === undefined ? '' : ` The last it said: ${lastWords}`;
  // Without a single record it never came so far as to ask a model; its words may still tell why.
  const guess =
    state.conversation === undefined && lastWords !== undefined ? accountTrouble(lastWords) : false;
  if (guess)
    return {
      at: 'unavailable',
      words: `${agent} has no account here: ${lastWords ?? ''} ${end.account}`,
      ...heard,
    };
  if (isCutOff(state, end))
    return {
      at: 'interrupted',
      words: `${agent} was ended in the middle of its stream.${why}`,
      ...heard,
    };
  if (code === 0)
    return {at: 'failed', words: `${agent} ended without finishing its answer.${why}`, ...heard};
  return {
    at: 'failed',
    words: `${agent} ended with exit code ${String(code)} before it finished.${why}`,
    ...heard,
  };
}

/**
 * Its stream began and has no end, and it said no word of why: whoever ends by itself says so, in the stream or on standard error. So
 * it is when the process that does the work is killed below a program that started it and passes on no signal, some even with exit code 0.
 */
function isCutOff(
  {conversation, hasBegun, isDone}: StreamState,
  {lastWords, hasLateWords}: StreamEnd,
): boolean {
  if (isDone || (conversation === undefined && !hasBegun)) return false;
  return hasLateWords !== true || (lastWords !== undefined && tellsOfKill(lastWords));
}

/** Before it asked its service for anything: what that refuses has a kind of its own, and tokens were not used. */
function lostIn(
  {hasBegun, isDone, problem}: StreamState,
  {agent, code, lastWords}: StreamEnd,
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
    return problem.kind === 'model-error' ? lostConversationIn(agent, problem.said) : undefined;
  return lastWords === undefined ? undefined : lostConversationIn(agent, lastWords);
}

function outcomeOfProblem(
  problem: Problem,
  {agent, account}: StreamEnd,
  now: number,
): AgentOutcome {
  const {kind, said} = problem;
  const until = problem.until ?? resetTimeIn(said, now);
  const words = (why: string): string =>
    `${agent} ${why}: ${said === '' ? 'it did not say why' : said.slice(0, 1000)}`;
  switch (kind) {
    case 'no-account':
      return {at: 'unavailable', words: `${words('has no account here')} ${account}`};
    case 'limit':
      return {
        at: 'unavailable',
        words: words('has reached a limit'),
        ...(until !== undefined && {until}),
      };
    case 'overload':
      return {
        at: 'unavailable',
        words: words('cannot reach its service, or it is too busy'),
        until: until ?? now + overloadPause,
      };
    case 'no-model':
      return {at: 'unavailable', words: words('cannot have that model')};
    case 'too-long':
      return {at: 'failed', words: words('has more in its conversation than the model can take')};
    case 'aborted':
      return {at: 'interrupted', words: words('was interrupted')};
    case 'model-error':
      return {at: 'failed', words: words('got an error from its service')};
  }
}

function accountTrouble(said: string): boolean {
  return /log ?in|api key|auth/i.test(said);
}

/** The last of the answer: what a person reads first. */
function wordsOf(answer: string): string {
  return answer.trim().slice(-mostCharacters);
}

const mostCharacters = 4000;
