import {noUsage, type Usage} from '../../domain/index.ts';
import {
  classifyTool,
  foldLoops,
  type StreamLoopKind,
  type LoopSign,
  type LoopState,
  noLoops,
  selectLoopSigns,
  type ToolUse,
} from './loops.ts';
import {asFields, asList, asText, type Fields, isAmount, parseUsage} from './fields.ts';
import {without} from '../../shared/index.ts';
import type {StreamEvent, ToolCall} from './agent-stream.ts';

/**
 * In the directory of the outcome. `agent-runner` writes it; an agent that a project declares may
 * write it, too.
 */
export const activityFileName = 'activity.json';

/** The largest activity file that is read. */
export const maxActivityBytes = 64 * 1024;

/**
 * Parses an activity file, such as `{"usage": {"input": 1000, "output": 200}}`. A field of the
 * wrong shape is left out.
 */
export function parseActivityFile(text: string): Activity | undefined {
  if (text.length > maxActivityBytes) return undefined;
  let file: Fields;
  try {
    file = asFields(JSON.parse(text));
  } catch {
    return undefined;
  }

  const [usage, retry, running] = [
    parseUsage(asFields(file['usage']), countLimit),
    parseRetry(asFields(file['retry'])),
    file['running'],
  ];
  return {
    progress: isCount(file['progress']) ? file['progress'] : 0,
    ...(usage !== undefined && {usage}),
    ...(retry !== undefined && {retry}),
    ...(isCount(running) && {running}),
    loops: asList(file['loops'])
      .slice(0, 8)
      .flatMap((one) => parseSign(asFields(one)) ?? []),
  };
}

const kinds: readonly StreamLoopKind[] = ['same-calls', 'same-failures', 'undone-edits'];

function parseSign({kind, key, what, times, weight, since}: Fields): LoopSign | undefined {
  const known = kinds.find((one) => one === kind);
  if (known === undefined || asText(key) === '' || !isCount(times) || !isCount(since))
    return undefined;
  return {
    kind: known,
    key: asText(key).slice(0, 300),
    what: asText(what).slice(0, 200),
    times,
    weight: isCount(weight) && weight >= 1 ? weight : 1,
    since,
  };
}

function parseRetry({since, times, said, status}: Fields): ActivityRetry | undefined {
  if (!isCount(since) || !isCount(times) || times < 1) return undefined;
  return {
    since,
    times,
    said: asText(said).slice(0, 500),
    ...(isCount(status) && status >= 100 && status < 1000 && {status}),
  };
}

function isCount(value: unknown): value is number {
  return isAmount(value, countLimit);
}

const countLimit = 1e15;

/**
 * What an agent is doing, according to its stream. Written to a file while the agent runs, for the
 * daemon's monitors.
 */
export type Activity = {
  /** The number of events that show progress. Notices and retries do not count. */
  readonly progress: number;
  /** The usage of this start so far. */
  readonly usage?: Usage;
  /** The service fails, and the agent retries. */
  readonly retry?: ActivityRetry;
  /**
   * Tool calls that have started and not ended. Absent if the stream reports a call only when it
   * has ended.
   */
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
  /** The stream reports when a call starts. */
  readonly announces: boolean;
  readonly loops: LoopState;
};

export function noActivity(announces = true): ActivityState {
  return {progress: 0, usage: noUsage, open: new Map(), announces, loops: noLoops};
}

/** Digests of the files that a call wrote; a file that cannot be read is left out. */
export type ReadContents = (files: readonly string[]) => NonNullable<ToolUse['written']>;

export type ActivityOptions = {
  readonly at: number;
  /** The usage of this start, including this event. */
  readonly usage?: Usage | undefined;
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
    case 'read':
    case 'turn-ended':
      return state;
    case 'retry':
      return {...state, retry: countRetry(state.retry, event, at)};
    case 'usage':
      // A failed message also has a usage event, with zero tokens.
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

/** The activity to write to the file, with a limited number of loops. */
export function selectActivity({
  progress,
  usage,
  retry,
  open,
  announces,
  loops,
}: ActivityState): Activity {
  const worst = selectLoopSigns(loops)
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

function countRetry(
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
  const kind = classifyTool(call);
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
