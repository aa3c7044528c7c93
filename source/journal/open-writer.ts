import {errorText} from '../shared/index.ts';
import path from 'node:path';
import {createJournalFile, type JournalFileOptions} from './create-journal-file.ts';
import {isFull, removeIfPossible} from './disk.ts';
import {
  type DecisionRecord,
  type DecisionOptions,
  type Draft,
  type Entry,
  makeDecision,
} from './encode-records.ts';

/**
 * The append was not acknowledged and its seq is not used. No reader will ever see a part of it.
 */
export class JournalUnavailable extends Error {
  constructor(reason: string) {
    super(`The journal rejected the record: ${reason}`);
    this.name = 'JournalUnavailable';
  }
}

export type WriterOptions = JournalFileOptions &
  DecisionOptions & {
    readonly report: (notice: JournalNotice) => void;
    readonly diskFull: Draft;
    /** Why nothing may be written, if that is so. */
    readonly readOnly: string | undefined;
  };

export type Writer = {
  readonly status: () => JournalStatus;
  readonly append: (drafts: readonly Draft[], at?: number) => Promise<readonly Entry[]>;
  readonly retry: () => Promise<JournalStatus>;
  readonly check: () => Promise<JournalStatus>;
  readonly close: () => Promise<void>;
};

type Waiting = {
  readonly decision: DecisionRecord;
  readonly resolve: (entries: readonly Entry[]) => void;
  readonly reject: (error: JournalUnavailable) => void;
};

/**
 * The only writer of the file; all access to the file is queued. While one group of appends is
 * synced the next one gathers: a busy journal syncs once per group, and a single append waits for
 * nothing.
 */
export async function openWriter(options: WriterOptions): Promise<Writer> {
  const {disk, files, report, diskFull, readOnly} = options;
  const file = createJournalFile(options);
  let status: JournalStatus =
    readOnly === undefined
      ? {mode: 'degraded', reason: 'it is not open yet'}
      : {mode: 'read-only', reason: readOnly};
  let isClosed = false;
  let gathering: Waiting[] = [];
  let turn: Promise<unknown> = Promise.resolve();

  const inTurn = <T>(act: () => T | Promise<T>): Promise<T> => {
    const mine = turn.then(act, act);
    turn = mine;
    return mine;
  };

  const settle = async (): Promise<JournalStatus> => {
    try {
      const wrong = await file.settle();
      if (wrong === undefined) return {mode: 'writing'};
      return await readOnlyBy(wrong);
    } catch (error) {
      return degradedBy(error);
    }
  };

  /**
   * Never writes to a file of another owner. What only an open descriptor still holds is copied
   * first.
   */
  const readOnlyBy = async (
    wrong: string,
  ): Promise<Extract<JournalStatus, {mode: 'read-only'}>> => {
    const name = `saved-${options.clock.wall()}`;
    const isSaved = await file.save(name).catch(() => false);
    const rescue = isSaved
      ? ` All acknowledged records are in ${path.join(files.directory, name)}; move it ` +
        `back to ${path.basename(files.journal)}.`
      : ' Put the right file back, or leave the one that is there.';
    return {
      mode: 'read-only',
      reason:
        `${wrong}. The daemon writes nothing more, and nothing was overwritten.${rescue} ` +
        `Then continue with that file: \`orchestra daemon restart\`. To inspect it: ` +
        `\`orchestra doctor --journal\`.`,
    };
  };

  const turnReadOnly = async (wrong: string): Promise<JournalStatus> => {
    status = await readOnlyBy(wrong);
    file.close();
    report({kind: 'read-only', reason: status.reason});
    return status;
  };

  const degradedBy = (error: unknown): Extract<JournalStatus, {mode: 'degraded'}> => {
    const remedy =
      `${isFull(error) ? `Free some space for ${files.directory}` : `Make ${files.directory} writable`}; ` +
      'the journal then continues by itself.';
    return {
      mode: 'degraded',
      reason: `${toMessage(error)}. ${remedy}`,
      remedy,
      ...(isFull(error) && {isFull: true}),
    };
  };

  /** A failing check is ignored: the next append meets the failure itself. */
  const wrongNow = (): string | undefined => {
    try {
      return file.check();
    } catch {
      return undefined;
    }
  };

  const commit = async (): Promise<void> => {
    const group = gathering;
    gathering = [];
    const refuse = (reason: string): void => {
      for (const {reject} of group) reject(new JournalUnavailable(reason));
    };

    if (status.mode !== 'writing') {
      refuse(status.reason);
      return;
    }

    const outcome = await file.write(group.map(({decision}) => decision));
    if (outcome.kind === 'written') {
      for (const [index, {resolve}] of group.entries()) resolve(outcome.entries[index] ?? []);
    } else if (outcome.kind === 'foreign') {
      const now = await turnReadOnly(outcome.wrong);
      refuse('reason' in now ? now.reason : outcome.wrong);
    } else if (outcome.kind === 'write-failed') {
      await degrade(outcome.error, refuse);
    } else {
      await startAnew(outcome.error, refuse);
    }
  };

  const degrade = async (error: unknown, refuse: (reason: string) => void): Promise<void> => {
    const isCut = file.cut();
    const degraded = degradedBy(error);
    const {reason} = degraded;
    status = degraded;
    refuse(reason);
    const entry = isFull(error) && isCut ? await noteFullDisk() : undefined;
    report({kind: 'degraded', reason, ...(entry !== undefined && {entry})});
  };

  const noteFullDisk = async (): Promise<Entry | undefined> => {
    removeIfPossible(disk, files.reserve);
    const outcome = await file.write([makeDecision([diskFull], options)]);
    if (outcome.kind === 'written') return outcome.entries[0]?.[0];
    file.cut();
    return undefined;
  };

  /**
   * After a failed sync a second one may succeed although the kernel has dropped the pages
   * (PostgreSQL's fsync finding). So the group is removed, and the file is reopened and read again.
   */
  const startAnew = async (error: unknown, refuse: (reason: string) => void): Promise<void> => {
    status = await settle();
    if (status.mode === 'writing' && isFull(error)) {
      await degrade(error, refuse);
      return;
    }

    const reason = `${toMessage(error)}, so it may not be on the disk and was removed`;
    refuse(reason);
    report(
      status.mode === 'writing'
        ? {kind: 'sync-failed', reason}
        : {kind: status.mode, reason: status.reason},
    );
  };

  if (status.mode === 'degraded') status = await settle();
  return {
    status: () => status,
    append: async (drafts, at) => {
      if (isClosed) throw new JournalUnavailable('it is closed');
      if (status.mode !== 'writing') throw new JournalUnavailable(status.reason);
      if (drafts.length === 0) return [];
      const decision = makeDecision(drafts, options, at);
      return new Promise((resolve, reject) => {
        gathering.push({decision, resolve, reject});
        if (gathering.length === 1) void inTurn(commit);
      });
    },
    retry: () =>
      inTurn(async () => {
        if (status.mode !== 'degraded' || isClosed) return status;
        status = await settle();
        if (status.mode === 'writing') report({kind: 'recovered'});
        if (status.mode === 'read-only') report({kind: 'read-only', reason: status.reason});
        return status;
      }),
    check: () =>
      inTurn(async () => {
        if (status.mode !== 'writing' || isClosed) return status;
        const wrong = wrongNow();
        return wrong === undefined ? status : turnReadOnly(wrong);
      }),
    close: () => {
      isClosed = true;
      return inTurn(file.close);
    },
  };
}

function toMessage(error: unknown): string {
  return errorText(error);
}

/** Whether the journal accepts records, and if not, why and what to do. */
export type JournalStatus =
  | {readonly mode: 'writing'}
  /** The disk is full or fails: appends are rejected until `retry` succeeds. */
  | {
      readonly mode: 'degraded';
      readonly reason: string;
      readonly isFull?: true;
      /** What a person can do; `reason` ends with it. */ readonly remedy?: string;
    }
  /** The file cannot be trusted or understood: appends are rejected for good. */
  | {readonly mode: 'read-only'; readonly reason: string};

/** Reports after opening that must not go unnoticed. */
export type JournalNotice =
  /**
   * `entry` is the record of the full disk, if the reserve had space for it: it has a seq and is
   * part of the history.
   */
  | {readonly kind: 'degraded'; readonly reason: string; readonly entry?: Entry}
  | {readonly kind: 'read-only'; readonly reason: string}
  /** An append was rejected; the file was reopened and holds everything acknowledged before. */
  | {readonly kind: 'sync-failed'; readonly reason: string}
  | {readonly kind: 'recovered'};
