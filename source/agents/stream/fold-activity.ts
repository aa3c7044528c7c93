import {without} from '../../base/index.ts';
import {noUsage, type Usage} from '../../domain/index.ts';
import {
  foldLoops,
  type LoopSign,
  type LoopState,
  loopSignsOf,
  noLoops,
} from '../loops/fold-loops.ts';
import {toolKindOf, type ToolUse} from '../loops/tool-use.ts';
import type {StreamEvent, ToolCall} from './stream-event.ts';

/** What an agent is doing just now, as its stream tells it. It is left beside the outcome while it runs, and read by whoever watches it. */
export type Activity = {
  /** How often it did or said something. Notices, and that its service is asked again, are none of it. */
  readonly progress: number;
  /** What this start has used so far. */
  readonly usage?: Usage;
  /** Its service fails, and it asks again. */
  readonly retry?: ActivityRetry;
  /** Calls of tools that have begun and not ended: their processes work for it. Absent where the stream tells of a call only when it is over. */
  readonly running?: number;
  readonly loops: readonly LoopSign[];
};

export type ActivityRetry = {
  readonly since: number;
  readonly times: number;
  readonly said: string;
  readonly status?: number;
};

export type ActivityState = {
  readonly progress: number;
  readonly usage: Usage;
  readonly retry?: ActivityRetry;
  readonly open: ReadonlyMap<string, ToolCall>;
  /** It tells when a call begins. */
  readonly announces: boolean;
  readonly loops: LoopState;
};

export function noActivity(announces = true): ActivityState {
  return {progress: 0, usage: noUsage, open: new Map(), announces, loops: noLoops};
}

/** What is in the files that a call wrote, by digest; nothing for one that cannot be read. */
export type ReadContents = (files: readonly string[]) => NonNullable<ToolUse['written']>;

export type ActivityOptions = {
  readonly at: number;
  /** What this start has used, with this event. */ readonly usage?: Usage | undefined;
  readonly contentsOf: ReadContents;
};

const maxOpen = 100;

export function foldActivity(
  state: ActivityState,
  event: StreamEvent,
  {at, usage, contentsOf}: ActivityOptions,
): ActivityState {
  switch (event.type) {
    case 'session':
    case 'notice':
    case 'problem':
      return state;
    case 'retry':
      return {...state, retry: retryOf(state.retry, event, at)};
    case 'usage':
      // A message that failed is counted, too, with nothing.
      return usage === undefined ||
        usage.input + usage.output <= state.usage.input + state.usage.output
        ? state
        : {...progressed(state), usage};
    case 'tool-started':
      return {
        ...progressed(state),
        open: new Map([...state.open, [event.id, event] as const].slice(-maxOpen)),
      };
    case 'tool-ended':
      return endCall(progressed(state), event, at, contentsOf);
    case 'text':
    case 'thought':
    case 'tool-announced':
    case 'writing':
    case 'done':
      return progressed(state);
  }
}

/** What is left of it for others: few and short. */
export function activityOf({
  progress,
  usage,
  retry,
  open,
  announces,
  loops,
}: ActivityState): Activity {
  const worst = loopSignsOf(loops)
    .toSorted((a, b) => b.times / b.weight - a.times / a.weight)
    .slice(0, maxLoops);
  return {
    progress,
    ...(usage.input + usage.output > 0 && {usage}),
    ...(retry !== undefined && {retry}),
    ...(announces && {running: open.size}),
    loops: worst,
  };
}

const maxLoops = 8;

function progressed(state: ActivityState): ActivityState {
  return {...without(state, 'retry'), progress: state.progress + 1};
}

function retryOf(
  before: ActivityRetry | undefined,
  {said, status, attempt}: Extract<StreamEvent, {readonly type: 'retry'}>,
  at: number,
): ActivityRetry {
  const times = Math.max((before?.times ?? 0) + 1, attempt ?? 0);
  return {
    since: before?.since ?? at,
    times: Math.min(times, 1_000_000),
    said: said.slice(0, 500),
    ...(status !== undefined && {status}),
  };
}

function endCall(
  state: ActivityState,
  {id, isOk, text}: Extract<StreamEvent, {readonly type: 'tool-ended'}>,
  at: number,
  contentsOf: ReadContents,
): ActivityState {
  const call = state.open.get(id);
  if (call === undefined) return state;
  const kind = toolKindOf(call);
  const written = kind === 'edit' && isOk ? contentsOf(call.files ?? []) : [];
  const use: ToolUse = {
    what: `${call.name} ${call.about}`.replaceAll(/\s+/g, ' ').trim().slice(0, 200),
    kind,
    isError: !isOk,
    result: text,
    ...(call.digest !== undefined && {digest: `${call.name} ${call.digest}`}),
    ...(written.length > 0 && {written}),
  };
  return {
    ...state,
    open: new Map([...state.open].filter(([one]) => one !== id)),
    loops: foldLoops(state.loops, use, at),
  };
}
