import path from 'node:path';
import {type JournalFileOptions, createJournalFile} from './create-journal-file.ts';
import {isFull} from './disk.ts';
import type {Decision} from './encode-records.ts';
import type {Draft, Entry} from './entry.ts';
import {JournalUnavailable} from './journal-unavailable.ts';
import {type DecisionOptions, makeDecision} from './make-decision.ts';
import type {Notice, Status} from './status.ts';
import {removeIfPossible} from './write-durably.ts';

export type WriterOptions = JournalFileOptions &
  DecisionOptions & {
    readonly report: (notice: Notice) => void;
    readonly diskFull: Draft;
    /** Why nothing may be written, if so. */
    readonly readOnly: string | undefined;
  };

export type Writer = {
  readonly status: () => Status;
  readonly append: (drafts: readonly Draft[], at?: number) => Promise<readonly Entry[]>;
  readonly retry: () => Promise<Status>;
  readonly check: () => Promise<Status>;
  readonly close: () => Promise<void>;
};

type Waiting = {
  readonly decision: Decision;
  readonly resolve: (entries: readonly Entry[]) => void;
  readonly reject: (error: JournalUnavailable) => void;
};

/**
 * The one writer of the file. Whatever touches the file takes its turn. While one group of appends is being synced the
 * next one gathers: a busy journal syncs once per group, and a lone append waits for nobody.
 */
export async function openWriter(options: WriterOptions): Promise<Writer> {
  const {disk, files, report, diskFull, readOnly} = options;
  const file = createJournalFile(options);
  let status: Status =
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

  const settle = async (): Promise<Status> => {
    try {
      const wrong = await file.settle();
      if (wrong === undefined) return {mode: 'writing'};
      return await readOnlyBy(wrong);
    } catch (error) {
      return degradedBy(error);
    }
  };

  /** Nothing is written to what somebody else put there. What only an open descriptor still holds is copied first. */
  const readOnlyBy = async (wrong: string): Promise<Extract<Status, {mode: 'read-only'}>> => {
    const name = `saved-${options.clock.wall()}`;
    const isSaved = await file.save(name).catch(() => false);
    const rescue = isSaved
      ? ` All that was acknowledged is in ${path.join(files.directory, name)}; move it back to ${path.basename(files.journal)}.`
      : ' Put the right file back, or leave the one that is there.';
    return {
      mode: 'read-only',
      reason: `${wrong}. Nothing more is written, and nothing was overwritten.${rescue} Then \`orchestra daemon restart\` goes on with what is there; \`orchestra doctor --journal\` says what that is.`,
    };
  };

  const turnReadOnly = async (wrong: string): Promise<Status> => {
    status = await readOnlyBy(wrong);
    file.close();
    report({kind: 'read-only', reason: status.reason});
    return status;
  };

  const degradedBy = (error: unknown): Extract<Status, {mode: 'degraded'}> => {
    const remedy = `${isFull(error) ? `Free some space for ${files.directory}` : `See that ${files.directory} can be written`}; the journal then goes on by itself.`;
    return {
      mode: 'degraded',
      reason: `${messageOf(error)}. ${remedy}`,
      remedy,
      ...(isFull(error) && {isFull: true}),
    };
  };

  /** A disk that does not say how the file is says nothing against it: the next append meets the failure itself. */
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
   * After a failed sync a second one may succeed although the kernel has dropped the pages (PostgreSQL's fsync finding).
   * So the group is taken back, and the file is opened and read anew.
   */
  const startAnew = async (error: unknown, refuse: (reason: string) => void): Promise<void> => {
    status = await settle();
    if (status.mode === 'writing' && isFull(error)) {
      await degrade(error, refuse);
      return;
    }

    const reason = `${messageOf(error)}, so it may not be on the disk and was taken back`;
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
