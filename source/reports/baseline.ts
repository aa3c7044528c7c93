import {
  type BaselineDecision,
  type CheckResult,
  isBaselineDue,
  isBaselineFailed,
  isBaselineOver,
  type Run,
  selectBaseline,
  selectBaselineResult,
  selectChecks,
  selectChoice,
  selectSession,
  type SessionId,
  type State,
} from '../domain/index.ts';
import {wrapSentence} from '../shared/index.ts';
import {describeBaselineFailure, withoutUnknownTool} from './messages/describe-reason.ts';

/** What a person decided about a check that fails on the base. */
export const decisionLabels: Readonly<Record<BaselineDecision, string>> = {
  mend: 'the first task repairs it',
  ignore: 'skip it in this run',
  'no-new': 'allow what failed before, but nothing new',
  count: 'count it as usual; the plan makes it pass',
};

/** A line with its importance for the reader. */
export type BaselineLine = {
  readonly text: string;
  readonly tone: 'plain' | 'good' | 'bad' | 'quiet';
};

const failureLines = 4;

/**
 * The results of the checks on the unchanged base, with the first failure and the decision for each
 * one that fails.
 */
export function baselineLines({run, state, why, session, checks}: BaselineReport): BaselineLine[] {
  if (state === 'none') return [];
  const head: BaselineLine[] = [{text: headLine(state), tone: 'plain'}];
  const failed: BaselineLine[] =
    why === undefined
      ? []
      : [
          {
            text: `  no result: ${why}. Repair it, then: orchestra baseline ${run} --again`,
            tone: 'bad',
          },
        ];
  const setup: BaselineLine[] =
    session !== undefined && !checks.some(({outcome}) => outcome === 'running')
      ? [{text: `  setup is running (${session})`, tone: 'quiet'}]
      : [];
  return [...head, ...failed, ...setup, ...checks.flatMap((check) => checkLines(run, check))];
}

function headLine(state: BaselineReport['state']): string {
  return state === 'running' ? 'The unchanged base; its checks are running' : 'The unchanged base';
}

function checkLines(run: string, check: BaselineCheck): BaselineLine[] {
  const {name, outcome, choice, from, lacks} = check;
  const known = `${outcomeLabels[outcome]}${check.cached === true ? ', from an earlier run' : ''}`;
  const isRed = toTone(outcome) === 'bad';
  const first: BaselineLine = {
    text: `  ${name}: ${choice === undefined ? known : `${known}; you decided: ${decisionLabels[choice]}`}`,
    tone: toTone(outcome),
  };
  if (!isRed) return [first];
  if (lacks !== undefined)
    return [
      {...first, tone: 'quiet'},
      {
        text:
          `      ${lacks.join(', ')} ${lacks.length === 1 ? 'was' : 'were'} not running, ` +
          'so this proves nothing about the base: a failure after the work counts',
        tone: 'quiet',
      },
    ];
  const failure = withoutUnknownTool(check.firstFailure ?? '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, failureLines)
    .map((line): BaselineLine => ({text: `      ${line}`, tone: 'quiet'}));
  return [
    first,
    ...failure,
    ...(choice === undefined
      ? [{text: `      ${formatDecisions(run, check)}`, tone: 'plain' as const}]
      : []),
    ...(from === 'plan' && choice === undefined
      ? [
          {
            text: '      a check of the plan: the plan may be there to make it pass',
            tone: 'quiet' as const,
          },
        ]
      : []),
  ];
}

function toTone(outcome: BaselineCheck['outcome']): BaselineLine['tone'] {
  if (outcome === 'failed' || outcome === 'timed-out' || outcome === 'broken') return 'bad';
  return outcome === 'passed' ? 'good' : 'quiet';
}

const outcomeLabels: Readonly<Record<BaselineCheck['outcome'], string>> = {
  passed: 'passed',
  failed: 'failed',
  'timed-out': 'timed out',
  broken: 'cannot run',
  running: 'running',
  unknown: 'no result yet',
};

function formatDecisions(run: string, {name, failures}: BaselineCheck): string {
  return (
    `decide: orchestra baseline ${run} --mend ${name}, --ignore ${name}, ` +
    `${failures === undefined ? '' : `--no-new ${name}, `}--count ${name}`
  );
}

export function formatBaseline(report: BaselineReport, width: number): string[] {
  return baselineLines(report).flatMap(({text}) => {
    const indent = /^ */.exec(text)?.[0] ?? '';
    return wrapSentence(text.trim(), width - indent.length - 2).map(
      (row, index) => `${indent}${index === 0 ? '' : '  '}${row}`,
    );
  });
}

/**
 * The checks on the base of a run; `orchestra baseline --json` and `plan show --json` print it in
 * this form.
 */
export type BaselineReport = {
  readonly run: string;
  readonly base: string;
  /** `none`: the project has switched it off, or there is no check. */
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
  /** Names of what failed, if the tool's report has them. */
  readonly failures?: readonly string[];
  /** The result is from an earlier run. */
  readonly cached?: true;
  readonly choice?: BaselineDecision;
  /** Services of the plan that were not ready, so that a failure says nothing about the base. */
  readonly lacks?: readonly string[];
};

export function buildBaselineReport(state: State, run: Run): BaselineReport {
  const {stage} = run;
  const {session, failed} = selectBaseline(run);
  const isFailed = isBaselineFailed(state, run);
  const checks = selectChecks(run).map((check): BaselineCheck => {
    const known = selectBaselineResult(run, check);
    const choice = selectChoice(run, check);
    const purpose = session === undefined ? undefined : selectSession(state, session)?.purpose;
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
    state: baselineState(state, run, checks),
    ...(isFailed && failed !== undefined ? {why: describeBaselineFailure(failed.why)} : {}),
    ...(session === undefined ? {} : {session}),
    checks,
  };
}

function baselineState(
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
