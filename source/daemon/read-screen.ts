import type {SessionId} from '../domain/index.ts';
import {readExtent, readSize} from '../keeper/index.ts';
import type {Size} from '../protocol/index.ts';
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
  const {writtenAt} = readExtent(directory);
  const screen = store.screens.look(directory, sizeOf(store, session));
  const text = screen.text();
  const promptLine = text[screen.cursor.row] ?? '';
  const question = promptLine.trim() === '' ? (text.findLast((line) => line.trim() !== '') ?? '') : promptLine;
  screen.close();
  return {text, promptLine, question: question.trim(), silentMs: Math.max(0, now() - (writtenAt ?? store.metaOf(session)?.went?.at ?? now()))};
}

/** The size of the session's own terminal. */
export function sizeOf(store: Workshop['store'], session: SessionId): Size {
  return readSize(store.directoryOf(session)) ?? store.launchOf(session) ?? {columns: 80, rows: 24};
}
