import path from 'node:path';
import {clearInterval, setInterval} from 'node:timers';
import {
  activityFileName,
  activityOf,
  type AgentStream,
  createStreamReader,
  emptyStream,
  foldActivity,
  foldStream,
  noActivity,
  noticeOf,
  type StreamEvent,
  type StreamState,
  usageOf,
} from '../agents/index.ts';
import {sha256Of} from '../base/index.ts';
import {tokensOf, type Usage} from '../domain/index.ts';
import {tryReadText} from '../files/index.ts';
import {createActivityFile} from './create-activity-file.ts';
import {createKeeping} from './create-keeping.ts';
import type {Printer} from './create-printer.ts';
import {createUsageRecord} from './read-earlier-usage.ts';

export type FollowOptions = {
  readonly stream: AgentStream;
  readonly printer: Printer;
  /** The worktree: of files below it is read what an edit made of them. */
  readonly directory: string;
  /** Where the outcome is left; the stream as it came and the activity lie beside it. */
  readonly outcomeFile: string;
  readonly conversation?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => number;
  /** What this start may use. @default without end */
  readonly tokenLimit?: number | undefined;
  /** It has used that much: it must be stopped. Called once. */
  readonly onLimit: (used: number) => void;
  /** Something about the conversation or its usage is known that was not. */
  readonly onNote: (state: StreamState, before: Usage | undefined) => void;
  /** @default 1000 */
  readonly recordEveryMs?: number;
};

export type Following = {
  readonly onLine: (line: string) => void;
  readonly onError: (line: string) => void;
  readonly state: () => StreamState;
  /** What the conversation had used before this start. */
  readonly before: Usage | undefined;
  /** Gives why the stream was not kept whole, if it was not. */
  readonly close: () => string | undefined;
};

/** Reads an agent's stream as it comes: shows it, keeps it, counts what it uses, and leaves what the agent is doing. */
export function followStream(options: FollowOptions): Following {
  const {
    stream,
    printer,
    outcomeFile,
    env,
    now,
    tokenLimit = Number.POSITIVE_INFINITY,
    onLimit,
    onNote,
  } = options;
  const read = createStreamReader(stream);
  const record = stream.earlier === undefined ? undefined : createUsageRecord(stream.earlier, env);
  const before = options.conversation === undefined ? undefined : record?.(options.conversation);
  const keeping = createKeeping(path.join(path.dirname(outcomeFile), 'stream.jsonl'));
  const file = createActivityFile(path.join(path.dirname(outcomeFile), activityFileName));
  let state = emptyStream;
  let activity = noActivity(stream.tellsToolsLate !== true);
  let isOver = false;
  /** The agent itself has counted all of it. */
  let isCounted = false;
  const take = (event: StreamEvent): void => {
    state = foldStream(state, event);
    const usage = event.type === 'usage' ? usageOf(state, before) : undefined;
    activity = foldActivity(activity, event, {
      at: now(),
      usage,
      contentsOf: (files) => contentsIn(options.directory, files),
    });
    printer.show(event);
    if (event.type === 'session' || event.type === 'usage') onNote(state, before);
    const used = usage === undefined ? 0 : tokensOf(usage);
    const isPassed = used >= tokenLimit && !isOver;
    file.update(
      activityOf(activity),
      isPassed || (event.type === 'retry' && activity.retry?.times === 1),
    );
    if (!isPassed) return;
    isOver = true;
    onLimit(used);
  };

  // Those that count at the end of all only: their own record is counted meanwhile.
  const timer =
    record === undefined
      ? undefined
      : setInterval(() => {
          const whole =
            state.conversation === undefined || isCounted ? undefined : record(state.conversation);
          if (whole === undefined) return;
          const usage = {
            input: Math.max(0, whole.input - (before?.input ?? 0)),
            output: Math.max(0, whole.output - (before?.output ?? 0)),
          };
          if (tokensOf(usage) > tokensOf(state.start ?? {input: 0, output: 0}))
            take({type: 'usage', usage, of: {what: 'start'}});
        }, options.recordEveryMs ?? 1000).unref();

  return {
    before,
    state: () => state,
    onLine: (line) => {
      const {events, isProgress} = read(line);
      if (!isProgress) keeping.keep(line);
      isCounted ||= events.some((event) => event.type === 'usage' && event.of.what !== 'step');
      for (const event of events) take(event);
    },
    onError: (line) => {
      take(noticeOf(line));
    },
    close: () => {
      clearInterval(timer);
      file.close();
      return keeping.close();
    },
  };
}

const maxFileBytes = 4 * 1024 * 1024;

/** What is in files of the worktree now. One that is outside of it, not there or no regular file is left out. */
function contentsIn(
  directory: string,
  files: readonly string[],
): {readonly file: string; readonly content: string}[] {
  return files.slice(0, 20).flatMap((name) => {
    const full = path.resolve(directory, name);
    const inside = path.relative(directory, full);
    if (inside === '' || inside.startsWith('..') || path.isAbsolute(inside)) return [];
    const text = tryReadText(full, {maxBytes: maxFileBytes, below: directory});
    return text === undefined ? [] : [{file: inside, content: sha256Of(text).slice(0, 16)}];
  });
}
