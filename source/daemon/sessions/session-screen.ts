import path from 'node:path';
import {Buffer} from 'node:buffer';
import {
  type AskSource,
  isInteractive,
  selectSessionAgent,
  type Session,
  type SessionId,
} from '../../domain/index.ts';
import {readEnd, readExtent, readLog, readSize} from '../../keeper/index.ts';
import type {TerminalSize} from '../../protocol/index.ts';
import type {ProgramStatus, Screen} from '../../terminal/index.ts';
import type {DaemonClock, SessionFiles, StateReader} from '../daemon-context.ts';
import {
  type AgentDialog,
  type Driver,
  drivers,
  findDriver,
  genericDriver,
  parseDialog,
} from '../../agents/index.ts';

/** The content of a session's screen, read from its log now. */
export type ScreenParseResult = {
  readonly text: readonly string[];
  /** The line of the cursor. */
  readonly promptLine: string;
  readonly cursorRow: number;
  readonly cursorColumn: number;
  /**
   * The question on the screen: the prompt line or the last line with text; both if the prompt line
   * has only symbols.
   */
  readonly question: string;
  /** The program uses the alternate screen, as editors and pagers do. */
  readonly isFullScreen: boolean;
  readonly silentMs: number;
  /** The status that the program reports (OSC 7501). */
  readonly status?: ProgramStatus;
  /** Bracketed paste is on. */
  readonly takesPaste: boolean;
  /** Where the log ended. */
  readonly end: number;
};

export function readScreen(
  context: SessionFiles & DaemonClock,
  session: SessionId,
): ScreenParseResult {
  return lookAtScreen(context, session, () => undefined).reading;
}

/** The same, with a second value that `read` takes from the open screen. */
export function lookAtScreen<T>(
  {store, now}: SessionFiles & DaemonClock,
  session: SessionId,
  read: (screen: Screen) => T,
): {readonly reading: ScreenParseResult; readonly also: T} {
  const directory = store.directoryOf(session);
  const {writtenAt, end} = readEnd(directory);
  const screen = store.screens.look(directory, readTerminalSize(store, session));
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
        cursorRow: screen.cursor.row,
        cursorColumn: screen.cursor.column,
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

/** A line such as `>` alone is no question; the line above it is. */
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
export function readTerminalSize(store: SessionFiles['store'], session: SessionId): TerminalSize {
  return readSize(store.directoryOf(session)) ?? store.launchOf(session) ?? {columns: 80, rows: 24};
}

/** What an agent asks a person, and the source. */
export type Asking = {
  readonly source: AskSource;
  readonly question: string;
  readonly options?: readonly string[];
};

/** A reported status takes precedence over the screen. Undefined if neither shows a question. */
export function parseAsking(
  {status, text, question}: ScreenParseResult,
  driver: Driver | undefined,
): Asking | undefined {
  const dialog = findDialog(text, driver);
  const options =
    dialog === undefined || dialog.options.length === 0 ? {} : {options: dialog.options};
  if (status?.state === 'blocked')
    return {
      source: 'agent',
      question: formatQuestion(status.message, dialog) ?? question,
      ...options,
    };
  // While the agent reports that it works, something that looks like a dialog is its output.
  if (status?.state === 'working' || dialog === undefined) return undefined;
  return {source: 'screen', question: dialog.question, ...options};
}

export function findDialog(
  text: readonly string[],
  driver: Driver | undefined,
): AgentDialog | undefined {
  return driver === undefined ? undefined : parseDialog(text, driver.screen);
}

function formatQuestion(
  message: string | undefined,
  dialog: AgentDialog | undefined,
): string | undefined {
  if (message === undefined) return dialog?.question;
  return dialog === undefined ? message : `${dialog.question.split(' · ')[0] ?? ''} · ${message}`;
}

/**
 * The driver of an agent with a screen: one that was taken over, that works in its own interface,
 * that gets its prompt typed, or that a person started. A headless agent has no screen; it prints its stream.
 */
export function findScreenAgent({state}: StateReader, session: Session): Driver | undefined {
  const declared = state().project.agents ?? [];
  const {purpose} = session;
  if (purpose.for === 'person') {
    const program = path.basename(purpose.command[0] ?? '');
    return [...declared.map((spec) => genericDriver(spec)), ...drivers].find(
      (driver) => !driver.isBuiltIn && path.basename(driver.program) === program,
    );
  }

  const chosen = selectSessionAgent(state(), session);
  if (chosen === undefined) return undefined;
  const found = findDriver(chosen.agent, declared);
  if ('refused' in found || found.driver.isBuiltIn) return undefined;
  const hasScreen =
    purpose.for === 'takeover' || isInteractive(session) || found.driver.stream === undefined;
  return hasScreen ? found.driver : undefined;
}

/**
 * Whether the dialogs of an agent are known. Any other program, a declared agent without
 * `patterns.question` too, asks as a plain program does.
 */
export function hasDialogs({screen}: Driver): boolean {
  return screen.question !== undefined;
}

/**
 * The end of a session's output. The log has no line breaks of the terminal, so a printed line
 * stays one line.
 */
export function readOutput({store}: SessionFiles, session: SessionId, maxBytes: number): string {
  const directory = store.directoryOf(session);
  const {start, end} = readExtent(directory);
  return Buffer.concat(
    [...readLog(directory, Math.max(start, end - maxBytes), end)].map(({bytes}) => bytes),
  ).toString('utf8');
}
