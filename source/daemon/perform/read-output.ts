import {Buffer} from 'node:buffer';
import type {SessionId} from '../../domain/index.ts';
import {readExtent, readLog} from '../../keeper/index.ts';
import type {Workshop} from '../workshop.ts';

/** The end of what a session printed. A terminal breaks no line, so what was one line is one line here. */
export function readOutput({store}: Workshop, session: SessionId, mostBytes: number): string {
  const directory = store.directoryOf(session);
  const {start, end} = readExtent(directory);
  return Buffer.concat(
    [...readLog(directory, Math.max(start, end - mostBytes), end)].map(({bytes}) => bytes),
  ).toString('utf8');
}
