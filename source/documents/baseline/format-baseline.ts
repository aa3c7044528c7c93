import {wrapSentence} from '../story/wrap-text.ts';
import type {BaselineCheck, BaselineReport} from './baseline-report.ts';
import {decisionInWords} from './decision-in-words.ts';

/** `tone`: how much a person has to care. */
export type BaselineLine = {
  readonly text: string;
  readonly tone: 'plain' | 'good' | 'bad' | 'quiet';
};

const failureLines = 4;

/** What the checks show on the untouched base, the first failure of each red one, and what was decided about it. */
export function baselineLines({run, state, why, session, checks}: BaselineReport): BaselineLine[] {
  if (state === 'none') return [];
  const head: BaselineLine[] = [{text: headOf(state), tone: 'plain'}];
  const failed: BaselineLine[] =
    why === undefined
      ? []
      : [
          {
            text: `  nothing is known: ${why}. Repair it, then: orchestra baseline ${run} --again`,
            tone: 'bad',
          },
        ];
  const setup: BaselineLine[] =
    session !== undefined && !checks.some(({outcome}) => outcome === 'running')
      ? [{text: `  setup is at work (${session})`, tone: 'quiet'}]
      : [];
  return [...head, ...failed, ...setup, ...checks.flatMap((check) => linesOf(run, check))];
}

function headOf(state: BaselineReport['state']): string {
  return state === 'running'
    ? 'The base, without any change; it is being checked'
    : 'The base, without any change';
}

function linesOf(run: string, check: BaselineCheck): BaselineLine[] {
  const {name, outcome, choice, from, lacks} = check;
  const known = `${outcomeWords[outcome]}${check.cached === true ? ', known from an earlier run' : ''}`;
  const isRed = outcome === 'failed' || outcome === 'timed-out' || outcome === 'broken';
  const first: BaselineLine = {
    text: `  ${name}: ${choice === undefined ? known : `${known}; you decided: ${decisionInWords[choice]}`}`,
    tone: isRed ? 'bad' : outcome === 'passed' ? 'good' : 'quiet',
  };
  if (!isRed) return [first];
  if (lacks !== undefined)
    return [
      {...first, tone: 'quiet'},
      {
        text: `      ${lacks.join(', ')} ${lacks.length === 1 ? 'was' : 'were'} not running, so it says nothing about the base: red after the work counts`,
        tone: 'quiet',
      },
    ];
  const failure = (check.firstFailure ?? '')
    .replace(/^unknown\n/, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, failureLines)
    .map((line): BaselineLine => ({text: `      ${line}`, tone: 'quiet'}));
  return [
    first,
    ...failure,
    ...(choice === undefined
      ? [{text: `      ${askWords(run, check)}`, tone: 'plain' as const}]
      : []),
    ...(from === 'plan' && choice === undefined
      ? [
          {
            text: '      a check of the plan: it may be what the plan makes green',
            tone: 'quiet' as const,
          },
        ]
      : []),
  ];
}

const outcomeWords: Readonly<Record<BaselineCheck['outcome'], string>> = {
  passed: 'green',
  failed: 'red',
  'timed-out': 'takes too long',
  broken: 'cannot be run',
  running: 'is being run',
  unknown: 'not known yet',
};

function askWords(run: string, {name, failures}: BaselineCheck): string {
  return `decide: orchestra baseline ${run} --mend ${name}, --ignore ${name}, ${failures === undefined ? '' : `--no-new ${name}, `}--count ${name}`;
}

export function formatBaseline(report: BaselineReport, width: number): string[] {
  return baselineLines(report).flatMap(({text}) => {
    const indent = /^ */.exec(text)?.[0] ?? '';
    return wrapSentence(text.trim(), width - indent.length - 2).map(
      (row, index) => `${indent}${index === 0 ? '' : '  '}${row}`,
    );
  });
}
