import {Buffer} from 'node:buffer';
import {closeSync, existsSync, fsyncSync, openSync} from 'node:fs';
import path from 'node:path';
import {minuteOf} from '../../base/index.ts';
import {sessionOf, type SessionId} from '../../domain/index.ts';
import {bytesOrThrow, readRegularFile} from '../../files/index.ts';
import type {KeeperLink} from '../../keeper/index.ts';
import {readProcesses, type Sample} from '../../machine/index.ts';
import {agentInSession} from '../agent-in-session.ts';
import type {Perform} from '../conductor.ts';
import {meetKeeper} from '../meet-keeper.ts';
import {pauseFor} from '../pause-for.ts';
import {readAsking} from '../read-asking.ts';
import {readScreen, type ScreenReading} from '../read-screen.ts';
import {askWhether} from '../watch-sessions.ts';
import type {Workshop} from '../workshop.ts';
import {isShown, keysOf, textToType} from './prompt-keys.ts';

/** How often it looks, for how long the screen must not change to be still, and how long each step may take. A dialog that a person has to answer first takes as long as it takes. */
const patience = {lookMs: 150, stillMs: 600, readyMinutes: 2, shownMinutes: 0.5, takenMinutes: 0.5};

/** A raw program that waits for events and has shown nothing for so long takes what is typed. */
const silenceMs = 3000;

/**
 * The prompt is typed when the agent takes one, and Enter only when the prompt stands there and no dialog does. That it is
 * begun is on the disk before the first key, so that it is typed at most once: whoever finds the note did not see what came of it, and
 * asks. It has no number of the keeper's, because a person's answer to a dialog may have to come before it.
 */
export function typePrompt(workshop: Workshop): Perform {
  return async (effect, report, signal) => {
    if (effect.do !== 'type-prompt') return;
    const {session, input} = effect;
    const file = sessionOf(workshop.state(), session)?.inputs.find(
      ({number}) => number === input,
    )?.prompt;
    const link = await meetKeeper(workshop, session);
    if (link === undefined || file === undefined) throw new Error('its keeper is gone');
    const leave = (): void => {
      link.close();
    };
    signal.addEventListener('abort', leave);
    try {
      const why = await bring(workshop, {session, input, file}, link, signal);
      if (signal.aborted) return;
      await report(
        why === undefined
          ? {type: 'input-typed', session, input}
          : {type: 'input-uncertain', session, input, why},
      );
    } finally {
      signal.removeEventListener('abort', leave);
      leave();
    }
  };
}

type Typing = {readonly session: SessionId; readonly input: number; readonly file: string};

/** Nothing when it was taken, else why it was not. */
async function bring(
  workshop: Workshop,
  {session, input, file}: Typing,
  link: KeeperLink,
  signal: AbortSignal,
): Promise<string | undefined> {
  const note = path.join(path.dirname(file), `begun-${input}`);
  if (existsSync(note))
    return 'the daemon ended while the prompt was being typed; it is not typed again by itself';
  const minute = minuteOf(workshop.env);
  const asks = (screen: ScreenReading): boolean => isAsking(workshop, session, screen);
  const before = await until(
    workshop,
    session,
    {most: patience.readyMinutes * minute, isHeld: asks, isIt: createReadiness(workshop, session)},
    signal,
  );
  if (before === undefined)
    return 'it was not accepted: the agent did not show that it takes a prompt. Nothing was typed';
  const text = textToType(
    bytesOrThrow(file, readRegularFile(file, {maxBytes: mostBytes})).toString('utf8'),
    {file, takesPaste: before.takesPaste},
  );
  writeNote(note);
  link.press(Buffer.from(keysOf(text, before.takesPaste)));
  const shown = await until(
    workshop,
    session,
    {
      most: patience.shownMinutes * minute,
      isHeld: () => false,
      isIt: (screen) => asks(screen) || isShown(text, before.text, screen.text),
    },
    signal,
  );
  if (shown === undefined)
    return 'it was not accepted: what was typed did not appear on the screen. Enter was not pressed';
  if (asks(shown))
    return 'it was not accepted: a dialog came up while it was typed. Enter was not pressed';
  link.press(Buffer.from('\r'));
  const taken = await until(
    workshop,
    session,
    {
      most: patience.takenMinutes * minute,
      stillMs: 0,
      isHeld: () => false,
      isIt: (screen) => asks(screen) || isTaken(shown, screen),
    },
    signal,
  );
  return taken === undefined
    ? 'it was not accepted: after Enter the screen stayed as it was'
    : undefined;
}

const mostBytes = 16 * 1024 * 1024;

/** Throws if it is there. */
function writeNote(file: string): void {
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
  readonly most: number;
  readonly stillMs?: number;
  /** Meanwhile no time passes: it is a person's turn. */
  readonly isHeld: (screen: ScreenReading) => boolean;
  readonly isIt: (screen: ScreenReading) => boolean | Promise<boolean>;
};

/** The screen on which it is so, once it stands still; nothing if that takes too long. */
async function until(
  workshop: Workshop,
  session: SessionId,
  {most, stillMs = patience.stillMs, isHeld, isIt}: Wait,
  signal: AbortSignal,
): Promise<ScreenReading | undefined> {
  let [waited, still, last] = [0, 0, ''];
  while (!signal.aborted && waited <= most) {
    const screen = readScreen(workshop, session);
    const text = screen.text.join('\n');
    still = text === last ? still + patience.lookMs : 0;
    last = text;
    const isOurTurn = !isHeld(screen);
    if (isOurTurn && still >= stillMs && (await isIt(screen))) return screen;
    await pauseFor(patience.lookMs, signal);
    if (isOurTurn) waited += patience.lookMs;
  }

  return undefined;
}

function isAsking(workshop: Workshop, id: SessionId, screen: ScreenReading): boolean {
  const session = sessionOf(workshop.state(), id);
  return (
    session !== undefined && readAsking(screen, agentInSession(workshop, session)) !== undefined
  );
}

/** By the agent's own sign; where none is known, by what the kernel says. */
function createReadiness(workshop: Workshop, id: SessionId): Wait['isIt'] {
  let earlier: Sample | undefined;
  return async (screen) => {
    const session = sessionOf(workshop.state(), id);
    if (session === undefined) return false;
    const ready = agentInSession(workshop, session)?.screen.ready;
    if (ready !== undefined) return screen.text.some((line) => new RegExp(ready).test(line));
    const all = await readProcesses(workshop.kernel);
    if (!('value' in all)) return screen.silentMs > silenceMs;
    const sample = {at: all.at, processes: all.value};
    const blocked = await askWhether(workshop, session, sample, earlier);
    if (earlier === undefined || sample.at - earlier.at > 1000) earlier = sample;
    return blocked?.verdict === 'blocked'
      ? !blocked.secret
      : blocked?.verdict === 'idle' && screen.silentMs > silenceMs;
  };
}

/** It says that it works, or where the prompt stood stands something else. */
function isTaken(shown: ScreenReading, screen: ScreenReading): boolean {
  if (screen.status?.state === 'working' && shown.status?.state !== 'working') return true;
  return screen.end > shown.end && screen.promptLine !== shown.promptLine;
}
