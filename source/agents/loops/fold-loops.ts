import {withoutTimes, type ToolUse} from './tool-use.ts';

/** Signs that an agent goes in circles, so far as its calls show it. */
export type LoopKind = 'same-calls' | 'same-failures' | 'undone-edits';

export type LoopSign = {
  readonly kind: LoopKind;
  /** The same key is the same sign, however often it is seen. */
  readonly key: string;
  readonly what: string;
  readonly times: number;
  /** So many times more often than usual it may be seen. */
  readonly weight: number;
  /** When it was seen first. */
  readonly since: number;
};

export type LoopState = {
  /** By digest; calls since something new was last done. */
  readonly calls: ReadonlyMap<string, Counted>;
  /** By digest; commands that failed and were not overcome, nor anything changed since. */
  readonly failures: ReadonlyMap<string, Counted>;
  /** By file. */
  readonly files: ReadonlyMap<string, FileHistory>;
};

type Counted = {
  readonly what: string;
  readonly result: string;
  readonly times: number;
  readonly since: number;
  /** Polls are repeated by right. */ readonly weight: number;
};

type FileHistory = {
  /** Digests of what was in it, the newest last. */
  readonly contents: readonly string[];
  /** Edits in a row that brought back what was in it before. */
  readonly undone: number;
  readonly since: number;
};

export const noLoops: LoopState = {calls: new Map(), failures: new Map(), files: new Map()};

/** What is remembered of one agent; the oldest is forgotten. */
const max = {calls: 200, files: 200, contents: 50};

/** Whoever asks how something stands may ask so many times more often. */
const pollWeight = 5;

/**
 * What counts as going in circles:
 * - the same call with the same answer, while nothing that was not done before is done in between;
 * - the same command that fails in the same way, while nothing is changed in between;
 * - edits of a file that bring back what was in it before, one after the other.
 * An edit that makes something new of a file ends the first two: running the same test after each edit is how one works.
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
  // A new file content makes every call a new one.
  return {
    files: edited.files,
    failures,
    calls: edited.isNew
      ? new Map([[digest, countedOf(use, at)]])
      : countCall(state.calls, digest, use, at),
  };
}

/** All signs so far, also those that are few. */
export function loopSignsOf({calls, failures, files}: LoopState): LoopSign[] {
  const signsOf = (kind: LoopKind, counted: ReadonlyMap<string, Counted>): LoopSign[] =>
    [...counted].map(([key, {what, times, since, weight}]) => ({
      kind,
      key,
      what,
      times,
      weight,
      since,
    }));
  return [
    ...signsOf('same-calls', calls),
    ...signsOf('same-failures', failures),
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

function countedOf({what, result, kind}: ToolUse, at: number): Counted {
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
  const fresh = countedOf(use, at);
  // What fails is counted by itself.
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
  // Something that was not done before: what was repeated until now begins to be counted anew.
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
  const fresh = countedOf(use, at);
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
  // Nobody can say what is in it now: taken for new.
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
