import {
  baselineOf,
  baselineResultOf,
  checksOf,
  choiceOf,
  isBaselineDue,
  isBaselineFailed,
  isBaselineOver,
  sessionOf,
  type BaselineDecision,
  type CheckResult,
  type Run,
  type SessionId,
  type State,
} from '../../domain/index.ts';
import {describeBaselineFailure} from '../events/describe-reason.ts';

/** What is known about the base of a run; `orchestra baseline --json` and `plan show --json` have it like this. */
export type BaselineReport = {
  readonly run: string;
  readonly base: string;
  /** `none`: the project does without, or there is no check. */
  readonly state: 'none' | 'running' | 'done' | 'failed';
  readonly why?: string;
  readonly session?: SessionId;
  readonly checks: readonly BaselineCheck[];
};

export type BaselineCheck = {
  readonly name: string;
  readonly command: string;
  readonly from: 'rules' | 'plan';
  readonly outcome: CheckResult['outcome'] | 'running' | 'unknown';
  readonly firstFailure?: string;
  /** What failed, by name, where the tool's report tells. */
  readonly failures?: readonly string[];
  /** An earlier run found it out. */
  readonly cached?: true;
  readonly choice?: BaselineDecision;
  /** Services of the plan that were not ready: red says nothing then. */
  readonly lacks?: readonly string[];
};

export function baselineReport(state: State, run: Run): BaselineReport {
  const {stage} = run;
  const {session, failed} = baselineOf(run);
  const isFailed = isBaselineFailed(state, run);
  const checks = checksOf(run).map((check): BaselineCheck => {
    const known = baselineResultOf(run, check);
    const choice = choiceOf(run, check);
    const purpose = session === undefined ? undefined : sessionOf(state, session)?.purpose;
    const {firstFailure, failures} = known?.result ?? {};
    return {
      ...check,
      from:
        'ground' in stage && stage.ground.rules.checks.some(({name}) => name === check.name)
          ? 'rules'
          : 'plan',
      outcome:
        known?.result.outcome ??
        (purpose?.for === 'baseline' && purpose.check === check.name ? 'running' : 'unknown'),
      ...(firstFailure === undefined ? {} : {firstFailure}),
      ...(failures === undefined ? {} : {failures}),
      ...(known?.isRecalled === true ? {cached: true} : {}),
      ...(choice === undefined ? {} : {choice}),
      ...(known?.lacks === undefined ? {} : {lacks: known.lacks}),
    };
  });
  return {
    run: run.id,
    base: 'ground' in stage ? stage.ground.base : '',
    state: stateOf(state, run, checks),
    ...(isFailed && failed !== undefined ? {why: describeBaselineFailure(failed.why)} : {}),
    ...(session === undefined ? {} : {session}),
    checks,
  };
}

function stateOf(
  state: State,
  run: Run,
  checks: readonly BaselineCheck[],
): BaselineReport['state'] {
  if (isBaselineFailed(state, run)) return 'failed';
  if (isBaselineDue(state, run) && !isBaselineOver(state, run)) return 'running';
  return checks.some(({outcome}) => outcome !== 'unknown') || isBaselineDue(state, run)
    ? 'done'
    : 'none';
}
