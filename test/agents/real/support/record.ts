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
  const base = path.dirname(directory);
  const ids = new Map<string, string>();
  const plain = (text: string): string =>
    text
      .replaceAll(base, '/home/person')
      .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:1')
      .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, (id) => {
        if (!ids.has(id))
          ids.set(id, `00000000-0000-4000-8000-${String(ids.size + 1).padStart(12, '0')}`);
        return ids.get(id) ?? id;
      });
  writeFileSync(path.join(place, `${name}.jsonl`), plain(stream));
  if (end !== undefined)
    writeFileSync(
      path.join(place, `${name}.end.json`),
      `${plain(JSON.stringify(end, undefined, 2))}\n`,
    );
}
