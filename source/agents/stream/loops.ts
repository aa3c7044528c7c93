import type {LoopKind} from '../../domain/index.ts';
import type {ToolCall} from './agent-stream.ts';

/** A tool call that has ended, with what loop detection needs. */
export type ToolUse = {
  /** A label for a person: `Bash npm test`. */
  readonly what: string;
  /** Calls with the same digest are the same. Absent: the stream does not have the arguments. */
  readonly digest?: string;
  readonly kind: ToolKind;
  readonly isError: boolean;
  /** The output. Times and durations in it are ignored when results are compared. */
  readonly result: string;
  /** Files that it wrote, with a digest of the current content of each. */
  readonly written?: readonly {readonly file: string; readonly content: string}[];
};

/**
 * `edit` writes files; `run` runs a command that may write; `read` does not write; `poll` queries
 * something that changes by itself, so repeating it is legitimate.
 */
export type ToolKind = 'edit' | 'run' | 'read' | 'poll';

export function classifyTool({
  name,
  about,
  files = [],
}: Pick<ToolCall, 'name' | 'about' | 'files'>): ToolKind {
  if (files.length > 0) return 'edit';
  if (/output|status|wait|poll|monitor|_logs?$|sleep/i.test(name)) return 'poll';
  if (!/bash|shell|command|exec|terminal/i.test(name)) return 'read';
  if (polling.test(about)) return 'poll';
  return reading.test(about) && !/[>|;&`]|\$\(/.test(about) ? 'read' : 'run';
}

/** Commands that wait for something or query its state. */
const polling =
  /\b(?:sleep|curl|wget|nc|ping|lsof|pgrep|pg_isready|netstat|ss|tail|watch|wait-on|docker (?:ps|logs|inspect)|kubectl|gh run)\b/;

const reading =
  /^\s*(?:cat|ls|pwd|head|wc|grep|rg|find|fd|tree|stat|file|which|echo|sed -n|git (?:status|diff|log|show|blame|branch))\b/;

/** The text without what differs each time: times, durations, memory addresses. */
export function withoutTimes(text: string): string {
  return text
    .slice(0, maxResultCharacters)
    .replaceAll(
      /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?|\b\d{1,2}:\d\d(?::\d\d)?(?:\.\d+)?\b/g,
      '<time>',
    )
    .replaceAll(
      /\b\d+(?:\.\d+)?\s?(?:ms|µs|us|ns|s|sec|secs|seconds?|m|min|mins|minutes?|h|hours?)\b/g,
      '<duration>',
    )
    .replaceAll(/\b0x[\da-f]+\b/gi, '<address>')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

const maxResultCharacters = 20_000;

/** Kinds of loops that tool calls can show. */
/** The loops that show in the stream itself. */
export type StreamLoopKind = Exclude<LoopKind, 'unchanged'>;

export type LoopSign = {
  readonly kind: StreamLoopKind;
  /** Signs with the same key are the same. */
  readonly key: string;
  readonly what: string;
  readonly times: number;
  /** Factor on the number of repetitions that are tolerated. */
  readonly weight: number;
  /** When it was first seen. */
  readonly since: number;
};

export type LoopState = {
  /** Calls since the last new action, by digest. */
  readonly calls: ReadonlyMap<string, Counted>;
  /** Commands that failed and neither succeeded nor had a change since, by digest. */
  readonly failures: ReadonlyMap<string, Counted>;
  /** Edit history, by file. */
  readonly files: ReadonlyMap<string, FileHistory>;
};

type Counted = {
  readonly what: string;
  readonly result: string;
  readonly times: number;
  readonly since: number;
  /** Higher for polls. */
  readonly weight: number;
};

type FileHistory = {
  /** Digests of its contents, newest last. */
  readonly contents: readonly string[];
  /** Consecutive edits that restored an earlier content. */
  readonly undone: number;
  readonly since: number;
};

export const noLoops: LoopState = {calls: new Map(), failures: new Map(), files: new Map()};

/** Limits of the memory for one agent; the oldest entries are dropped. */
const max = {calls: 200, files: 200, contents: 50};

/** How much more often a poll may be repeated. */
const pollWeight = 5;

/**
 * Adds a call to the loop detection. These count as loops:
 * - the same call with the same result, with no new action in between;
 * - the same command that fails in the same way, with no change in between;
 * - consecutive edits that restore earlier contents of a file. An edit that gives a file a new
 * content resets the first two: running the same test after each edit is normal work.
 */
export function foldLoops(state: LoopState, use: ToolUse, at: number): LoopState {
  const edited = foldFiles(state.files, use, at);
  const isNews =
    edited.isNew ||
    (use.kind === 'run' &&
      !use.isError &&
      use.digest !== undefined &&
      !state.calls.has(use.digest));
  const digest =
    use.digest ??
    (use.kind === 'edit'
      ? `edit ${(use.written ?? []).map(({file, content}) => `${file} ${content}`).join(' ')}`
      : undefined);
  if (digest === undefined) return {...state, files: edited.files};
  const failures = countFailure(isNews ? new Map() : state.failures, digest, use, at);
  // After a new file content every call counts as new.
  return {
    files: edited.files,
    failures,
    calls: edited.isNew
      ? new Map([[digest, firstCount(use, at)]])
      : countCall(state.calls, digest, use, at),
  };
}

/** All signs so far, from two repetitions on. */
export function selectLoopSigns({calls, failures, files}: LoopState): LoopSign[] {
  const toSigns = (kind: StreamLoopKind, counted: ReadonlyMap<string, Counted>): LoopSign[] =>
    [...counted].map(([key, {what, times, since, weight}]) => ({
      kind,
      key,
      what,
      times,
      weight,
      since,
    }));
  return [
    ...toSigns('same-calls', calls),
    ...toSigns('same-failures', failures),
    ...[...files].map(([file, {undone, since}]): LoopSign => ({
      kind: 'undone-edits',
      key: file,
      what: file,
      times: undone,
      weight: 1,
      since,
    })),
  ].filter(({times}) => times > 1);
}

function firstCount({what, result, kind}: ToolUse, at: number): Counted {
  return {
    what,
    result: withoutTimes(result),
    times: 1,
    since: at,
    weight: kind === 'poll' ? pollWeight : 1,
  };
}

function countCall(
  calls: ReadonlyMap<string, Counted>,
  digest: string,
  use: ToolUse,
  at: number,
): ReadonlyMap<string, Counted> {
  const before = calls.get(digest);
  const fresh = firstCount(use, at);
  // Failures are counted separately.
  if (use.isError)
    return before === undefined ? new Map([...calls, [digest, {...fresh, times: 0}]]) : calls;
  if (before !== undefined)
    return new Map([
      ...calls,
      [
        digest,
        before.result === fresh.result && before.times > 0
          ? {...before, times: before.times + 1}
          : fresh,
      ],
    ]);
  // A new action resets the counts of all repeated calls.
  const known = [...calls]
    .slice(-max.calls)
    .map(([key, counted]) => [key, {...counted, times: 0, since: at}] as const);
  return new Map([...known, [digest, fresh]]);
}

function countFailure(
  failures: ReadonlyMap<string, Counted>,
  digest: string,
  use: ToolUse,
  at: number,
): ReadonlyMap<string, Counted> {
  const before = failures.get(digest);
  const others = [...failures].filter(([key]) => key !== digest).slice(-max.calls);
  if (!use.isError) return before === undefined ? failures : new Map(others);
  const fresh = firstCount(use, at);
  return new Map([
    ...others,
    [digest, before?.result === fresh.result ? {...before, times: before.times + 1} : fresh],
  ]);
}

function foldFiles(
  files: ReadonlyMap<string, FileHistory>,
  {kind, isError, written = []}: ToolUse,
  at: number,
): {readonly files: ReadonlyMap<string, FileHistory>; readonly isNew: boolean} {
  if (kind !== 'edit' || isError) return {files, isNew: false};
  // The content is unknown, so it counts as new.
  if (written.length === 0) return {files, isNew: true};
  const changed = new Map([...files].slice(-max.files));
  let isNew = false;
  for (const {file, content} of written) {
    const {contents = [], undone = 0, since = at} = changed.get(file) ?? {};
    if (contents.at(-1) === content) continue;
    const isKnown = contents.includes(content);
    isNew ||= !isKnown;
    changed.delete(file);
    changed.set(file, {
      contents: [...contents.filter((one) => one !== content), content].slice(-max.contents),
      undone: isKnown ? undone + 1 : 0,
      since: isKnown && undone > 0 ? since : at,
    });
  }

  return {files: changed, isNew};
}
