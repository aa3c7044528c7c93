import os from 'node:os';
import path from 'node:path';
import {clearTimeout, setTimeout, clearInterval, setInterval} from 'node:timers';
import {tryReadText, walkTree, writeFileAtomic} from '../files/index.ts';
import {
  activityFileName,
  type AgentStream,
  createStreamReader,
  type EarlierUsage,
  emptyStream,
  foldActivity,
  foldStream,
  noActivity,
  parseNotice,
  selectActivity,
  selectUsage,
  type StreamEvent,
  type StreamState,
} from '../agents/index.ts';
import {addUsage, noUsage, selectTokens, type Usage} from '../domain/index.ts';
import {type Environment, toSha256} from '../shared/index.ts';
import {createStreamFile} from './stream-file.ts';
import type {Printer} from './create-printer.ts';

export type ActivityFile = {
  /** Sets the content; written at once if urgent, else after a pause. */
  readonly update: (activity: object, isUrgent?: boolean) => void;
  /** Writes what has not been written yet. */
  readonly close: () => void;
};

/** The daemon's monitor reads the file twice a second. */
const defaultEveryMs = 500;

/**
 * Writes the activity file atomically, at most once per `everyMs`. A failed write does not stop the
 * agent: the outcome has the usage, too.
 */
export function createActivityFile(file: string, everyMs = defaultEveryMs): ActivityFile {
  let latest = '';
  let written = '';
  let timer: NodeJS.Timeout | undefined;
  const write = (): void => {
    timer = undefined;
    if (latest === written) return;
    written = latest;
    try {
      writeFileAtomic(file, latest);
    } catch {
      // The next write may succeed.
    }
  };

  return {
    update: (activity, isUrgent = false) => {
      latest = `${JSON.stringify(activity)}\n`;
      if (isUrgent) {
        clearTimeout(timer);
        write();
      } else {
        timer ??= setTimeout(write, everyMs);
      }
    },
    close: () => {
      clearTimeout(timer);
      write();
    },
  };
}

/** Enough for an agent's directory of all conversations, and for the file of a long one. */
const bounds = {maxEntries: 200_000, maxDepth: 8, maxBytes: 256 * 1024 * 1024};

/**
 * Returns a function that reads the usage of a conversation from the agent's own file, which is
 * searched for until it is found.
 */
export function createUsageRecord(
  {directory, fileEnd, read}: EarlierUsage,
  env: Environment,
): (conversation: string) => Usage | undefined {
  const root = directory(env['HOME'] ?? os.homedir(), env);
  let found: {readonly conversation: string; readonly file: string} | undefined;
  return (conversation) => {
    try {
      if (found?.conversation !== conversation) {
        const entry = walkTree(root, bounds).findLast(
          ({name, kind}) => kind === 'file' && name.endsWith(fileEnd(conversation)),
        );
        found = entry === undefined ? undefined : {conversation, file: path.join(root, entry.name)};
      }

      const text =
        found === undefined
          ? undefined
          : tryReadText(found.file, {maxBytes: bounds.maxBytes, below: root});
      return text === undefined ? undefined : read(text);
    } catch {
      return undefined;
    }
  };
}

type FollowStreamOptions = {
  readonly stream: AgentStream;
  readonly printer: Printer;
  /** The worktree. Files below it are read after an edit, to detect loops. */
  readonly directory: string;
  /** Path of the outcome file; the raw stream and the activity are written next to it. */
  readonly outcomeFile: string;
  readonly conversation?: string | undefined;
  /** The usage of earlier starts of this session; the files that they wrote are continued. */
  readonly spent?: Usage | undefined;
  readonly env: Environment;
  readonly now: () => number;
  /** How many tokens this start may use. @default no limit */
  readonly tokenLimit?: number | undefined;
  /** Called once, when the limit is reached: the agent must be stopped. */
  readonly onLimit: (used: number) => void;
  /** Called when the conversation id or the usage has changed. */
  readonly onNote: (state: StreamState, before: Usage | undefined) => void;
  readonly onEvent?: (event: StreamEvent) => void;
  /** @default 1000 */
  readonly recordEveryMs?: number;
};

export type Following = {
  readonly onLine: (line: string) => void;
  readonly onError: (line: string) => void;
  readonly state: () => StreamState;
  /** The usage of the conversation before this start. */
  readonly before: Usage | undefined;
  /** Returns why the raw stream was not saved completely, if it was not. */
  readonly close: () => string | undefined;
};

/**
 * Handles an agent's stream as it arrives: shows it, saves it, counts its usage, and writes the
 * activity file.
 */
export function followStream(options: FollowStreamOptions): Following {
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
  const streamFile = createStreamFile(
    path.join(path.dirname(outcomeFile), 'stream.jsonl'),
    undefined,
    options.spent !== undefined,
  );
  const activityFile = createActivityFile(path.join(path.dirname(outcomeFile), activityFileName));
  let state = emptyStream;
  let activity = noActivity(stream.reportsToolsLate !== true);
  let isOver = false;
  /** The agent itself has reported the usage of the whole start. */
  let isCounted = false;
  const take = (event: StreamEvent): void => {
    state = foldStream(state, event);
    const own = event.type === 'usage' ? selectUsage(state, before) : undefined;
    const usage = own === undefined ? undefined : addUsage(own, options.spent ?? noUsage);
    activity = foldActivity(activity, event, {
      at: now(),
      usage,
      contentsOf: (files) => hashContents(options.directory, files),
    });
    printer.show(event);
    if (event.type === 'session' || event.type === 'usage') onNote(state, before);
    const used = usage === undefined ? 0 : selectTokens(usage);
    const isLimitReached = used >= tokenLimit && !isOver;
    activityFile.update(
      selectActivity(activity),
      isLimitReached || (event.type === 'retry' && activity.retry?.times === 1),
    );
    if (!isLimitReached) return;
    isOver = true;
    onLimit(used);
  };

  // For agents that report usage only at the end: their own file is read until then.
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
          if (selectTokens(usage) > selectTokens(state.start ?? {input: 0, output: 0}))
            take({type: 'usage', usage, of: {what: 'start'}});
        }, options.recordEveryMs ?? 1000).unref();

  return {
    before,
    state: () => state,
    onLine: (line) => {
      const {events, isProgress} = read(line);
      if (!isProgress) streamFile.save(line);
      isCounted ||= events.some((event) => event.type === 'usage' && event.of.what !== 'step');
      for (const event of events) {
        take(event);
        options.onEvent?.(event);
      }
    },
    onError: (line) => {
      take(parseNotice(line));
    },
    close: () => {
      clearInterval(timer);
      activityFile.close();
      return streamFile.close();
    },
  };
}

const maxFileBytes = 4 * 1024 * 1024;

/** Digests of files of the worktree. A file that is outside, missing or not regular is left out. */
function hashContents(
  directory: string,
  files: readonly string[],
): {readonly file: string; readonly content: string}[] {
  return files.slice(0, 20).flatMap((name) => {
    const full = path.resolve(directory, name);
    const inside = path.relative(directory, full);
    if (inside === '' || inside.startsWith('..') || path.isAbsolute(inside)) return [];
    const text = tryReadText(full, {maxBytes: maxFileBytes, below: directory});
    return text === undefined ? [] : [{file: inside, content: toSha256(text).slice(0, 16)}];
  });
}
