import {isLive, type LoopKind, type NoticedLoop, type Session} from '../session.ts';
import {type Limits, usualLoopLimits} from '../state.ts';

/** The limit of each kind; 0 is none. */
const limitNames = {
  'same-calls': 'sameCalls',
  'same-failures': 'sameFailures',
  'undone-edits': 'undoneEdits',
  unchanged: 'unchangedMinutes',
} as const satisfies Readonly<Record<LoopKind, keyof Limits>>;

export function loopLimitOf(limits: Limits, kind: LoopKind): number | undefined {
  const limit = limits[limitNames[kind]] ?? usualLoopLimits[limitNames[kind]];
  return limit > 0 ? limit : undefined;
}

/** It has been seen as often as the project lets it be. What is repeated by right has a weight. */
export function isLoopOver(
  limits: Limits,
  {
    kind,
    times,
    weight = 1,
  }: {readonly kind: LoopKind; readonly times: number; readonly weight?: number},
): boolean {
  const limit = loopLimitOf(limits, kind);
  return limit !== undefined && times >= limit * weight;
}

export function isLoopKnown(
  {loops = []}: Session,
  {kind, key}: Pick<NoticedLoop, 'kind' | 'key'>,
): boolean {
  return loops.some((loop) => loop.kind === kind && loop.key === key);
}

/** The oldest sign that no person has looked at. */
export function openLoopOf(session: Session): NoticedLoop | undefined {
  return isLive(session) ? session.loops?.find(({isSeen}) => isSeen !== true) : undefined;
}
