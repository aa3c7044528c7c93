import type {SessionId} from '../domain/index.ts';
import {readEnd, readSize} from '../keeper/index.ts';
import type {Size} from '../protocol/index.ts';
import type {ProgramStatus, Screen} from '../terminal/index.ts';
import type {Workshop} from './workshop.ts';

/** What stands on a session's screen, read from its log at this moment. */
export type ScreenReading = {
  readonly text: readonly string[];
  /** The line that the cursor stands on. */
  readonly promptLine: string;
  /** What is being asked: that line, or the last one that says anything; both where the line is only a sign. */
  readonly question: string;
  /** The program draws a whole screen of its own, as editors and pagers do. */
  readonly isFullScreen: boolean;
  readonly silentMs: number;
  /** What the program itself says it is doing. */
  readonly status?: ProgramStatus;
  /** It wants what is pasted to be marked as such. */
  readonly takesPaste: boolean;
  /** Where the log ended. */
  readonly end: number;
};

export function readScreen(workshop: Workshop, session: SessionId): ScreenReading {
  return lookAtScreen(workshop, session, () => undefined).reading;
}

/** The same, with something else that is read from the screen while it is there. */
export function lookAtScreen<T>(
  {store, now}: Workshop,
  session: SessionId,
  read: (screen: Screen) => T,
): {readonly reading: ScreenReading; readonly also: T} {
  const directory = store.directoryOf(session);
  const {writtenAt, end} = readEnd(directory);
  const screen = store.screens.look(directory, sizeOf(store, session));
  try {
    const text = screen.text();
    const promptLine = text[screen.cursor.row] ?? '';
    const question = questionIn(text, screen.cursor.row);
    const status = screen.statuses.find(({id}) => id === '');
    const silentMs = Math.max(0, now() - (writtenAt ?? store.metaOf(session)?.went?.at ?? now()));
    return {
      reading: {
        text,
        promptLine,
        question,
        isFullScreen: screen.modes.alternateScreen,
        silentMs,
        ...(status !== undefined && {status}),
        takesPaste: screen.modes.bracketedPaste,
        end,
      },
      also: read(screen),
    };
  } finally {
    screen.close();
  }
}

/** `>` alone tells nobody what is asked; the line above it does. */
function questionIn(text: readonly string[], row: number): string {
  const line = (text[row] ?? '').trim();
  if (line === '') return text.findLast((other) => other.trim() !== '')?.trim() ?? '';
  if (/[\p{L}\p{N}]/u.test(line)) return line;
  const above = text
    .slice(0, row)
    .findLast((other) => other.trim() !== '')
    ?.trim();
  return above === undefined ? line : `${above} ${line}`;
}

/** The size of the session's own terminal. */
export function sizeOf(store: Workshop['store'], session: SessionId): Size {
  return readSize(store.directoryOf(session)) ?? store.launchOf(session) ?? {columns: 80, rows: 24};
}
