import type {
  Change,
  CheckResult,
  Judgement,
  Rules,
  RuleVerdict,
  Run,
  Usage,
} from '../../domain/index.ts';
import {decisionInWords} from '../baseline/decision-in-words.ts';
import {describeFailure} from '../events/describe-reason.ts';
import type {AttemptRecord} from './attempt-record.ts';
import {codeWords, plainWords} from './plain-words.ts';

/** A part of a summary: its title and its lines, or nothing when there is nothing to say. */
export function part(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `## ${title}`, ...lines];
}

export function items(texts: readonly string[], most = 8): string[] {
  const shown = texts.slice(0, most).map((text) => `- ${plainWords(text)}`);
  return texts.length > most ? [...shown, `- and ${texts.length - most} more`] : shown;
}

/** `src/token.js +3 -1`, one a line; of many the first ones and a count. */
export function fileLines({files}: Change, most = 15): string[] {
  const shown = files
    .slice(0, most)
    .map(
      ({path, how, added, removed}) =>
        `- ${codeWords(path)} +${added} -${removed}${how === 'modified' ? '' : ` ${how}`}`,
    );
  const rest = files.slice(most);
  if (rest.length === 0) return shown;
  return [
    ...shown,
    `- and ${rest.length} more, +${sum(rest.map(({added}) => added))} -${sum(rest.map(({removed}) => removed))}`,
  ];
}

export function changeInWords({files}: Change): string {
  return `${files.length} ${files.length === 1 ? 'file' : 'files'}, +${sum(files.map(({added}) => added))} -${sum(files.map(({removed}) => removed))}`;
}

/** What the plan did not name, then each rule in the order of the file; neighbours with one verdict share a line. */
export function ruleLines(
  {outside, refused = [], rules: verdicts}: Judgement,
  rules: Rules | undefined,
): string[] {
  const groups: {readonly verdict: RuleVerdict['verdict']; readonly words: string[]}[] = [];
  for (const {number, verdict, detail} of verdicts) {
    const text = rules?.rules.find((rule) => rule.number === number)?.text;
    const words = `${number}${text === undefined ? '' : ` ${plainWords(text, 80).replace(/\.$/, '')}`}${detail === undefined ? '' : ` (${plainWords(detail, 120)})`}`;
    const last = groups.at(-1);
    if (last?.verdict === verdict) last.words.push(verdict === 'not-checkable' ? number : words);
    else groups.push({verdict, words: [verdict === 'not-checkable' ? number : words]});
  }

  const strays = outside
    .slice(0, 8)
    .map((path) => `- outside the plan: ${codeWords(path)}${whyOf(path)}`);
  return [
    ...strays,
    ...groups.map(
      ({verdict, words}) =>
        `- ${verdict === 'not-checkable' ? 'not checkable' : verdict}: ${words.join('; ')}`,
    ),
  ];

  function whyOf(path: string): string {
    const why = refused.find((one) => one.path === path)?.why;
    return why === undefined ? '' : ` (${plainWords(why, 120)})`;
  }
}

/** What a person decided about checks that were red without any change. */
export function baselineLines({baseline}: Pick<Run, 'baseline'>): string[] {
  return (baseline?.choices ?? []).map(
    ({check, choice}) => `- ${plainWords(check.name, 80)}: ${decisionInWords[choice]}`,
  );
}

/** One line for each check, with its result in every attempt and after merging. */
export function checkLines(records: readonly AttemptRecord[]): string[] {
  const all = records.flatMap(({results, merged}) =>
    [...results, ...merged].map(({check}) => check),
  );
  const names = [...new Set(all.map(({name}) => name))];
  return names.map((name) => {
    const command = all.findLast((check) => check.name === name)?.command ?? '';
    const told = records.flatMap(({number, results, merged}) => [
      ...resultOf(results, name, `in attempt ${number}`),
      ...resultOf(merged, name, 'after merging'),
    ]);
    return `- ${name} ${codeWords(command)}: ${told.join(', ')}`;
  });
}

function resultOf(results: readonly CheckResult[], name: string, when: string): string[] {
  return results
    .filter(({check}) => check.name === name)
    .map(({outcome}) => `${outcome === 'timed-out' ? 'timed out' : outcome} ${when}`);
}

/** Each attempt in one line: who, what came of it, how much was changed. */
export function attemptLine(record: AttemptRecord): string {
  const {number, by, repairs, hint, change, failure, gaveUp, end, interruptions} = record;
  const who = by === 'person' ? 'by a person' : repairs === undefined ? '' : 'repair';
  const about = [
    who,
    hint === undefined ? '' : `hint: ${plainWords(hint, 120)}`,
    interruptions === 0 ? '' : `cut short ${interruptions} times`,
  ]
    .filter((words) => words !== '')
    .join('; ');
  const outcome =
    failure === undefined
      ? endInWords(end, gaveUp)
      : `red, ${plainWords(describeFailure(failure), 300)}`;
  return `attempt ${number}${about === '' ? '' : ` (${about})`}: ${outcome}${change === undefined ? '' : `; changed ${changeInWords(change)}`}`;
}

function endInWords(end: AttemptRecord['end'], gaveUp: string | undefined): string {
  if (gaveUp !== undefined) return `gave up: ${plainWords(gaveUp, 300)}`;
  return {
    passed: 'green',
    failed: 'red',
    'gave-up': 'gave up',
    abandoned: 'ended early, neither red nor green',
    'under-way': 'under way',
  }[end];
}

export function tokensInWords({input, output, cost}: Usage): string {
  return `${input + output} tokens (${input} in, ${output} out)${cost === undefined ? '' : `, cost ${cost.toFixed(2)}`}`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
