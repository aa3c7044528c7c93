import {without} from '../../shared/index.ts';
import type {Usage} from '../../domain/index.ts';
import {isConversationId} from './fields.ts';
import type {AgentProblem, StreamEvent, ToolCall} from './agent-stream.ts';

/** What the stream of one start has shown so far. */
export type StreamState = {
  readonly conversation?: string;
  /** The text since the last tool call, or the final answer. */
  readonly answer: string;
  readonly steps: Readonly<Record<string, Usage>>;
  readonly start?: Usage;
  /** Usage of the whole conversation, including earlier starts. */
  readonly whole?: Usage;
  /** The agent has produced a text, a thought or a tool call. */
  readonly hasBegun: boolean;
  readonly isDone: boolean;
  /** The last problem that was not followed by success. */
  readonly problem?: AgentProblem;
  /** Tool calls that have ended, and how many of them failed. */
  readonly tools: {readonly ended: number; readonly failed: number};
  /** Calls that have started and not ended. */
  readonly open: readonly {readonly id: string; readonly what: string; readonly isWrite: boolean}[];
  /** What the agent was not allowed to do, or could not write. */
  readonly denied: readonly string[];
};

export const emptyStream: StreamState = {
  answer: '',
  steps: {},
  hasBegun: false,
  isDone: false,
  tools: {ended: 0, failed: 0},
  open: [],
  denied: [],
};

export function foldStream(state: StreamState, event: StreamEvent): StreamState {
  switch (event.type) {
    case 'session':
      return isConversationId(event.id) ? {...state, conversation: event.id} : state;
    case 'text':
      return {
        ...state,
        answer: joined(state.answer, event.text, event.isPart === true && event.begins !== true),
        hasBegun: true,
        isDone: false,
      };
    case 'tool-announced':
      return {...state, answer: '', hasBegun: true, isDone: false};
    case 'tool-started':
      return {
        ...state,
        answer: '',
        hasBegun: true,
        isDone: false,
        open: [...state.open, toOpenCall(event)].slice(-maxOpenCalls),
      };
    // Calls are counted at their end: some are announced twice, and some never end.
    case 'tool-ended':
      return {
        ...state,
        hasBegun: true,
        tools: {
          ended: state.tools.ended + 1,
          failed: state.tools.failed + (event.isOk ? 0 : 1),
        },
        ...withDenied(state, event),
      };
    case 'usage':
      return withUsage(state, event);
    case 'problem':
      // Keeps a known reset time, because later messages rarely repeat it.
      return {
        ...state,
        isDone: false,
        problem: {
          ...(state.problem?.until !== undefined && {until: state.problem.until}),
          ...event.problem,
        },
      };
    case 'done':
      return {
        ...without(state, 'problem'),
        isDone: true,
        ...(event.text !== undefined && event.text.trim() !== '' && {answer: event.text}),
      };
    case 'thought':
      return {...state, hasBegun: true};
    case 'notice':
    case 'retry':
    case 'read':
    case 'turn-ended':
    case 'writing':
      return state;
  }
}

const maxOpenCalls = 50;
const maxDenied = 3;

function toOpenCall({id, name, about, files = []}: ToolCall): StreamState['open'][number] {
  return {
    id,
    what: `${name} ${about}`.trim().replaceAll(/\s+/g, ' ').slice(0, 200),
    isWrite: files.length > 0,
  };
}

/**
 * A failed write always counts as denied. Any other failed call counts only if its message says so.
 */
function withDenied(
  {open, denied}: StreamState,
  {id, isOk, text}: Extract<StreamEvent, {readonly type: 'tool-ended'}>,
): Pick<StreamState, 'open' | 'denied'> {
  const call = open.find((one) => one.id === id);
  const rest = open.filter((one) => one !== call);
  if (call === undefined || isOk || !(call.isWrite || mentionsDenial.test(text)))
    return {open: rest, denied};
  const why = (text.trim().split('\n', 1)[0] ?? '').slice(0, 300);
  return {
    open: rest,
    denied: [...denied, why === '' ? call.what : `${call.what}: ${why}`].slice(0, maxDenied),
  };
}

const mentionsDenial =
  /permission|denied|not allowed|not permitted|haven't granted|rejected by|read-only file system|\bE(?:ACCES|PERM|ROFS)\b/i;

function joined(before: string, text: string, isPart: boolean): string {
  return (before === '' || isPart ? `${before}${text}` : `${before}\n\n${text}`).slice(
    -maxCharacters,
  );
}

/** A plan is at the end of the answer, and shorter than this. */
const maxCharacters = 1024 * 1024;

function withUsage(
  state: StreamState,
  {usage, of}: Extract<StreamEvent, {readonly type: 'usage'}>,
): StreamState {
  switch (of.what) {
    case 'step': {
      // A message is counted when it starts and when it is complete; the larger count wins.
      const name = `step ${of.name}`;
      const before = state.steps[name];
      return {
        ...state,
        steps: {
          ...state.steps,
          [name]:
            before === undefined
              ? usage
              : {
                  ...usage,
                  input: Math.max(usage.input, before.input),
                  output: Math.max(usage.output, before.output),
                },
        },
      };
    }

    case 'start':
      return {...state, start: usage};
    case 'conversation':
      return {...state, whole: usage};
  }
}

/** The usage of this start. `before` is the usage of the conversation when it started. */
export function selectUsage(
  {steps, start, whole}: StreamState,
  before: Usage = {input: 0, output: 0},
): Usage | undefined {
  if (whole !== undefined)
    return {
      input: Math.max(0, whole.input - before.input),
      output: Math.max(0, whole.output - before.output),
    };
  if (start !== undefined) return start;
  const all = Object.values(steps);
  if (all.length === 0) return undefined;
  const cost = all.reduce((sum, one) => sum + (one.cost ?? 0), 0);
  return {
    input: all.reduce((sum, one) => sum + one.input, 0),
    output: all.reduce((sum, one) => sum + one.output, 0),
    ...(all.some((one) => one.cost !== undefined) && {cost}),
  };
}
