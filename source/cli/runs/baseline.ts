import type {LiveState} from '../../client/index.ts';
import {buildBaselineReport, formatBaseline, formatJson} from '../../reports/index.ts';
import {addMendingTask, planHash} from '../../plan/index.ts';
import {
  type BaselineDecision,
  type Run,
  selectBaselineResult,
  selectChecks,
  selectRun,
  type UserCommand,
} from '../../domain/index.ts';
import {UsageError} from '../repo-paths.ts';
import {type CliContext, type ExitCode, getTextOptions} from '../cli-context.ts';
import {findRun} from './find-subject.ts';
import {withLive} from '../with-daemon.ts';

type Options = {
  readonly json?: boolean;
  readonly mend?: string;
  readonly ignore?: string;
  /** From `--no-new`: commander stores it under this name, with `true` if it was not given. */
  readonly new?: string | boolean;
  readonly count?: string;
  /** Without a name: all checks that did not pass. */
  readonly again?: string | boolean;
};

/**
 * Shows the checks on the unchanged base of a run, and decides about those that fail there. Exit 3
 * while a decision is open.
 */
export async function baseline(
  id: string | undefined,
  options: Options,
  cli: CliContext,
): Promise<ExitCode> {
  const asked = parseAsked(options);
  return withLive(cli, async (live) => {
    const run = findRun(live.state(), id);
    if (!('proposal' in run.stage))
      throw new UsageError(
        `${run.id} has no plan yet, so its checks are unknown; it is ${run.stage.at}`,
      );
    if (asked !== undefined) await live.ask({about: 'wish', wish: toCommand(run, asked)});
    return printBaseline(live, selectRun(live.state(), run.id) ?? run, options, cli);
  });
}

type Asked = {readonly choice: BaselineDecision | 'again'; readonly check: string | undefined};

function parseAsked({mend, ignore, new: noNew, count, again}: Options): Asked | undefined {
  const given: readonly (readonly [Asked['choice'], string | boolean | undefined])[] = [
    ['mend', mend],
    ['ignore', ignore],
    ['no-new', noNew === true ? undefined : noNew],
    ['count', count],
    ['again', again],
  ];
  const asked = given.filter(([, check]) => check !== undefined && check !== false);
  if (asked.length > 1)
    throw new UsageError(
      `expected one decision, got ${asked.map(([choice]) => `--${choice}`).join(' and ')}`,
    );
  const [first] = asked;
  return first === undefined
    ? undefined
    : {choice: first[0], check: typeof first[1] === 'string' ? first[1] : undefined};
}

function toCommand(run: Run, {choice, check: name}: Asked): UserCommand {
  if (choice === 'again')
    return {type: 'baseline-again', run: run.id, ...(name === undefined ? {} : {check: name})};
  const command = {type: 'choose-baseline', run: run.id, check: name ?? '', choice} as const;
  const check = selectChecks(run).find((one) => one.name === name);
  const result = check === undefined ? undefined : selectBaselineResult(run, check)?.result;
  if (choice !== 'mend' || result === undefined || !('proposal' in run.stage)) return command;
  const plan = addMendingTask(run.stage.proposal.plan, result);
  return {...command, plan, hash: planHash(plan)};
}

function printBaseline(live: LiveState, run: Run, {json}: Options, cli: CliContext): ExitCode {
  const report = buildBaselineReport(live.state(), run);
  const terms =
    report.state === 'none'
      ? [
          `the base of ${run.id} is not checked: ` +
            (live.state().project.baseline === false
              ? 'the project says baseline: false'
              : 'it has no check, or it comes from an older version'),
        ]
      : formatBaseline(report, getTextOptions(cli).width);
  cli.out(json === true ? formatJson(report) : `${terms.join('\n')}\n`);
  const isOpen = report.checks.some(
    ({from, outcome, choice}) =>
      from === 'rules' &&
      choice === undefined &&
      (outcome === 'failed' || outcome === 'timed-out' || outcome === 'broken'),
  );
  return isOpen ? 3 : 0;
}
