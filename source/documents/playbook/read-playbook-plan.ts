import {without} from '../../base/index.ts';
import {readPlan} from '../plan/read-plan.ts';
import {type Report, pathInto, readEntries} from '../project/read-fields.ts';
import type {YamlValue} from '../project/yaml-value.ts';
import type {PlaybookPlan} from './playbook.ts';

/** A plan in YAML obeys what a plan in JSON obeys: it is written as JSON, one value to a line, and read as such. */
export function readPlaybookPlan(value: YamlValue, report: Report): PlaybookPlan | undefined {
  const lines: JsonLine[] = [];
  writeValue(value, {path: 'plan', before: '', after: '', lines, report});
  const {value: plan, problems} = readPlan(lines.map(({text}) => text).join('\n'), {objective: ''});
  for (const {line, text} of problems)
    report(lines[line - 1]?.line ?? value.line, /^[\w$]+[.:[]/.test(text) ? `plan.${text}` : text);
  if (plan === undefined) return undefined;
  return plan.objective === '' ? without(plan, 'objective') : plan;
}

/** One line of JSON, and the line of YAML that it comes from. */
type JsonLine = {readonly text: string; readonly line: number};

type Writing = {
  readonly path: string;
  /** What stands on the line before the value (its key) and after it (a comma). */
  readonly before: string;
  readonly after: string;
  readonly lines: JsonLine[];
  readonly report: Report;
};

function writeValue(value: YamlValue, writing: Writing): void {
  const {path, before, after, lines, report} = writing;
  const say = (text: string): void => {
    lines.push({text: `${before}${text}${after}`, line: value.line});
  };

  switch (value.is) {
    case 'nothing':
      say('null');
      return;
    case 'text':
      say(JSON.stringify(value.text));
      return;
    case 'number':
      say(JSON.stringify(value.number));
      return;
    case 'other':
      if (value.what !== 'true' && value.what !== 'false')
        report(
          value.line,
          `${path}: expected what a plan may hold, got ${value.what}. Write it out.`,
        );
      say(value.what === 'true' || value.what === 'false' ? value.what : 'null');
      return;
    case 'list':
      writeMembers(
        value.line,
        value.items.map((item, index) => ({key: '', value: item, path: `${path}[${index}]`})),
        '[]',
        writing,
      );
      return;
    case 'mapping':
      writeMembers(
        value.line,
        readEntries(value, path, report).map(({key, value: member}) => ({
          key: `${JSON.stringify(key)}: `,
          value: member,
          path: pathInto(path, key),
        })),
        '{}',
        writing,
      );
  }
}

type Member = {readonly key: string; readonly value: YamlValue; readonly path: string};

function writeMembers(
  line: number,
  members: readonly Member[],
  brackets: '[]' | '{}',
  {before, after, lines, report}: Writing,
): void {
  lines.push({text: `${before}${brackets.charAt(0)}`, line});
  for (const [index, {key, value, path}] of members.entries()) {
    writeValue(value, {
      path,
      before: key,
      after: index === members.length - 1 ? '' : ',',
      lines,
      report,
    });
  }

  lines.push({text: `${brackets.charAt(1)}${after}`, line});
}
