import path from 'node:path';
import {awayMs, type BriefAnswer, buildBrief, buildBriefView} from '../../reports/index.ts';
import {errorText} from '../../shared/index.ts';
import {tryReadText, writeFileAtomic} from '../../files/index.ts';
import type {Question} from '../../protocol/index.ts';
import {readSoundEvents} from '../engine/journal-events.ts';
import type {DaemonClock, DaemonDirectory, DaemonLog, StateReader} from '../daemon-context.ts';

type SeenContext = DaemonDirectory & DaemonClock & DaemonLog;

/**
 * The person's latest visit: when they were last active, when the visit began, and when the visit
 * before it ended. The brief covers what happened between the two visits.
 */
export type Seen = {readonly at: number; readonly came?: number; readonly before?: number};

export function arriving(seen: Seen | undefined, now: number): Seen {
  // A clock that was set back must not hide what happens from now on.
  return {at: now, came: now, ...(seen === undefined ? {} : {before: Math.min(seen.at, now)})};
}

export function staying(seen: Seen | undefined, now: number): Seen {
  return seen === undefined || now - seen.at >= awayMs ? arriving(seen, now) : {...seen, at: now};
}

export function readSeen(file: string): Seen | undefined {
  try {
    const {at, before, came} = JSON.parse(tryReadText(file, {maxBytes: 64 * 1024}) ?? '') as {
      readonly at?: unknown;
      readonly before?: unknown;
      readonly came?: unknown;
    };
    if (typeof at !== 'number') return undefined;
    return {
      at,
      ...(typeof came === 'number' && {came}),
      ...(typeof before === 'number' && {before}),
    };
  } catch {
    return undefined;
  }
}

export function writeSeen(file: string, seen: Seen): void {
  writeFileAtomic(file, JSON.stringify(seen));
}

/** What happened since the person was last here. Only a person's own question counts as a visit. */
export function readBrief(
  context: SeenContext & StateReader,
  {since, stay}: Extract<Question, {readonly about: 'brief'}>,
  isPerson: boolean,
): BriefAnswer {
  const now = context.now();
  const seen = readSeen(toSeenFile(context));
  const next = stay === true ? staying(seen, now) : arriving(seen, now);
  if (since === undefined && isPerson) saveSeen(context, next);
  const events = readSoundEvents(context);
  const options = {
    since: since ?? next.before ?? (events[0]?.at ?? now) - 1,
    now,
    came: since === undefined ? next.came : undefined,
  };
  const state = context.state();
  const isFirstVisit = since === undefined && next.before === undefined;
  return {
    ...buildBrief(state, events, options),
    view: buildBriefView(state, events, {...options, isFirstVisit}),
  };
}

/** Records activity of the person outside the app: a command, or input to a session. */
export function noteSeen(context: SeenContext): void {
  saveSeen(context, staying(readSeen(toSeenFile(context)), context.now()));
}

/** If the disk is full, the next brief covers more than the person missed, never less. */
function saveSeen(context: SeenContext, seen: Seen): void {
  try {
    writeSeen(toSeenFile(context), seen);
  } catch (error) {
    context.log(`the time of your visit could not be saved: ${errorText(error)}`);
  }
}

function toSeenFile({stateDirectory}: DaemonDirectory): string {
  return path.join(stateDirectory, 'seen.json');
}
