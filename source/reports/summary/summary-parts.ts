import type {Change, CheckResult, Judgement, Rules, Run, Usage} from '../../domain/index.ts';
import {pluralize} from '../../shared/index.ts';
import {decisionLabels} from '../baseline.ts';
import {describeFailure} from '../messages/describe-reason.ts';
import type {AttemptRecord} from './run-record.ts';
import {formatCode, formatPlain} from './safe-text.ts';

/** A section of a summary: its title and lines, or nothing if there are no lines. */
export function part(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `## ${title}`, ...lines];
}

export function items(texts: readonly string[], max = 8): string[] {
  const shown = texts.slice(0, max).map((text) => `- ${formatPlain(text)}`);
  return texts.length > max ? [...shown, `- and ${texts.length - max} more`] : shown;
}

/** One line a file, such as `src/token.js +3 -1`: the first `max`, then a count of the rest. */
export function fileLines({files}: Change, max = 15): string[] {
  const shown = files
    .slice(0, max)
    .map(
      ({path, how, added, removed}) =>
        `- ${formatCode(path)} +${added} -${removed}${how === 'modified' ? '' : ` ${how}`}`,
    );
  const rest = files.slice(max);
  if (rest.length === 0) return shown;
  return [
    ...shown,
    `- and ${rest.length} more, +${sum(rest.map(({added}) => added))} -${sum(rest.map(({removed}) => removed))}`,
  ];
}

export function formatChange({files}: Change): string {
  return (
    `${pluralize(files.length, 'file')}, +${sum(files.map(({added}) => added))} ` +
    `-${sum(files.map(({removed}) => removed))}`
  );
}

/**
 * Files outside the plan, then each rule in the order of the rules file. Consecutive rules with the
 * same verdict share a line.
 */
export function ruleLines(
  {outside, refused = [], rules: verdicts}: Judgement,
  rules: Rules | undefined,
): string[] {
  const groups: {readonly verdict: string; readonly texts: string[]}[] = [];
  for (const {number, verdict: own, detail} of verdicts) {
    const rule = rules?.rules.find((one) => one.number === number);
    const text = rule?.text;
    const isChecked = own === 'not-checkable' && rule?.check !== undefined;
    const verdict = isChecked ? 'left to checks' : own.replace('-', ' ');
    const message = `${number}${text === undefined ? '' : ` ${formatPlain(text, 80).replace(/\.$/, '')}`}${detail === undefined ? '' : ` (${formatPlain(detail, 120)})`}`;
    const last = groups.at(-1);
    const short = isChecked ? `${number} (${rule.check})` : number;
    const shown = own === 'not-checkable' ? short : message;
    if (last?.verdict === verdict) last.texts.push(shown);
    else groups.push({verdict, texts: [shown]});
  }

  const strays = outside
    .slice(0, 8)
    .map((path) => `- outside the plan: ${formatCode(path)}${formatWhy(path)}`);
  return [...strays, ...groups.map(({verdict, texts}) => `- ${verdict}: ${texts.join('; ')}`)];

  function formatWhy(path: string): string {
    const why = refused.find((one) => one.path === path)?.why;
    return why === undefined ? '' : ` (${formatPlain(why, 120)})`;
  }
}

/** What a person decided about checks that fail on the base. */
export function decisionLines({baseline}: Pick<Run, 'baseline'>): string[] {
  return (baseline?.choices ?? []).map(
    ({check, choice}) => `- ${formatPlain(check.name, 80)}: ${decisionLabels[choice]}`,
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
    const results = records.flatMap(({number, results: checked, merged}) => [
      ...resultTexts(checked, name, `in try ${number}`),
      ...resultTexts(merged, name, 'after merging'),
    ]);
    return `- ${name} ${formatCode(command)}: ${results.join(', ')}`;
  });
}

function resultTexts(results: readonly CheckResult[], name: string, when: string): string[] {
  return results
    .filter(({check}) => check.name === name)
    .map(({outcome}) => `${outcome === 'timed-out' ? 'timed out' : outcome} ${when}`);
}

/** An attempt in one line: who made it, its outcome, and how much it changed. */
export function attemptLine(record: AttemptRecord): string {
  const {number, by, repairs, hint, change, failure, gaveUp, end, interruptions} = record;
  const about = [
    by === 'person' ? 'by a person' : '',
    by !== 'person' && repairs !== undefined ? 'repair' : '',
    hint === undefined ? '' : `hint: ${formatPlain(hint, 120)}`,
    interruptions === 0 ? '' : `interrupted ${interruptions} times`,
  ]
    .filter((text) => text !== '')
    .join('; ');
  const outcome =
    failure === undefined
      ? formatEnd(end, gaveUp)
      : `failed, ${formatPlain(describeFailure(failure), 300)}`;
  return (
    `try ${number}${about === '' ? '' : ` (${about})`}: ` +
    `${outcome}${change === undefined ? '' : `; changed ${formatChange(change)}`}`
  );
}

function formatEnd(end: AttemptRecord['end'], gaveUp: string | undefined): string {
  if (gaveUp !== undefined) return `gave up: ${formatPlain(gaveUp, 300)}`;
  return {
    passed: 'green',
    failed: 'red',
    'gave-up': 'gave up',
    abandoned: 'ended early, neither passed nor failed',
    'under-way': 'in progress',
  }[end];
}

export function formatTokenUsage({input, output, cost}: Usage): string {
  return (
    `${input + output} tokens (${input} in, ${output} ` +
    `out)${cost === undefined ? '' : `, cost ${cost.toFixed(2)}`}`
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
