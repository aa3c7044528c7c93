import {failureCodeOf} from '../rules.ts';
import type {CheckResult, Failure, Judgement} from '../verdict.ts';

export function isRed(judgement: Judgement): boolean {
  return failureOfJudgement(judgement) !== undefined;
}

/** Scope first, then the first broken rule in policy order. */
export function failureOfJudgement({outside, refused, rules}: Judgement): Failure | undefined {
  if (outside.length > 0)
    return {kind: 'scope', paths: outside, ...(refused === undefined ? {} : {refused})};
  const broken = rules.find(({verdict}) => verdict === 'broken');
  return broken === undefined
    ? undefined
    : {kind: 'rule', number: broken.number, detail: broken.detail ?? ''};
}

/** The first red check, if any. A broken check is no failure of the change. */
export function failureOfChecks(
  results: readonly CheckResult[],
  on: 'change' | 'merge',
): Failure | undefined {
  const red = results.find(({outcome}) => outcome === 'failed' || outcome === 'timed-out');
  if (red === undefined) return undefined;
  return {
    kind: 'check',
    name: red.check.name,
    code: failureCodeOf(red.check),
    on,
    firstFailure: red.firstFailure ?? '',
  };
}
