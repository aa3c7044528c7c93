import {needsOf, type State} from '../../domain/index.ts';
import {needInWords, subjectOfNeed} from '../explain/need-in-words.ts';
import {waysOf, type Way} from '../explain/ways-of.ts';

/** Everything that waits for the person, the oldest first, each with the commands that answer it. */
export type NeedsReport = {readonly at: number; readonly needs: readonly NeedLine[]};

export type NeedLine = {
  readonly id: string;
  readonly kind: string;
  readonly about: string;
  readonly words: string;
  readonly ageMs: number;
  readonly ways: readonly Way[];
};

export function needsReport(
  state: State,
  now: number,
  {run}: {readonly run?: string} = {},
): NeedsReport {
  const needs = needsOf(state).map((need): NeedLine => ({
    id: need.id,
    kind: need.kind,
    about: subjectOfNeed(need),
    words: needInWords(need),
    ageMs: now - need.since,
    ways: waysOf(state, need),
  }));
  return {
    at: now,
    needs:
      run === undefined
        ? needs
        : needs.filter(({about}) => about === run || about.startsWith(`${run}.`)),
  };
}
