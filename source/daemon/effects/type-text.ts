import path from 'node:path';
import {Buffer} from 'node:buffer';
import {closeSync, fsyncSync, openSync} from 'node:fs';
import {getMinuteMs, sanitizeText} from '../../shared/index.ts';
import {type MessageHold, selectSession, type SessionId} from '../../domain/index.ts';
import type {KeeperLink} from '../../keeper/index.ts';
import {type ProcessSample, readProcesses} from '../../system/index.ts';
import {
  findDialog,
  findScreenAgent,
  parseAsking,
  readScreen,
  type ScreenParseResult,
} from '../sessions/session-screen.ts';
import {parsePersonAtInput, type PersonAtInput} from '../sessions/person-draft.ts';
import {pauseFor} from '../engine/pacing.ts';
import {checkBlocked} from '../monitors/watch-sessions.ts';
import type {
  DaemonClock,
  KernelAccess,
  RunVariables,
  SessionFiles,
  StateReader,
} from '../daemon-context.ts';

export type TypingContext = StateReader & SessionFiles & RunVariables & DaemonClock & KernelAccess;

/**
 * The longest line that a terminal accepts at once, and the longest paste. For longer prompts the
 * file is named.
 */
const typingLimits = {line: 1000, paste: 60_000};

/**
 * The prompt itself, or a sentence that names its file if it is too long or several lines would be
 * several answers.
 */
export function textToType(
  prompt: string,
  {file, takesPaste}: {readonly file: string; readonly takesPaste: boolean},
): string {
  const text = sanitizeText(prompt.trim());
  const isFit = takesPaste
    ? Buffer.byteLength(text) <= typingLimits.paste
    : text.length <= typingLimits.line && !/[\n\t]/.test(text);
  return isFit ? text : `Read the file ${file} and do what it says.`;
}

/**
 * As a bracketed paste if the program asked for that. The text has no control characters, so
 * nothing in it can end the paste.
 */
export function toPromptKeys(text: string, takesPaste: boolean): string {
  return takesPaste ? `\u001B[200~${text}\u001B[201~` : text;
}

/**
 * Whether the screen shows the typed text: its end, its beginning, or a placeholder such as
 * `[Pasted text #1 +24 lines]` or `[paste #1 +24 lines]`.
 */
export function isShown(
  text: string,
  before: readonly string[],
  after: readonly string[],
): boolean {
  const [was, is] = [squeeze(before.join('')), squeeze(after.join(''))];
  if (was === is) return false;
  const whole = squeeze(text);
  return (
    [whole.slice(-comparedLength), whole.slice(0, comparedLength)].some(
      (part) => countOccurrences(is, part) > countOccurrences(was, part),
    ) ||
    countOccurrences(is.toLowerCase(), '[paste') > countOccurrences(was.toLowerCase(), '[paste')
  );
}

const comparedLength = 24;

/** Removes line breaks and frames, which a screen adds anywhere. */
function squeeze(text: string): string {
  return text.replaceAll(/[\s│┃|]+/gu, '');
}

function countOccurrences(text: string, part: string): number {
  return part === '' ? 0 : text.split(part).length - 1;
}

/**
 * How often the screen is read, how long it must not change, and how long each step may take. Time
 * in which a dialog waits for a person does not count.
 */
const limits = {lookMs: 150, quietMs: 600, readyMinutes: 2, shownMinutes: 0.5, takenMinutes: 0.5};

/** A program in raw mode that waits for events and has been silent this long accepts input. */
const silenceMs = 3000;

export type TypingRequest = {
  readonly session: SessionId;
  /** Records durably that typing began. */
  readonly startFile: string;
  readonly readText: (takesPaste: boolean) => string;
  /** Text must not be typed now, and why. Called again as long as it is so. */
  readonly onHeld: (why: MessageHold) => Promise<void>;
  /** A message of a person to an agent that may be at work; absent for a prompt. */
  readonly message?: {
    /** Undefined while the session is the one that should get it, else why it is not. */
    readonly findEnd: () => string | undefined;
    /** Called when typing begins. */
    readonly onStart: () => void;
  };
};

/** Why the text was not accepted, and whether anything was typed. */
export type TypingProblem = {readonly why: string; readonly hasBegun: boolean};

/**
 * Types the text when the agent accepts one, and presses Enter only if the screen shows the text and
 * no dialog. Undefined if it was accepted.
 */
export async function typeAndConfirm(
  context: TypingContext,
  {session, startFile, readText, onHeld, message}: TypingRequest,
  link: KeeperLink,
  signal: AbortSignal,
): Promise<TypingProblem | undefined> {
  const minute = getMinuteMs(context.env);
  const asks = (screen: ScreenParseResult): boolean =>
    isAsking(context, session, screen) ||
    (message !== undefined && hasQuestion(context, session, screen));
  const isHeld = async (screen: ScreenParseResult): Promise<boolean> => {
    if (message !== undefined && !hasPromptBehind(context, session)) return true;
    const person = await readPersonAtInput(context, session, link, screen);
    const why = asks(screen)
      ? 'dialog'
      : (person ?? (message !== undefined && isInTurn(context, session, screen) ? 'turn' : person));
    if (why !== undefined && why !== 'typing') await onHeld(why);
    return why !== undefined;
  };
  // The screen of an agent at work changes all the time.
  const quietMs = (): number =>
    message !== undefined && isAtWork(context, session) ? 0 : limits.quietMs;
  const before = await waitForScreen(
    context,
    session,
    {
      // A message waits as long as its session runs.
      max: message === undefined ? limits.readyMinutes * minute : Number.POSITIVE_INFINITY,
      quietMs,
      isHeld,
      isDone: createReadiness(context, session),
      isOver: () => message?.findEnd() !== undefined,
    },
    signal,
  );
  if (before === undefined)
    return {
      why:
        message?.findEnd() ?? 'it was not accepted: the agent showed no prompt. Nothing was typed',
      hasBegun: false,
    };
  const text = readText(before.takesPaste);
  message?.onStart();
  recordStart(startFile);
  link.press(Buffer.from(toPromptKeys(text, before.takesPaste)));
  const shown = await waitForScreen(
    context,
    session,
    {
      max: limits.shownMinutes * minute,
      quietMs,
      isHeld: () => false,
      isDone: (screen) => asks(screen) || isShown(text, before.text, screen.text),
    },
    signal,
  );
  const fail = (why: string): TypingProblem => ({
    why: `it was not accepted: ${why}`,
    hasBegun: true,
  });
  if (shown === undefined)
    return fail('the typed text did not appear on the screen. Enter was not pressed');
  if (asks(shown)) return fail('a dialog appeared during typing. Enter was not pressed');
  link.press(Buffer.from('\r'));
  const taken = await waitForScreen(
    context,
    session,
    {
      max: limits.takenMinutes * minute,
      quietMs: () => 0,
      isHeld: () => false,
      isDone: (screen) => asks(screen) || isTaken(shown, screen),
    },
    signal,
  );
  return taken === undefined ? fail('the screen did not change after Enter') : undefined;
}

/** Durable. Throws if the file exists. */
export function recordStart(file: string): void {
  for (const [place, flags] of [
    [file, 'wx'],
    [path.dirname(file), 'r'],
  ] as const) {
    const opened = openSync(place, flags, 0o600);
    fsyncSync(opened);
    closeSync(opened);
  }
}

type Wait = {
  readonly max: number;
  /** How long the screen must not have changed. */
  readonly quietMs: () => number;
  /** It is a person's turn, so the time does not count. */
  readonly isHeld: (screen: ScreenParseResult) => boolean | Promise<boolean>;
  readonly isDone: (screen: ScreenParseResult) => boolean | Promise<boolean>;
  /** Nothing is waited for any more. */
  readonly isOver?: () => boolean;
};

/** The first unchanging screen for which `isDone` is true; undefined on timeout. */
async function waitForScreen(
  context: SessionFiles & DaemonClock,
  session: SessionId,
  {max, quietMs, isHeld, isDone, isOver = () => false}: Wait,
  signal: AbortSignal,
): Promise<ScreenParseResult | undefined> {
  let [waited, still, last] = [0, 0, ''];
  while (!signal.aborted && waited <= max && !isOver()) {
    const screen = readScreen(context, session);
    const text = screen.text.join('\n');
    still = text === last ? still + limits.lookMs : 0;
    last = text;
    const isOurTurn = !(await isHeld(screen));
    if (isOurTurn && still >= quietMs() && (await isDone(screen))) return screen;
    await pauseFor(limits.lookMs, signal);
    if (isOurTurn) waited += limits.lookMs;
  }

  return undefined;
}

/** A keeper of an older release does not count keys. */
async function readPersonAtInput(
  context: StateReader & DaemonClock,
  id: SessionId,
  link: KeeperLink,
  screen: ScreenParseResult,
): Promise<PersonAtInput> {
  const session = selectSession(context.state(), id);
  if (session === undefined) return undefined;
  const {typing} = await link.ask({type: 'status'});
  const patterns = findScreenAgent(context, session)?.screen ?? {};
  return parsePersonAtInput(typing, screen, patterns, context.now());
}

function isAsking(context: StateReader, id: SessionId, screen: ScreenParseResult): boolean {
  const session = selectSession(context.state(), id);
  return (
    session !== undefined && parseAsking(screen, findScreenAgent(context, session)) !== undefined
  );
}

/**
 * A dialog on the screen counts even if the agent reports that it works, and so does a question that
 * was noticed before: an Enter would answer it.
 */
function hasQuestion(context: StateReader, id: SessionId, screen: ScreenParseResult): boolean {
  const session = selectSession(context.state(), id);
  return (
    session?.waiting?.options !== undefined ||
    session?.waiting?.secret === true ||
    (session !== undefined &&
      findDialog(screen.text, findScreenAgent(context, session)) !== undefined)
  );
}

/** The prompt of an agent that works comes before any message. */
function hasPromptBehind({state}: StateReader, id: SessionId): boolean {
  const session = selectSession(state(), id);
  if (session === undefined) return false;
  const prompts = session.inputs.filter(({prompt}) => prompt !== undefined);
  return (
    prompts.every(({fate}) => fate !== 'pending') &&
    (session.purpose.for !== 'attempt' || prompts.length > 0)
  );
}

function isAtWork({state}: StateReader, id: SessionId): boolean {
  return selectSession(state(), id)?.turn?.at === 'open';
}

/** It works, and is not known to queue what is typed meanwhile. */
function isInTurn(
  context: StateReader,
  id: SessionId,
  {status}: Pick<ScreenParseResult, 'status'>,
): boolean {
  const session = selectSession(context.state(), id);
  return (
    session !== undefined &&
    findScreenAgent(context, session)?.screen.takesInputAtWork !== true &&
    (session.turn?.at === 'open' || status?.state === 'working')
  );
}

/** By the agent's own sign on the screen; if none is known, by the kernel. */
export function createReadiness(
  context: StateReader & SessionFiles & DaemonClock & Pick<KernelAccess, 'kernel'>,
  id: SessionId,
): Wait['isDone'] {
  let earlier: ProcessSample | undefined;
  return async (screen) => {
    const session = selectSession(context.state(), id);
    if (session === undefined) return false;
    const ready = findScreenAgent(context, session)?.screen.ready;
    if (ready !== undefined) return screen.text.some((line) => new RegExp(ready).test(line));
    const all = await readProcesses(context.kernel);
    if (!('value' in all)) return screen.silentMs > silenceMs;
    const sample = {at: all.at, processes: all.value};
    const blocked = await checkBlocked(context, session, sample, earlier);
    if (earlier === undefined || sample.at - earlier.at > 1000) earlier = sample;
    return blocked?.verdict === 'blocked'
      ? !blocked.secret
      : blocked?.verdict === 'idle' && screen.silentMs > silenceMs;
  };
}

/** The agent reports that it works, or the prompt line has changed. */
function isTaken(shown: ScreenParseResult, screen: ScreenParseResult): boolean {
  if (screen.status?.state === 'working' && shown.status?.state !== 'working') return true;
  return screen.end > shown.end && screen.promptLine !== shown.promptLine;
}
