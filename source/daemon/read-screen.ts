import {Buffer} from 'node:buffer';
import type {SessionId} from '../domain/index.ts';
import {readExtent, readLog, readTimes} from '../keeper/index.ts';
import {catchUp} from '../terminal/index.ts';
import type {Workshop} from './workshop.ts';

/** What stands on a session's screen, read from its log at this moment. */
export type ScreenReading = {
  readonly text: readonly string[];
  /** The line that the cursor stands on. */
  readonly promptLine: string;
  /** What is being asked: that line, or the last one that says anything. */
  readonly question: string;
  readonly silentMs: number;
};

export function readScreen({store, now}: Workshop, session: SessionId): ScreenReading {
  const directory = store.directoryOf(session);
  const {start, end, writtenAt} = readExtent(directory);
  const launch = store.launchOf(session);
  const size = readTimes(directory).at(-1) ?? launch;
  const {screen} = catchUp({
    columns: size?.columns ?? 80, rows: size?.rows ?? 24, start, end,
    read: (from, to) => Buffer.concat([...readLog(directory, from, to)].map(({bytes}) => bytes)),
  });
  const text = screen.text();
  const promptLine = text[screen.cursor.row] ?? '';
  const question = promptLine.trim() === '' ? (text.findLast((line) => line.trim() !== '') ?? '') : promptLine;
  screen.close();
  return {text, promptLine, question: question.trim(), silentMs: Math.max(0, now() - (writtenAt ?? store.metaOf(session)?.went?.at ?? now()))};
}
