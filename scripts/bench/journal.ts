// How long a durable append and a replay take, beside the least that anybody could do instead.
// Prints a markdown table.
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {Buffer} from 'node:buffer';
import {
  closeSync,
  fdatasyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import {type Draft, type Journal, openJournal} from '../../source/journal/index.ts';

type Row = {
  readonly what: string;
  readonly ours: string;
  readonly peer: string;
  readonly ratio: string;
};

const loneAppends = 2000;
const batches = 200;
const batchSize = 64;
const replays = [25_000, 50_000, 100_000];

export async function benchJournal(): Promise<string> {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'orchestra-bench-'));
  try {
    const rows = [...(await benchAppends(directory)), ...(await benchReplays(directory))];
    return getTable(rows);
  } finally {
    rmSync(directory, {recursive: true, force: true});
  }
}

/**
 * The peer is a bare `writeSync` and `fdatasyncSync` of the same bytes, in turn with ours, so that
 * both meet the same disk.
 */
async function benchAppends(directory: string): Promise<Row[]> {
  const journal = await open(path.join(directory, 'appends'));
  const fd = openSync(path.join(directory, 'peer'), 'a');
  const line = Buffer.alloc(lineLength(), 'x');
  const writeDurably = (): void => {
    writeSync(fd, line);
    fdatasyncSync(fd);
  };

  const lone = {ours: [] as number[], peer: [] as number[]};
  for (let index = 0; index < loneAppends; index += 1) {
    lone.peer.push(await getTime(writeDurably));
    lone.ours.push(await getTime(() => journal.append([toEvent(index)])));
  }

  const batch = {ours: [] as number[], peer: [] as number[]};
  for (let index = 0; index < batches; index += 1) {
    batch.peer.push(
      await getTime(() => {
        for (let count = 0; count < batchSize; count += 1) writeDurably();
      }),
    );
    batch.ours.push(
      await getTime(() =>
        Promise.all(
          Array.from({length: batchSize}, (_, count) => journal.append([toEvent(count)])),
        ),
      ),
    );
  }

  closeSync(fd);
  await journal.close();
  return [
    toRow('durable append, alone, p50 (ms)', quantile(lone.ours, 0.5), quantile(lone.peer, 0.5)),
    toRow('durable append, alone, p95 (ms)', quantile(lone.ours, 0.95), quantile(lone.peer, 0.95)),
    toRow(
      `${batchSize} appends at once, all durable, p50 (ms)`,
      quantile(batch.ours, 0.5),
      quantile(batch.peer, 0.5),
    ),
    toRow(
      `${batchSize} appends at once, all durable, p95 (ms)`,
      quantile(batch.ours, 0.95),
      quantile(batch.peer, 0.95),
    ),
  ];
}

/**
 * The peer reads the file whole and calls `JSON.parse` on each line: no checksum, no chain, no
 * recovery.
 */
async function benchReplays(directory: string): Promise<Row[]> {
  const max = Math.max(...replays);
  const source = path.join(directory, 'replays');
  const journal = await open(source);
  for (let index = 0; index < max; index += 500) {
    await Promise.all(
      Array.from({length: 500}, (_, count) => journal.append([toEvent(index + count)])),
    );
  }

  await journal.close();
  const lines = readFileSync(path.join(source, 'journal.jsonl'), 'utf8').split('\n');
  const rows: Row[] = [];
  const perRecord: number[] = [];
  for (const records of replays) {
    const copy = path.join(directory, String(records));
    mkdirSync(copy);
    writeFileSync(path.join(copy, 'journal.jsonl'), `${lines.slice(0, records).join('\n')}\n`);
    const {ours, peer} = await timeReplay(copy, records);
    rows.push(toRow(`open and replay ${records} records (ms)`, ours, peer));
    perRecord.push(ours / records);
  }

  const growth = perRecord.at(-1)! / perRecord[0]!;
  return [
    ...rows,
    {
      what: `time per record, ${max} against ${replays[0]!} records`,
      ours: growth.toFixed(2),
      peer: '1.00 is linear',
      ratio: '',
    },
  ];
}

async function timeReplay(
  directory: string,
  records: number,
): Promise<{ours: number; peer: number}> {
  const ours: number[] = [];
  const peer: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    let count = 0;
    ours.push(
      await getTime(async () => {
        const journal = await open(directory, () => (count += 1));
        await journal.close();
      }),
    );
    peer.push(
      await getTime(() => {
        for (const line of readFileSync(path.join(directory, 'journal.jsonl'), 'utf8').split(
          '\n',
        )) {
          if (line !== '') JSON.parse(line.slice(0, -9));
        }
      }),
    );
    if (count !== records) throw new Error(`expected ${records} records, got ${count}`);
  }

  return {ours: quantile(ours, 0.5), peer: quantile(peer, 0.5)};
}

function open(directory: string, replay: () => void = () => undefined): Promise<Journal> {
  return openJournal({
    directory,
    clock: {wall: () => Date.now(), mono: () => process.hrtime.bigint()},
    boot: '6e1a3c4e-7d0f-4a53-9b1f-2f6f0f1c9a77',
    knows: () => true,
    replay,
    report: (notice) => {
      throw new Error(`expected a quiet disk, got ${JSON.stringify(notice)}`);
    },
  });
}

function toEvent(index: number): Draft {
  const task = `r1.t${index % 7}`;
  return {
    type: 'attempt-failed',
    data: {
      run: 'r1',
      task,
      attempt: `${task}.a1`,
      failure: 'TEST_FAILURE',
      text: 'expected 1, got 2; '.repeat(index % 5),
    },
  };
}

/** As long as an ordinary record. */
function lineLength(): number {
  return JSON.stringify(toEvent(2)).length + 150;
}

async function getTime(act: () => unknown): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

function quantile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * share)]!;
}

function toRow(what: string, ours: number, peer: number): Row {
  return {what, ours: ours.toFixed(2), peer: peer.toFixed(2), ratio: (ours / peer).toFixed(2)};
}

function getTable(rows: readonly Row[]): string {
  const lines = rows.map(
    ({what, ours, peer, ratio}) => `| ${what} | ${ours} | ${peer} | ${ratio} |`,
  );
  return ['| journal | ours | peer | ratio |', '|---|---|---|---|', ...lines, ''].join('\n');
}

if (process.argv[1] === import.meta.filename) await benchJournal();
