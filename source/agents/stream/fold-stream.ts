import {without} from '../../base/index.ts';
import type {Usage} from '../../domain/index.ts';
import type {Problem, StreamEvent, ToolCall} from './stream-event.ts';

/** What is known of a start so far. */
export type StreamState = {
  readonly conversation?: string;
  /** What it said since its last tool call, or its final answer. */
  readonly answer: string;
  readonly steps: Readonly<Record<string, Usage>>;
  readonly start?: Usage;
  /** Of the whole conversation, with what was used before. */
  readonly whole?: Usage;
  /** It said, thought or did something. */
  readonly hasBegun: boolean;
  readonly isDone: boolean;
  /** What has not been overcome. */
  readonly problem?: Problem;
  readonly tools: {readonly called: number; readonly failed: number};
  /** Calls that write a file, or run a command, and have not ended. */
  readonly open: readonly {readonly id: string; readonly what: string; readonly isWrite: boolean}[];
  /** What it wanted to do and was not allowed to, or could not write. */
  readonly denied: readonly string[];
};

export const emptyStream: StreamState = {
  answer: '',
  steps: {},
  hasBegun: false,
  isDone: false,
  tools: {called: 0, failed: 0},
  open: [],
  denied: [],
};

export function foldStream(state: StreamState, event: StreamEvent): StreamState {
  switch (event.type) {
    case 'session':
      return isName(event.id) ? {...state, conversation: event.id} : state;
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
        open: [...state.open, openCallOf(event)].slice(-maxOpenCalls),
      };
    // Counted at their end: some are announced twice, and some never end.
    case 'tool-ended':
      return {
        ...state,
        hasBegun: true,
        tools: {called: state.tools.called + 1, failed: state.tools.failed + (event.isOk ? 0 : 1)},
        ...withDenied(state, event),
      };
    case 'usage':
      return withUsage(state, event);
    case 'problem':
      // A time once told is kept: the words that follow it seldom repeat it.
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
    case 'writing':
      return state;
  }
}

const maxOpenCalls = 50;
const maxDenied = 3;

function openCallOf({id, name, about, files = []}: ToolCall): StreamState['open'][number] {
  return {
    id,
    what: `${name} ${about}`.trim().replaceAll(/\s+/g, ' ').slice(0, 200),
    isWrite: files.length > 0,
  };
}

/** A write that failed was not done, whatever it says. Of any other call its words have to tell that it was not allowed. */
function withDenied(
  {open, denied}: StreamState,
  {id, isOk, text}: Extract<StreamEvent, {readonly type: 'tool-ended'}>,
): Pick<StreamState, 'open' | 'denied'> {
  const call = open.find((one) => one.id === id);
  const rest = open.filter((one) => one !== call);
  if (call === undefined || isOk || !(call.isWrite || tellsOfDenial.test(text)))
    return {open: rest, denied};
  const why = (text.trim().split('\n', 1)[0] ?? '').slice(0, 300);
  return {
    open: rest,
    denied: [...denied, why === '' ? call.what : `${call.what}: ${why}`].slice(0, maxDenied),
  };
}

const tellsOfDenial =
  /permission|denied|not allowed|not permitted|haven't granted|rejected by|read-only file system|\bE(?:ACCES|PERM|ROFS)\b/i;

/** It comes back as an argument: nothing that could be taken for an option. */
function isName(id: string): boolean {
  return /^[A-Za-z0-9][\w.:-]{0,199}$/.test(id);
}

function joined(before: string, text: string, isPart: boolean): string {
  return (before === '' || isPart ? `${before}${text}` : `${before}\n\n${text}`).slice(
    -mostCharacters,
  );
}

/** A plan is at the end of an answer, and is shorter. */
const mostCharacters = 1024 * 1024;

function withUsage(
  state: StreamState,
  {usage, of}: Extract<StreamEvent, {readonly type: 'usage'}>,
): StreamState {
  switch (of.what) {
    case 'step': {
      // Said again it is never less: a message is counted when it begins, and when it is whole.
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

/** What this start used. `before` is what the conversation had used when it began. */
export function usageOf(
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
