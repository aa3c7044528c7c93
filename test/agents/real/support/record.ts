import path from 'node:path';
import process from 'node:process';
import {mkdirSync, writeFileSync} from 'node:fs';

/** How it ended, where that says more than the stream. */
export type StreamEnding = {readonly code: number | null; readonly errors: readonly string[]};

const place = path.join(import.meta.dirname, '../../stream/recorded');

/**
 * With RECORD_STREAMS=1: keeps what a real agent printed as a golden stream, without what is of
 * this machine or this moment.
 */
export function record(name: string, stream: string, directory: string, end?: StreamEnding): void {
  if (process.env['RECORD_STREAMS'] !== '1') return;
  mkdirSync(place, {recursive: true});
  const plain = createRedaction(directory);
  writeFileSync(path.join(place, `${name}.jsonl`), plain(stream));
  if (end !== undefined)
    writeFileSync(
      path.join(place, `${name}.end.json`),
      `${plain(JSON.stringify(end, undefined, 2))}\n`,
    );
}

/** With RECORD_STREAMS=1: keeps an agent's signals and its own record as goldens. */
export function recordSignals(
  name: string,
  lines: readonly string[],
  transcript: string,
  directory: string,
): void {
  if (process.env['RECORD_STREAMS'] !== '1') return;
  const goldens = path.join(import.meta.dirname, '../../goldens/interactive');
  mkdirSync(goldens, {recursive: true});
  const plain = createRedaction(directory);
  writeFileSync(path.join(goldens, `${name}.signals.jsonl`), plain(`${lines.join('\n')}\n`));
  // Only what is read from it: the rest is long, and the agent's own instructions.
  const read = transcript.split('\n').filter((line) => readLine.test(line));
  if (read.length > 0)
    writeFileSync(path.join(goldens, `${name}.transcript.jsonl`), plain(`${read.join('\n')}\n`));
}

const readLine =
  /"(?:type|role)":"(?:assistant|gemini|error|token_count|task_started|task_complete)"/;

/** Replaces what is of this machine or this moment. */
function createRedaction(directory: string): (text: string) => string {
  const base = path.dirname(directory);
  const ids = new Map<string, string>();
  return (text) =>
    text
      .replaceAll(base, '/home/person')
      .replaceAll(base.replaceAll(/[^A-Za-z0-9]/g, '-'), '-home-person')
      .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:1')
      .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, (id) => {
        if (!ids.has(id))
          ids.set(id, `00000000-0000-4000-8000-${String(ids.size + 1).padStart(12, '0')}`);
        return ids.get(id) ?? id;
      });
}
