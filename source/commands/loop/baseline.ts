import type {LiveState} from '../../client/index.ts';
import {
  baselineReport,
  formatBaseline,
  formatJson,
  mendingPlan,
  planHash,
} from '../../documents/index.ts';
import {
  baselineResultOf,
  checksOf,
  runOf,
  type BaselineDecision,
  type Run,
  type Wish,
} from '../../domain/index.ts';
import {Impossible} from '../here.ts';
import type {ExitCode, Surroundings} from '../surroundings.ts';
import {findRun} from './find-subject.ts';
import {textOptionsOf} from './text-options.ts';
import {withLive} from './with-live.ts';

type Options = {
  readonly json?: boolean;
  readonly mend?: string;
  readonly ignore?: string;
  /** Of `--no-new`: the command line keeps it under this name, and `true` where it was not given. */
  readonly new?: string | boolean;
  readonly count?: string;
  /** Without a name: everything that is not green. */
  readonly again?: string | boolean;
};

/** What the checks show on the untouched base of a run, and what is done about those that are red there. Exit 3 while something is to be decided. */
export async function baseline(
  id: string | undefined,
  options: Options,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const asked = askedIn(options);
  return withLive(surroundings, async (live) => {
    const run = findRun(live.state(), id);
    if (!('proposal' in run.stage))
      throw new Impossible(
        `${run.id} has no plan yet, so its checks are not known; it is ${run.stage.at}`,
      );
    if (asked !== undefined) await live.ask({about: 'wish', wish: wishOf(run, asked)});
    return tell(live, runOf(live.state(), run.id) ?? run, options, surroundings);
  });
}

type Asked = {readonly choice: BaselineDecision | 'again'; readonly check: string | undefined};

function askedIn({mend, ignore, new: noNew, count, again}: Options): Asked | undefined {
  const given: readonly (readonly [Asked['choice'], string | boolean | undefined])[] = [
    ['mend', mend],
    ['ignore', ignore],
    ['no-new', noNew === true ? undefined : noNew],
    ['count', count],
    ['again', again],
  ];
  const asked = given.filter(([, check]) => check !== undefined && check !== false);
  if (asked.length > 1)
    throw new Impossible(
      `expected one decision, got ${asked.map(([choice]) => `--${choice}`).join(' and ')}`,
    );
  const [first] = asked;
  return first === undefined
    ? undefined
    : {choice: first[0], check: typeof first[1] === 'string' ? first[1] : undefined};
}

function wishOf(run: Run, {choice, check: name}: Asked): Wish {
  if (choice === 'again')
    return {type: 'baseline-again', run: run.id, ...(name === undefined ? {} : {check: name})};
  const wish = {type: 'choose-baseline', run: run.id, check: name ?? '', choice} as const;
  const check = checksOf(run).find((one) => one.name === name);
  const result = check === undefined ? undefined : baselineResultOf(run, check)?.result;
  if (choice !== 'mend' || result === undefined || !('proposal' in run.stage)) return wish;
  const plan = mendingPlan(run.stage.proposal.plan, result);
  return {...wish, plan, hash: planHash(plan)};
}

function tell(live: LiveState, run: Run, {json}: Options, surroundings: Surroundings): ExitCode {
  const report = baselineReport(live.state(), run);
  const words =
    report.state === 'none'
      ? [
          `the base of ${run.id} is not checked: ${live.state().project.baseline === false ? 'the project says baseline: false' : 'there is no check, or the run is older'}`,
        ]
      : formatBaseline(report, textOptionsOf(surroundings).width);
  surroundings.out(json === true ? formatJson(report) : `${words.join('\n')}\n`);
  const isOpen = report.checks.some(
    ({from, outcome, choice}) =>
      from === 'rules' &&
      choice === undefined &&
      (outcome === 'failed' || outcome === 'timed-out' || outcome === 'broken'),
  );
  return isOpen ? 3 : 0;
}
